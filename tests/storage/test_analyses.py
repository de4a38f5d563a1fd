"""What a store of analyses promises: the in-memory twin and the real one alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from app.analysis.ports import AnalysisStore, Asked
from app.analysis.shapes import HandAnalysis, MoveAnalysis
from app.storage import keys
from app.storage.analyses import FORMAT, RedisAnalyses
from app.tables.ports import TableNotFound, TableStore
from tests.analysis.hands import analysed, deal, to_the_end
from tests.fakes import MemoryAnalyses, MemoryTables, SettableClock
from tests.storage.steps import opened, sits, then

PATIENCE = timedelta(minutes=5)
ANALYSIS: HandAnalysis = analysed(to_the_end(deal("55 50 31 | 21 42 10", "66 65")))
DONE: tuple[MoveAnalysis, ...] = ANALYSIS.moves[::-1]


@dataclass
class House:
    """One implementation of the ports, and a way to let time pass."""

    tables: TableStore
    analyses: AnalysisStore
    later: Callable[[timedelta], object]

    def ask(self, *, anew: bool = True, table: str = "T1", hand: int = 1) -> Asked:
        return self.analyses.ask(table, hand, PATIENCE, anew=anew)


def heard_earlier(redis: Redis, span: timedelta) -> None:
    """As if so much time had passed since anything was heard of any analysis of T1."""
    for hand in (1, 2):
        redis.hincrby(keys.analyses("T1"), f"{FORMAT}:{hand}:heard", -int(span.total_seconds() * 1000))


@pytest.fixture(params=["memory", "redis"])
def house(request: pytest.FixtureRequest) -> House:
    """A house with table T1."""
    if request.param == "redis":
        tables, redis = request.getfixturevalue("tables"), request.getfixturevalue("redis")
        house = House(tables, RedisAnalyses(redis), lambda span: heard_earlier(redis, span))
    else:
        memory = MemoryTables(SettableClock(datetime.now(UTC)))
        house = House(memory, MemoryAnalyses(memory), lambda span: memory.clock.advance(span.total_seconds()))
    house.tables.commit(opened("T1"))
    return house


class TestAsking:
    def test_the_first_asks_anew_and_the_others_find_it_known(self, house: House) -> None:
        assert house.analyses.look("T1", 1) is None
        assert [house.ask(), house.ask()] == ["anew", "known"]
        kept = house.analyses.look("T1", 1)
        assert kept is not None
        assert kept.asked_at == kept.heard_at <= kept.now
        assert (kept.done, kept.moves, kept.ready_at, kept.failed, kept.analysis) == (0, 0, None, False, None)

    def test_of_sixteen_at_once_one_asks_anew(self, house: House) -> None:
        said: list[Asked] = []
        askers = [threading.Thread(target=lambda: said.append(house.ask())) for _ in range(16)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        assert sorted(said) == ["anew", *["known"] * 15]

    def test_hands_and_tables_are_kept_apart(self, house: House) -> None:
        house.tables.commit(opened("T2"))
        assert [house.ask(), house.ask(hand=2), house.ask(table="T2")] == ["anew"] * 3
        house.analyses.conclude("T1", 1, ANALYSIS)
        for table, hand in (("T1", 2), ("T2", 1), ("T1", 11)):
            kept = house.analyses.look(table, hand)
            assert kept is None or kept.ready_at is None

    def test_without_the_table_there_is_nothing_to_ask(self, house: House) -> None:
        with pytest.raises(TableNotFound):
            house.ask(table="nowhere")
        assert house.analyses.look("nowhere", 1) is None
        assert house.analyses.begin("nowhere", 1) is None

    def test_whoever_only_looks_again_makes_nothing_begin(self, house: House) -> None:
        assert house.ask(anew=False) == "known"
        assert house.analyses.look("T1", 1) is None

    def test_one_of_those_who_have_waited_long_enough_asks_again(self, house: House) -> None:
        house.ask()
        first = house.analyses.look("T1", 1)
        house.later(2 * PATIENCE)
        assert [house.ask(anew=False), house.ask(), house.ask(anew=False)] == ["again", "known", "known"]
        kept = house.analyses.look("T1", 1)
        assert first is not None
        assert kept is not None
        assert kept.asked_at == first.asked_at
        assert kept.heard_at >= first.heard_at

    def test_work_is_heard_of(self, house: House) -> None:
        house.ask()
        house.later(2 * PATIENCE)
        house.analyses.begin("T1", 1)
        assert house.ask() == "known"
        house.later(2 * PATIENCE)
        house.analyses.keep("T1", 1, DONE[:2], len(DONE))
        assert house.ask() == "known"


class TestWork:
    def test_it_is_taken_up_where_it_was_left(self, house: House) -> None:
        assert house.analyses.begin("T1", 1) is None
        house.ask()
        begun = house.analyses.begin("T1", 1)
        assert begun is not None
        assert (begun.done, begun.tries) == ((), 1)
        house.analyses.keep("T1", 1, DONE[:2], len(DONE))
        kept, begun = house.analyses.look("T1", 1), house.analyses.begin("T1", 1)
        assert kept is not None
        assert begun is not None
        assert (kept.done, kept.moves) == (2, len(DONE))
        assert (begun.done, begun.tries) == (DONE[:2], 1)

    def test_tries_are_counted_until_something_is_done(self, house: House) -> None:
        house.ask()
        tries = [begun.tries for _ in range(3) if (begun := house.analyses.begin("T1", 1)) is not None]
        assert tries == [1, 2, 3]

    def test_less_than_is_done_already_is_not_kept(self, house: House) -> None:
        house.ask()
        house.analyses.keep("T1", 1, DONE[:3], len(DONE))
        house.analyses.keep("T1", 1, DONE[:2], len(DONE))
        begun = house.analyses.begin("T1", 1)
        assert begun is not None
        assert begun.done == DONE[:3]

    def test_it_is_ready_once_and_stays_so(self, house: House) -> None:
        house.ask()
        house.analyses.conclude("T1", 1, ANALYSIS)
        ready = house.analyses.look("T1", 1)
        assert ready is not None
        assert ready.analysis == ANALYSIS
        assert ready.ready_at is not None
        assert ready.ready_at >= ready.asked_at
        house.later(2 * PATIENCE)
        house.analyses.keep("T1", 1, DONE, len(DONE))
        house.analyses.fail("T1", 1)
        assert house.ask() == "known"
        assert house.analyses.begin("T1", 1) is None
        again = house.analyses.look("T1", 1)
        assert again is not None
        assert (again.ready_at, again.failed, again.analysis) == (ready.ready_at, False, ANALYSIS)

    def test_what_failed_is_not_taken_up_until_somebody_asks_anew(self, house: House) -> None:
        house.ask()
        house.analyses.keep("T1", 1, DONE[:2], len(DONE))
        house.analyses.fail("T1", 1)
        failed = house.analyses.look("T1", 1)
        assert failed is not None
        assert (failed.failed, failed.done) == (True, 0)
        assert house.analyses.begin("T1", 1) is None
        house.later(2 * PATIENCE)
        assert [house.ask(anew=False), house.ask(), house.ask()] == ["known", "anew", "known"]
        begun = house.analyses.begin("T1", 1)
        assert begun is not None
        assert (begun.done, begun.tries) == ((), 1)

    def test_what_nobody_asked_for_is_not_kept(self, house: House) -> None:
        house.analyses.keep("T1", 1, DONE[:2], len(DONE))
        house.analyses.conclude("T1", 1, ANALYSIS)
        house.analyses.fail("T1", 1)
        assert house.analyses.look("T1", 1) is None


class TestKeys:
    def test_it_expires_with_the_table_whichever_is_written_last(self, redis: Redis, tables: TableStore) -> None:
        first = opened("T1")
        tables.commit(first)
        redis.pexpire(keys.table("T1"), 70_000)
        RedisAnalyses(redis).ask("T1", 1, PATIENCE, anew=True)
        assert 0 < redis.pttl(keys.analyses("T1")) <= 70_000
        tables.commit(then(first.table, sits("bob"), keep=timedelta(seconds=50)))
        assert 0 < redis.pttl(keys.analyses("T1")) <= 50_000

    def test_what_another_version_wrote_is_not_read(self, redis: Redis, tables: TableStore) -> None:
        tables.commit(opened("T1"))
        redis.hset(keys.analyses("T1"), f"{FORMAT + 1}:1:asked", 1)
        redis.hset(keys.analyses("T1"), f"{FORMAT + 1}:1:analysis", b"\xff")
        analyses = RedisAnalyses(redis)
        assert analyses.look("T1", 1) is None
        assert analyses.ask("T1", 1, PATIENCE, anew=True) == "anew"
