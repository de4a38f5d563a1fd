"""What a store of records promises, and a list of pending games: the in-memory twins and the real ones alike."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from redis import Redis

from app.standing.pools import Pool, all_pools
from app.standing.ports import PendingGames, StandingStore
from app.standing.record import LEAST_GAMES, Record
from app.storage import keys
from app.storage.pending import ASKED_AGAIN, ASKED_AT_ONCE, RedisPending
from app.storage.standing import BOOKED_FOR, RedisStanding
from app.storage.tables import RedisTables
from app.tables.ports import Step, TableStore
from app.tables.register import Player, PlayerRegister, Token
from tests.fakes import MemoryPlayers, MemoryStanding, MemoryTables, SettableClock
from tests.standing.games import game
from tests.storage.steps import T0, ended, opened, then

POOL = Pool("all-fives", "two")


@dataclass
class House:
    """One implementation of the ports."""

    tables: TableStore
    standing: StandingStore
    pending: PendingGames
    players: PlayerRegister


@pytest.fixture(params=["memory", "redis"])
def house(request: pytest.FixtureRequest) -> House:
    if request.param == "redis":
        return House(*(request.getfixturevalue(name) for name in ("tables", "standing", "pending", "players")))
    tables = MemoryTables(SettableClock(datetime.now(UTC)))
    return House(tables, MemoryStanding(), tables.pending, MemoryPlayers(tables.clock))


def listed(rating: int, version: int = 1) -> Record:
    """A record with a place on the board."""
    record = Record(version=version, mu=(rating - 1000) / 40, sigma=0, rated=LEAST_GAMES)
    assert record.rating == rating
    return record


def fill(house: House, ratings: dict[str, int]) -> None:
    for number, (entry_id, rating) in enumerate(ratings.items()):
        assert house.standing.write(POOL, f"T{number}", {entry_id: listed(rating)}) == "written"


def shown(house: House, limit: int = 100, cursor: str | None = None) -> list[tuple[int | None, str]]:
    return [(one.rank, one.id) for one in house.standing.board(POOL, limit, cursor)[0]]


class TestRecords:
    def test_what_was_written_is_read(self, house: House) -> None:
        ann = Record(version=1, mu=26.5, sigma=8.25, rated=1, won=1, drawn=2, lost=3, abandoned=4)
        assert house.standing.records(POOL, ["ann"]) == {}
        assert house.standing.write(POOL, "T1", {"ann": ann}) == "written"
        assert house.standing.records(POOL, ["ann", "bob", "ann"]) == {"ann": ann}
        assert house.standing.records(POOL, []) == {}
        assert house.standing.records(Pool("all-fives", "pairs"), ["ann"]) == {}

    def test_a_game_is_written_once(self, house: House) -> None:
        house.standing.write(POOL, "T1", {"ann": Record(version=1)})
        assert house.standing.write(POOL, "T1", {"ann": Record(version=2)}) == "already"
        assert house.standing.write(POOL, "T1", {"ann": Record(version=1)}) == "already"
        assert house.standing.records(POOL, ["ann"])["ann"].version == 1

    def test_a_game_that_leaves_no_record_is_done_all_the_same(self, house: House) -> None:
        assert house.standing.write(POOL, "T1", {}) == "written"
        assert house.standing.write(POOL, "T1", {}) == "already"

    def test_a_record_that_has_moved_on_stops_all_of_it(self, house: House) -> None:
        house.standing.write(POOL, "T1", {"ann": Record(version=1)})
        late = {"bob": Record(version=1), "ann": Record(version=1, won=7)}
        assert house.standing.write(POOL, "T2", late) == "moved_on"
        assert house.standing.records(POOL, ["ann", "bob"]) == {"ann": Record(version=1)}
        assert house.standing.write(POOL, "T2", {"ann": Record(version=2)}) == "written"

    def test_a_record_that_went_has_moved_on(self, house: House) -> None:
        house.standing.write(POOL, "T1", {"ann": Record(version=1)})
        house.standing.forget("ann", [POOL])
        assert house.standing.write(POOL, "T2", {"ann": Record(version=2)}) == "moved_on"

    def test_many_writers_lose_nothing(self, house: House) -> None:
        def book(numbers: Sequence[int]) -> None:
            for number in numbers:
                while True:
                    kept = house.standing.records(POOL, ["ann"]).get("ann", Record())
                    after = Record(version=kept.version + 1, won=kept.won + 1)
                    if house.standing.write(POOL, f"T{number}", {"ann": after}) != "moved_on":
                        break

        writers = [threading.Thread(target=book, args=(range(n % 2, 40, 2),)) for n in range(4)]  # each game twice
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert house.standing.records(POOL, ["ann"])["ann"].won == 40

    def test_a_players_records_over_all_pools(self, house: House) -> None:
        other = Pool("five-up", "pairs")
        fill(house, {"ann": 1500, "bob": 1600})
        house.standing.write(other, "T9", {"ann": Record(version=1)})
        found = house.standing.of("ann", all_pools())
        assert {pool: (one.id, one.rank) for pool, one in found.items()} == {POOL: ("ann", 2), other: ("ann", None)}
        assert found[POOL].record == listed(1500)
        assert house.standing.of("cat", all_pools()) == {}

    def test_whoever_is_forgotten_leaves_nothing(self, house: House) -> None:
        fill(house, {"ann": 1500, "bob": 1600})
        house.standing.forget("bob", all_pools())
        house.standing.forget("bob", all_pools())
        assert house.standing.of("bob", all_pools()) == {}
        assert shown(house) == [(1, "ann")]


class TestBoard:
    def test_the_best_come_first_and_equals_share_a_rank(self, house: House) -> None:
        fill(house, {"ann": 1500, "bob": 1600, "cat": 1500, "bot:easy": 900})
        assert shown(house) == [(1, "bob"), (2, "cat"), (2, "ann"), (4, "bot:easy")]

    def test_too_few_games_are_not_listed(self, house: House) -> None:
        house.standing.write(POOL, "T1", {"ann": Record(version=1, rated=LEAST_GAMES - 1)})
        assert shown(house) == []

    def test_pages_hold_everybody_once(self, house: House) -> None:
        fill(house, {f"p{number:02}": 1500 + number % 4 for number in range(23)})
        pages: list[str] = []
        cursor = None
        while True:
            page, cursor = house.standing.board(POOL, 4, cursor)
            assert len(page) == 4 or cursor is None
            pages += [one.id for one in page]
            if cursor is None:
                break
        assert pages == [one for _, one in shown(house)]
        assert len(pages) == 23

    def test_a_cursor_stays_good_while_ratings_change_and_people_go(self, house: House) -> None:
        fill(house, {f"p{number}": 2000 - number for number in range(8)})
        _, cursor = house.standing.board(POOL, 3, None)
        house.standing.write(POOL, "U1", {"p2": listed(1000, 2)})  # whom the cursor names
        house.standing.forget("p3", [POOL])
        assert [one for _, one in shown(house, 3, cursor)] == ["p4", "p5", "p6"]

    def test_ratings_below_nothing_have_places_too(self, house: House) -> None:
        fill(house, {"ann": -120, "bob": -80})
        _, cursor = house.standing.board(POOL, 1, None)
        assert shown(house, 1, cursor) == [(2, "ann")]

    @pytest.mark.parametrize("cursor", ["", "abc", "ä", "MTo", "MTkwMC9ib3Q6ZWFzeQ==", "x" * 5000])
    def test_a_bad_cursor_is_refused(self, house: House, cursor: str) -> None:
        with pytest.raises(ValueError, match="cursor"):
            house.standing.board(POOL, 10, cursor)


class TestPending:
    def test_a_step_that_ends_a_game_brings_its_entry(self, house: House) -> None:
        house.tables.commit(at(game("ann", "bob"), house.tables.now() - timedelta(minutes=1)))
        take_later(house)
        assert list(house.pending.take(10)) == ["T1"]
        assert list(house.pending.take(10)) == []
        house.pending.remove("T1")
        house.pending.remove("T1")

    def test_the_worker_that_was_asked_has_some_time(self, house: House) -> None:
        house.tables.commit(at(game("ann", "bob"), house.tables.now()))
        assert list(house.pending.take(10)) == []

    def test_other_steps_and_practice_games_bring_none(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        house.tables.commit(at(game("ann", "bob", table_id="T2", practice=True), T0))
        take_later(house)
        assert list(house.pending.take(10)) == []


def at(step: Step, moment: datetime) -> Step:
    """The step, as if it had happened at this moment."""
    return replace(step, events=tuple(replace(event, at=moment) for event in step.events))


def take_later(house: House) -> None:
    """Time passes where a test can make it; the real store has been given an older step."""
    if isinstance(house.tables, MemoryTables):
        house.tables.clock.advance(60)


class TestDeletedPlayers:
    def test_it_is_remembered_what_a_deleted_player_was(self, house: House) -> None:
        bea = Player(id="bea", name="Bea", kind="bot", created_at=T0)
        house.players.create(bea, Token(id="k", label=None, created_at=T0), "digest")
        assert house.players.kind_of_deleted("bea") is None
        house.players.delete("bea")
        assert house.players.kind_of_deleted("bea") == "bot"
        house.players.delete("cat")
        assert house.players.kind_of_deleted("cat") is None

    def test_many_players_are_found_at_once(self, house: House) -> None:
        bea = Player(id="bea", name="Bea", kind="bot", created_at=T0)
        house.players.create(bea, Token(id="k", label=None, created_at=T0), "digest")
        assert house.players.get_many(["cat", "bea", "bea"]) == {"bea": bea}
        assert house.players.get_many([]) == {}


class TestOnRedis:
    def test_the_mark_of_a_booked_game_outlives_its_table(self, standing: RedisStanding, redis: Redis) -> None:
        standing.write(POOL, "T1", {})
        assert 0 < redis.pttl(keys.booked("all-fives:two", "T1")) <= BOOKED_FOR

    def test_an_entry_that_was_taken_comes_again(
        self, tables: RedisTables, pending: RedisPending, redis: Redis
    ) -> None:
        tables.commit(at(game("ann", "bob"), tables.now() - timedelta(milliseconds=ASKED_AT_ONCE)))
        assert list(pending.take(10)) == ["T1"]
        left = redis.zscore(keys.PENDING, "T1")
        assert left is not None
        assert tables.now().timestamp() * 1000 < float(left) <= tables.now().timestamp() * 1000 + ASKED_AGAIN
        assert pending.count() == 1

    def test_the_entry_is_there_before_the_step(self, tables: RedisTables, pending: RedisPending) -> None:
        """A step that lost its race leaves an entry behind, never the other way round."""
        first = opened("T1")
        tables.commit(first)
        tables.commit(then(first.table, ended()))
        assert pending.count() == 1
        assert tables.commit(then(first.table, ended())) is False
        assert list(pending.take(10)) == ["T1"]
