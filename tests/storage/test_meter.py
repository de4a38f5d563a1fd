"""Sums over all processes: each report is added once; figures of the moment come from the store."""

from __future__ import annotations

from datetime import timedelta

import pytest
from redis import Redis

from app.metrics.reporting import Meter, Metrics
from app.storage import keys
from app.storage.due import RedisDue
from app.storage.meter import PRESENT_FOR, RedisMeter, StoreFigures
from app.storage.tables import RedisTables
from app.tables.ports import StoreUnavailable
from tests.fakes import MemoryMeter
from tests.standing.games import game
from tests.storage.steps import opened


@pytest.fixture(params=["memory", "redis"])
def meter(request: pytest.FixtureRequest) -> Meter:
    return RedisMeter(request.getfixturevalue("redis")) if request.param == "redis" else MemoryMeter()


def line(metrics: Metrics, start: str) -> str:
    (found,) = [line for line in metrics.page().decode().splitlines() if line.startswith(start)]
    return found


class TestMeter:
    def test_reports_of_all_processes_add_up(self, meter: Meter) -> None:
        meter.add("a", 1, "web", 3, {"x": 2.0, "y": 0.25})
        meter.add("b", 1, "worker", 0, {"x": 1.0, "z": 0.0})
        meter.add("a", 2, "web", 1, {"x": 1.0})
        assert meter.sums() == {"x": 4.0, "y": 0.25, "z": 0.0}
        assert sorted(meter.present()) == [("web", 1), ("worker", 0)]

    def test_a_report_that_is_sent_again_counts_once(self, meter: Meter) -> None:
        for _ in range(2):
            meter.add("a", 1, "web", 0, {"x": 2.0})
        assert meter.sums() == {"x": 2.0}

    def test_two_processes_show_the_same_page(self, meter: Meter) -> None:
        one, two = Metrics(meter), Metrics(meter)
        one.count.answered("GET", "/v1/me", 200, 0.004)
        two.count.answered("GET", "/v1/me", 200, 0.2)
        two.count.answered("GET", "/v1/me", 401, None)
        two.report()
        wanted = 'allfives_requests_total{method="GET",route="/v1/me",status="200"}'
        assert line(one, wanted) == line(two, wanted) == f"{wanted} 2.0"
        buckets = [row for row in one.page().decode().splitlines() if row.startswith("allfives_request_seconds_bucket")]
        assert [row.split()[-1] for row in buckets] == ["0.0", "1.0", "1.0", "1.0", "1.0", "1.0", *["2.0"] * 6]
        assert one.page() == one.page()

    def test_a_report_whose_answer_got_lost_is_sent_again_as_it_was(
        self, meter: Meter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        metrics = Metrics(meter)
        metrics.count.booked()
        add = meter.add

        def answer_lost(*report: object) -> None:
            add(*report)  # type: ignore[arg-type]
            raise StoreUnavailable

        with monkeypatch.context() as broken:
            broken.setattr(meter, "add", answer_lost)
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    metrics.report()
        metrics.count.booked()
        assert line(metrics, "allfives_games_booked_total") == "allfives_games_booked_total 2.0"


class TestOnRedis:
    def test_a_process_that_reports_no_more_is_gone(self, redis: Redis) -> None:
        meter = RedisMeter(redis)
        redis.hset(keys.METER_PRESENT, "dead", '[1000,"web",7]')
        assert list(meter.present()) == []
        meter.add("a", 1, "web", 2, {})
        assert redis.hkeys(keys.METER_PRESENT) == [b"a"]
        assert list(meter.present()) == [("web", 2)]
        assert PRESENT_FOR > 1000

    def test_figures_of_the_moment(self, tables: RedisTables, due: RedisDue, redis: Redis) -> None:
        figures = StoreFigures(redis)
        assert figures.overdue_seconds() == 0
        tables.commit(opened("T1"))
        tables.commit(game("ann", "bob", table_id="T2"))
        due.add("T1", 1, tables.now() - timedelta(seconds=30))
        assert dict(figures.tables()) == {"open": 1, "playing": 0, "finished": 1}
        assert figures.pending_games() == 1
        assert 29 < figures.overdue_seconds() < 60
        due.add("T1", 1, tables.now() + timedelta(seconds=30))
        assert figures.overdue_seconds() == 0

    def test_commits_are_counted(self, redis: Redis, due: RedisDue) -> None:
        told: list[bool] = []
        tables = RedisTables(redis, due, listening=redis, refold=lambda _: opened("T1").table, committed=told.append)
        tables.commit(opened("T1"))
        tables.commit(opened("T1"))
        assert told == [True, False]
