"""Analyses by a clerk as a real process on real RQ: what is lost changes nothing in what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from redis import Redis
from rq import Queue

from app.analysis.hands import moments
from app.analysis.reckoning import carry_on, concluded
from app.analysis.shapes import AnalysisShape, HandAnalysis
from app.config import Settings
from app.tables.requests import Asker, OpenTable
from app.tables.terms import Clock
from app.wiring import Services, build
from tests.storage.server import Server
from tests.tables.room import bot
from tests.workers.conftest import Hands, eventually

ANYBODY = Asker()


@pytest.fixture
def house(server: Server, redis: Redis) -> Iterator[Services]:
    """The service itself, as a web process has it."""
    services = build(Settings(redis_url=server.url))
    yield services
    services.stop_waiting()


def table_of_bots(house: Services, each: int) -> str:
    """A public table whose first hand, of so many tiles each, is over."""
    host, _ = house.players.register(Asker(), "Host", "human")
    bots = tuple(bot(seat, "easy") for seat in range(2))
    quick = Clock(hand_break_seconds=0)
    request = OpenTable(bots=bots, sit=False, clock=quick, house_rules={"tiles_each": each})
    opened = house.tables.open(Asker(player_id=host.id), request, None)

    def first_hand_is_over() -> bool:
        table = house.store.load(opened.value.id).table
        house.tables.advance(table.id, table.version)
        return table.last_hand is not None

    eventually(first_hand_is_over)
    return opened.value.id


def told(house: Services, table: str) -> AnalysisShape:
    return house.analyses.analysis(ANYBODY, table, 1)


def offline(house: Services, table: str) -> HandAnalysis:
    """The same, made here in one go."""
    kept = house.store.load(table).table
    made = moments(house.tables.finished_hand(ANYBODY, table, 1), kept.ruleset, kept.players, kept.seating)
    return concluded(made, carry_on(made, (), piece=10**9))


def test_a_killed_clerk_is_followed_by_another_that_goes_on_where_it_was(
    hands: Hands, house: Services, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.analysis.service.PATIENCE", timedelta(seconds=0.2))
    table = table_of_bots(house, 7)
    clerk = hands.start("clerk")
    assert house.analyses.ask(ANYBODY, table, 1, None).status == 202
    eventually(lambda: told(house, table).progress > 0)
    hands.kill(clerk)
    redis.delete(Queue("slow", connection=redis).key)
    before = told(house, table)
    hands.start("clerk")
    eventually(lambda: told(house, table).status == "ready")
    after = told(house, table)
    assert after.asked_at == before.asked_at
    assert after.analysis == offline(house, table)


def test_no_clerk_no_analysis_and_a_later_one_makes_it_once(hands: Hands, house: Services, redis: Redis) -> None:
    table = table_of_bots(house, 3)
    asked = [house.analyses.ask(ANYBODY, table, 1, None).status for _ in range(4)]
    assert asked == [202, 200, 200, 200]
    assert Queue("slow", connection=redis).count == 1
    assert told(house, table).status == "pending"
    clerk = hands.start("clerk")
    eventually(lambda: told(house, table).status == "ready")
    eventually(lambda: Queue("slow", connection=redis).count == 0)
    assert hands.end(clerk) == 0
