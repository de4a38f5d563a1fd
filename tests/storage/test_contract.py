"""What every store promises: the in-memory twins and the real ones are held to the same."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from app.storage.keys import LISTED
from app.tables.events import InviteRenewed, PlayerInvited, SeatHeld
from app.tables.pools import Pool, Terms, Ticket
from app.tables.ports import Attempts, ClientSeed, DueIndex, TableNotFound, TableStore, TicketStore
from app.tables.premoves import PreMove
from app.tables.register import Player, PlayerRegister, Token
from app.tables.terms import Clock as TableClock
from tests.fakes import MemoryAttempts, MemoryDue, MemoryPlayers, MemoryTables, MemoryTickets, SettableClock
from tests.storage.steps import T0, closed, ended, host, opened, receipt, sits, then

LONG = 30.0
"""Seconds nothing here takes; a wait this long has failed."""


@dataclass
class House:
    """One implementation of all ports."""

    tables: TableStore
    due: DueIndex
    players: PlayerRegister
    attempts: Attempts
    tickets: TicketStore


@pytest.fixture(params=["memory", "redis"])
def house(request: pytest.FixtureRequest) -> House:
    if request.param == "redis":
        return House(*(request.getfixturevalue(name) for name in ("tables", "due", "players", "attempts", "tickets")))
    clock = SettableClock(datetime.now(UTC))
    due = MemoryDue(clock)
    return House(MemoryTables(clock, due), due, MemoryPlayers(clock), MemoryAttempts(clock), MemoryTickets(clock))


class TestTables:
    def test_what_was_committed_is_loaded(self, house: House) -> None:
        step = opened("T1")
        assert house.tables.commit(step) is True
        loaded = house.tables.load("T1")
        assert loaded.table == step.table
        assert loaded.receipts == ()
        assert loaded.seen == {}
        assert abs(loaded.now - house.tables.now()) < timedelta(seconds=LONG)

    def test_times_keep_their_microseconds(self, house: House) -> None:
        house.tables.commit(opened("T1", at=T0))
        assert house.tables.load("T1").table.created_at == T0
        assert house.tables.events("T1", 0, 1)[0].at == T0

    def test_an_unknown_table_is_not_found(self, house: House) -> None:
        with pytest.raises(TableNotFound):
            house.tables.load("nowhere")
        with pytest.raises(TableNotFound):
            house.tables.events("nowhere", 0, 10)
        assert house.tables.load_many(["nowhere"]) == []

    def test_a_step_on_an_older_version_is_refused_and_changes_nothing(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        house.tables.commit(then(first.table, sits("bob")))
        before = house.tables.load("T1")
        assert house.tables.commit(then(first.table, sits("cat"))) is False
        assert house.tables.load("T1").table == before.table
        assert len(house.tables.events("T1", 0, 10)) == 2

    def test_a_table_is_opened_once(self, house: House) -> None:
        assert house.tables.commit(opened("T1", host="ann")) is True
        assert house.tables.commit(opened("T1", host="bob")) is False
        assert house.tables.load("T1").table.host == "ann"

    def test_a_step_for_a_table_that_is_not_there_is_refused(self, house: House) -> None:
        assert house.tables.commit(then(opened("T1").table, sits("bob"))) is False

    def test_receipts_come_with_the_step(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        kept = (receipt("k1", 1, 2), receipt("k2", 1, 2))
        house.tables.commit(then(first.table, sits("bob"), receipts=kept))
        assert house.tables.load("T1").receipts == kept

    def test_the_log_is_read_by_cursor(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        step = then(first.table, sits("bob"), host("bob"), host("ann"))
        house.tables.commit(step)
        assert list(house.tables.events("T1", 0, 100)) == [*first.events, *step.events]
        assert [event.seq for event in house.tables.events("T1", 1, 2)] == [2, 3]
        assert list(house.tables.events("T1", 4, 100)) == []
        assert list(house.tables.events("T1", 999_999, 100)) == []

    def test_presence_is_no_part_of_the_version(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        house.tables.touch("T1", 1)
        loaded = house.tables.load("T1")
        assert loaded.table.version == 1
        assert set(loaded.seen) == {1}
        assert abs(loaded.seen[1] - loaded.now) < timedelta(seconds=LONG)

    def test_touching_no_table_leaves_nothing(self, house: House) -> None:
        house.tables.touch("T1", 1)
        house.tables.commit(opened("T1"))
        assert house.tables.load("T1").seen == {}

    def test_many_are_loaded_in_the_order_asked_without_those_that_are_gone(self, house: House) -> None:
        for table_id in ("T1", "T2", "T3"):
            house.tables.commit(opened(table_id))
        found = house.tables.load_many(["T3", "gone", "T1"])
        assert [loaded.table.id for loaded in found] == ["T3", "T1"]

    def test_a_client_seed_is_kept_and_replaced_and_is_no_part_of_the_version(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        assert house.tables.load("T1").client_seeds == {}
        for player_id, seed in (("ann", "first"), ("bob", ""), ("ann", "zwölf ✓ | \n")):
            house.tables.set_client_seed("T1", ClientSeed(player_id=player_id, seed=seed))
        loaded = house.tables.load("T1")
        assert loaded.client_seeds == {"ann": "zwölf ✓ | \n", "bob": ""}
        assert loaded.table.version == 1

    def test_a_client_seed_comes_with_a_step_or_not_at_all(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(replace(first, client_seed=ClientSeed(player_id="ann", seed="a")))
        step = then(first.table, sits("bob"))
        house.tables.commit(replace(step, client_seed=ClientSeed(player_id="bob", seed="b")))
        late = then(first.table, sits("cat"))
        assert house.tables.commit(replace(late, client_seed=ClientSeed(player_id="cat", seed="c"))) is False
        assert house.tables.load("T1").client_seeds == {"ann": "a", "bob": "b"}

    def test_a_client_seed_for_no_table_leaves_nothing(self, house: House) -> None:
        house.tables.set_client_seed("T1", ClientSeed(player_id="ann", seed="mine"))
        house.tables.commit(opened("T1"))
        assert house.tables.load("T1").client_seeds == {}

    def test_waiting_ends_with_the_next_version(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        ends: list[bool] = []
        waiter = threading.Thread(target=lambda: ends.append(house.tables.wait("T1", 1, LONG)))
        waiter.start()
        house.tables.commit(then(first.table, sits("bob")))
        waiter.join(LONG)
        assert ends == [True]

    def test_waiting_for_what_has_happened_does_not_wait(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        assert house.tables.wait("T1", 0, LONG) is True

    def test_waiting_in_vain_ends(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        assert house.tables.wait("T1", 1, 0.05) is False
        assert house.tables.wait("nowhere", 0, 0.05) is False


class TestLists:
    def test_a_table_moves_from_list_to_list(self, house: House) -> None:
        def lists() -> dict[str, list[str]]:
            return {status: list(house.tables.listed(status, 10, None)[0]) for status in LISTED}

        first = opened("T1")
        house.tables.commit(first)
        assert lists() == {"open": ["T1"], "playing": [], "finished": []}
        second = then(first.table, host("ann"), status="playing")
        third = then(second.table, ended(), status="finished")
        for step in (second, third):
            house.tables.commit(step)
        assert lists() == {"open": [], "playing": [], "finished": ["T1"]}

    def test_a_closed_table_is_on_no_list(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        house.tables.commit(then(first.table, closed()))
        assert house.tables.listed("open", 10, None) == ([], None)
        assert house.tables.listed("closed", 10, None)[1] is None

    def test_private_and_practice_tables_are_never_listed(self, house: House) -> None:
        house.tables.commit(opened("T1", visibility="private"))
        house.tables.commit(opened("T2", practice=True))
        assert house.tables.listed("open", 10, None) == ([], None)
        assert sorted(house.tables.of_player("ann", 10, None)[0]) == ["T1", "T2"]

    def test_pages_are_newest_first_and_hold_everything_once(self, house: House) -> None:
        now = house.tables.now()
        for number in range(25):  # five of each moment, so that ids decide too
            house.tables.commit(opened(f"T{number:02}", at=now - timedelta(seconds=number // 5)))
        pages = []
        cursor = None
        while True:
            page, cursor = house.tables.listed("open", 4, cursor)
            pages.append(list(page))
            if cursor is None:
                break
        assert [len(page) for page in pages] == [4, 4, 4, 4, 4, 4, 1]
        seen = [table_id for page in pages for table_id in page]
        assert seen == sorted(seen, key=lambda table_id: (-(int(table_id[1:]) // 5), table_id), reverse=True)
        assert len(set(seen)) == 25

    def test_a_page_goes_on_where_the_last_one_ended_though_tables_come_and_go(self, house: House) -> None:
        now = house.tables.now()
        steps = [opened(f"T{number}", at=now - timedelta(seconds=number)) for number in range(6)]
        for step in steps:
            house.tables.commit(step)
        first, cursor = house.tables.listed("open", 3, None)
        assert list(first) == ["T0", "T1", "T2"]
        house.tables.commit(opened("T9", at=now + timedelta(seconds=5)))
        house.tables.commit(then(steps[2].table, closed()))
        house.tables.commit(then(steps[3].table, closed()))
        assert list(house.tables.listed("open", 3, cursor)[0]) == ["T4", "T5"]

    @pytest.mark.parametrize("cursor", ["", "abc", "ä", "MTo", "MTcwMDAwMDAwMDAwMDpUMQ==", "x" * 5000])
    def test_a_bad_cursor_is_refused(self, house: House, cursor: str) -> None:
        with pytest.raises(ValueError, match="cursor"):
            house.tables.listed("open", 10, cursor)
        with pytest.raises(ValueError, match="cursor"):
            house.tables.of_player("ann", 10, cursor)

    def test_a_player_finds_the_tables_he_opened_or_sat_at(self, house: House) -> None:
        first = opened("T1", host=None)
        house.tables.commit(first)
        assert house.tables.of_player("bob", 10, None) == ([], None)
        house.tables.commit(then(first.table, sits("bob")))
        house.tables.commit(opened("T2", host="bob", at=T0 + timedelta(seconds=1)))
        assert list(house.tables.of_player("bob", 10, None)[0]) == ["T2", "T1"]


class TestWatching:
    def test_who_watches_hears_of_steps_and_of_who_is_there(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        with house.tables.watch("T1") as watch:
            assert watch.wait(0, LONG) is True
            assert watch.wait(1, 0.01) is False
            house.tables.touch("T1", 1)
            glance = watch.glance(0)
            assert (glance.version, set(glance.seen)) == (1, {0, 1})
            assert all(glance.now - at < timedelta(seconds=LONG) for at in glance.seen.values())
            house.tables.commit(then(first.table, host("bob")))
            while not watch.wait(1, LONG):  # it may still hear that seats came
                watch.glance(None)
            assert watch.glance(None).version == 2
            assert list(watch.entries(0, 10)) == list(house.tables.events("T1", 0, 10))
            assert [event.seq for event in watch.entries(1, 10)] == [2]
            assert [event.seq for event in watch.entries(0, 1)] == [1]
            assert watch.entries(2, 10) == []
            assert not watch.stopped
        with house.tables.watch("nowhere") as watch:
            assert watch.glance(0).version == 0
            assert watch.glance(0).seen == {}
        assert not house.tables.stopping


class TestPremoves:
    def test_a_pre_move_is_noted_at_its_version_only_and_goes_with_the_step_that_uses_it(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        made = PreMove(player_id="ann", hand=1, tile="55")
        assert house.tables.set_premove("T1", 2, 0, made) is False
        assert house.tables.set_premove("nowhere", 1, 0, made) is False
        assert house.tables.set_premove("T1", 1, 0, made) is True
        loaded = house.tables.load("T1")
        assert (loaded.premoves, loaded.premove_count, loaded.table.version) == ({0: made}, 1, 1)
        step = then(first.table, sits("bob"))
        assert house.tables.commit(replace(step, premove_count=0, premoves_used=(0,))) is False
        assert house.tables.commit(replace(step, premove_count=1, premoves_used=(0,))) is True
        assert house.tables.load("T1").premoves == {}

    def test_a_pre_move_is_replaced_or_taken_back(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        for seat, tile in ((0, "55"), (1, "44"), (0, "33")):
            house.tables.set_premove("T1", 1, seat, PreMove(player_id="ann", hand=1, tile=tile))
        assert {seat: one.tile for seat, one in house.tables.load("T1").premoves.items()} == {0: "33", 1: "44"}
        house.tables.set_premove("T1", 1, 0, None)
        loaded = house.tables.load("T1")
        assert (set(loaded.premoves), loaded.premove_count) == ({1}, 4)


class TestInvites:
    def test_a_code_leads_to_its_table_as_soon_as_that_is_there(self, house: House) -> None:
        assert house.tables.invited("ABCDEFGHJK") is None
        first = opened("T1")
        house.tables.commit(first)
        assert house.tables.invited("ABCDEFGHJK") == "T1"
        house.tables.commit(then(first.table, InviteRenewed(invite_code="NEW")))
        assert house.tables.invited("NEW") == "T1"
        assert house.tables.load("T1").table.invite_code == "NEW"

    def test_a_seat_that_is_kept_is_on_its_players_list(self, house: House) -> None:
        first = opened("T1")
        house.tables.commit(first)
        house.tables.commit(then(first.table, SeatHeld(seat=1, player_id="cat", until=T0)))
        assert list(house.tables.of_player("cat", 10, None)[0]) == ["T1"]

    def test_an_invited_player_finds_the_table(self, house: House) -> None:
        assert list(house.tables.inviting("cat")) == []
        for table_id in ("T1", "T2"):
            first = opened(table_id, at=T0 if table_id == "T1" else T0 + timedelta(seconds=9))
            house.tables.commit(first)
            house.tables.commit(then(first.table, PlayerInvited(player_id="cat", inviter="ann", until=T0)))
        assert list(house.tables.inviting("cat")) == ["T2", "T1"]


def a_ticket(ticket_id: str, **more: Any) -> Ticket:
    return Ticket(
        id=ticket_id, player_id="ann", kind="human", created_at=T0, until=T0, fill_at=None, level="easy", **more
    )


def a_pool(version: int, **more: Any) -> Pool:
    terms = Terms(ruleset="all-fives", players=2, seating="solo", house_rules={"target": {"2": 9}}, clock=TableClock())
    return Pool(id="P", version=version, terms=terms, **more)


class TestTickets:
    def test_a_pool_is_written_over_the_version_before_it_with_its_tickets(self, house: House) -> None:
        assert house.tickets.load("P", "P-1").pool is None
        first, ticket = a_pool(1, waiting=(a_ticket("P-1"),)), a_ticket("P-1")
        assert house.tickets.commit(first, [ticket], None) is True
        assert house.tickets.commit(first, [a_ticket("P-1", table="T9")], None) is False
        loaded = house.tickets.load("P", "P-1")
        assert (loaded.pool, loaded.ticket) == (first, ticket)
        assert house.tickets.load("P", None).ticket is None
        assert house.tickets.commit(a_pool(3), [], None) is False
        assert house.tickets.commit(a_pool(2), [], None) is True

    def test_of_many_at_once_one_writes(self, house: House) -> None:
        together = threading.Barrier(8)

        def attempt(number: int) -> bool:
            together.wait()
            return house.tickets.commit(a_pool(1, waiting=(a_ticket(f"P-{number}"),)), [], None)

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(attempt, range(8))).count(True) == 1

    def test_waiting_ends_when_the_ticket_does_not_wait_any_more(self, house: House) -> None:
        house.tickets.commit(a_pool(1, waiting=(a_ticket("P-1"),)), [a_ticket("P-1")], None)
        assert house.tickets.wait("P-1", 0.05) is False
        ends: list[bool] = []
        waiter = threading.Thread(target=lambda: ends.append(house.tickets.wait("P-1", LONG)))
        waiter.start()
        house.tickets.commit(a_pool(2), [a_ticket("P-1", status="matched", table="T1")], None)
        waiter.join(LONG)
        assert ends == [True]
        assert house.tickets.wait("P-1", LONG) is True

    def test_a_pool_is_due_until_there_is_nothing_to_do(self, house: House) -> None:
        now = house.tickets.load("P", None).now
        house.tickets.commit(a_pool(1), [], now + timedelta(hours=1))
        assert list(house.tickets.take_due(10)) == []
        house.tickets.commit(a_pool(2), [], now - timedelta(seconds=1))
        assert list(house.tickets.take_due(10)) == [("P", 2)]
        assert list(house.tickets.take_due(10)) == []
        house.tickets.remove_due([("P", 2), ("P", 1)])

    def test_an_entry_that_is_removed_takes_no_newer_one_with_it(self, house: House) -> None:
        now = house.tickets.load("P", None).now
        house.tickets.commit(a_pool(1), [], now - timedelta(seconds=2))
        assert list(house.tickets.take_due(10)) == [("P", 1)]
        house.tickets.commit(a_pool(2), [], now - timedelta(seconds=1))
        house.tickets.remove_due([("P", 1)])
        assert list(house.tickets.take_due(10)) == [("P", 2)]

    def test_versions_of_pools_that_exist(self, house: House) -> None:
        house.tickets.commit(a_pool(1), [], None)
        assert house.tickets.versions(["P", "gone", "P"]) == {"P": 1}


class TestAttempts:
    def test_the_attempt_after_the_last_has_to_wait(self, house: House) -> None:
        for _ in range(3):
            assert house.attempts.take("guess", "eve", 3, 60) is None
        wait = house.attempts.take("guess", "eve", 3, 60)
        assert wait is not None
        assert 0 < wait <= 60
        assert house.attempts.take("guess", "bob", 3, 60) is None
        assert house.attempts.take("other", "eve", 3, 60) is None

    def test_an_attempt_given_back_may_be_made_again(self, house: House) -> None:
        house.attempts.give_back("guess", "eve")
        assert house.attempts.take("guess", "eve", 1, 60) is None
        house.attempts.give_back("guess", "eve")
        assert house.attempts.take("guess", "eve", 1, 60) is None
        assert house.attempts.take("guess", "eve", 1, 60) is not None

    def test_of_many_at_once_as_many_as_may_get_through(self, house: House) -> None:
        together = threading.Barrier(16)

        def attempt(_: int) -> bool:
            together.wait()
            return house.attempts.take("guess", "eve", 5, 60) is None

        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(attempt, range(16))).count(True) == 5


class TestDue:
    def test_an_entry_comes_when_its_moment_has(self, house: House) -> None:
        now = house.tables.now()
        house.due.add("T1", 3, now - timedelta(seconds=1))
        house.due.add("T2", 1, now + timedelta(hours=1))
        assert list(house.due.take(10)) == [("T1", 3)]

    def test_an_entry_that_was_taken_comes_again_later_unless_removed(self, house: House) -> None:
        house.due.add("T1", 3, house.tables.now() - timedelta(seconds=1))
        assert list(house.due.take(10)) == [("T1", 3)]
        assert list(house.due.take(10)) == []
        house.due.remove("T1", 3)
        house.due.remove("T1", 3)

    def test_adding_again_replaces_the_moment(self, house: House) -> None:
        now = house.tables.now()
        house.due.add("T1", 3, now - timedelta(seconds=1))
        house.due.add("T1", 3, now + timedelta(hours=1))
        assert list(house.due.take(10)) == []

    def test_a_step_brings_its_entry(self, house: House) -> None:
        house.tables.commit(opened("T1", due=house.tables.now() - timedelta(seconds=1)))
        assert list(house.due.take(10)) == [("T1", 1)]

    def test_the_loser_of_a_race_does_not_put_off_the_winners_moment(self, house: House) -> None:
        now = house.tables.now()
        first = opened("T1")
        house.tables.commit(first)
        house.tables.commit(then(first.table, host("bob"), due=now - timedelta(seconds=1)))
        house.tables.commit(then(first.table, host("cat"), due=now + timedelta(hours=1)))
        assert list(house.due.take(10)) == [("T1", 2)]

    def test_versions_of_tables_that_are_there(self, house: House) -> None:
        house.tables.commit(opened("T1"))
        assert house.due.versions(["T1", "gone", "T1"]) == {"T1": 1}
        assert house.due.versions([]) == {}


def used_for(house: House, key: str) -> str | None:
    """Digest of what Ann has used this key for."""
    used = house.players.key_used_for("ann", key)
    return None if used is None else used.digest


ANN = Player(id="ann", name="Ann ä", kind="human", created_at=T0)
LAPTOP = Token(id="k1", label="laptop", created_at=T0)
PHONE = Token(id="k2", label=None, created_at=T0 + timedelta(seconds=1))


class TestPlayers:
    def test_a_player_is_found_by_token_and_by_id(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        assert house.players.by_token("digest-1") == (ANN, "k1")
        assert house.players.by_token("digest-1") == (ANN, "k1")
        assert house.players.get("ann") == ANN
        assert list(house.players.tokens("ann")) == [LAPTOP]

    def test_nobody_is_found_by_what_is_not_there(self, house: House) -> None:
        assert house.players.by_token("digest-1") is None
        assert house.players.get("ann") is None
        assert list(house.players.tokens("ann")) == []
        assert house.players.names([]) == {}

    def test_names_of_those_who_exist(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        assert house.players.names(["bob", "ann", "ann"]) == {"ann": "Ann ä"}

    def test_a_link_code_is_used_by_one_and_a_newer_one_ends_it(self, house: House) -> None:
        with pytest.raises(LookupError):
            house.players.offer_link("ann", "code-1", 60)
        house.players.create(ANN, LAPTOP, "digest-1")
        assert house.players.linked("code-1") is None
        house.players.offer_link("ann", "code-1", 60)
        assert house.players.linked("code-1") == "ann"
        house.players.offer_link("ann", "code-2", 60)
        assert house.players.linked("code-1") is None
        assert house.players.use_link("ann", "code-1") is False
        together = threading.Barrier(8)

        def use(_: int) -> bool:
            together.wait()
            return house.players.use_link("ann", "code-2")

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(use, range(8))).count(True) == 1
        assert house.players.linked("code-2") is None

    def test_a_deleted_players_code_leads_nowhere(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        house.players.offer_link("ann", "code-1", 60)
        house.players.delete("ann")
        assert house.players.linked("code-1") is None

    def test_renaming(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        assert house.players.rename("ann", "Anna").name == "Anna"
        assert house.players.by_token("digest-1") == (house.players.get("ann"), "k1")
        with pytest.raises(LookupError):
            house.players.rename("bob", "Bob")
        assert house.players.get("bob") is None

    def test_a_second_token_lets_in_until_it_is_removed(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        house.players.add_token("ann", PHONE, "digest-2")
        assert house.players.by_token("digest-2") == (ANN, "k2")
        assert list(house.players.tokens("ann")) == [LAPTOP, PHONE]
        assert house.players.remove_token("ann", "k2") is True
        assert house.players.remove_token("ann", "k2") is False
        assert house.players.by_token("digest-2") is None
        assert house.players.by_token("digest-1") == (ANN, "k1")

    def test_nobody_gets_a_token_for_a_player_who_is_gone(self, house: House) -> None:
        with pytest.raises(LookupError):
            house.players.add_token("ann", LAPTOP, "digest-1")
        assert house.players.by_token("digest-1") is None

    def test_a_deleted_player_leaves_no_name_and_no_way_in(self, house: House) -> None:
        house.players.create(ANN, LAPTOP, "digest-1")
        house.players.add_token("ann", PHONE, "digest-2")
        house.players.by_token("digest-1")
        house.players.delete("ann")
        assert house.players.by_token("digest-1") is None
        assert house.players.by_token("digest-2") is None
        assert house.players.names(["ann"]) == {}
        house.players.delete("ann")


class TestReservations:
    def test_the_first_takes_the_key(self, house: House) -> None:
        first = house.players.reserve("ann", "key", "digest", "T1")
        assert (first.fresh, first.done, first.stale, first.table_id) == (True, False, False, "T1")

    def test_the_second_hears_who_has_it(self, house: House) -> None:
        house.players.reserve("ann", "key", "digest", "T1")
        second = house.players.reserve("ann", "key", "other", "T2")
        assert (second.fresh, second.done, second.stale) == (False, False, False)
        assert (second.digest, second.table_id) == ("digest", "T1")

    def test_once_settled_it_tells_the_first_answer(self, house: House) -> None:
        house.players.reserve("ann", "key", "digest", "T1")
        house.players.settle("ann", "key", T0, 7, b"\x00more")
        house.players.settle("ann", "key", T0 + timedelta(seconds=1), 8, b"later")
        again = house.players.reserve("ann", "key", "digest", "T2")
        assert (again.fresh, again.done, again.stale) == (False, True, False)
        assert (again.table_id, again.at, again.after, again.said) == ("T1", T0, 7, b"\x00more")
        assert house.players.key_used_for("ann", "key") == again

    def test_a_refused_request_gives_the_key_back(self, house: House) -> None:
        house.players.reserve("ann", "key", "digest", "T1")
        house.players.release("ann", "key")
        assert house.players.reserve("ann", "key", "digest", "T2").fresh

    def test_a_settled_record_is_not_given_back(self, house: House) -> None:
        house.players.reserve("ann", "key", "digest", "T1")
        house.players.settle("ann", "key", T0, 7)
        house.players.release("ann", "key")
        assert house.players.reserve("ann", "key", "digest", "T2").done

    def test_keys_are_each_players_own(self, house: House) -> None:
        house.players.reserve("ann", "key", "digest", "T1")
        assert house.players.reserve("bob", "key", "digest", "T2").fresh
        assert house.players.reserve("ann", "k\0ey ä" * 40, "digest", "T3").fresh

    def test_a_key_is_known_for_what_it_was_used_for(self, house: House) -> None:
        assert house.players.key_used_for("ann", "key") is None
        house.players.note_key("ann", "key", "move")
        assert used_for(house, "key") == "move"
        assert house.players.key_used_for("bob", "key") is None
        taken = house.players.reserve("ann", "key", "open", "T1")
        assert (taken.fresh, taken.done, taken.stale, taken.digest) == (False, False, False, "move")
        assert house.players.reserve("ann", "key", "move", "T1").fresh
        house.players.reserve("ann", "other", "open", "T1")
        assert used_for(house, "other") == "open"
        house.players.release("ann", "other")
        assert house.players.key_used_for("ann", "other") is None

    def test_what_was_never_reserved_is_not_settled(self, house: House) -> None:
        house.players.settle("ann", "key", T0, 7)
        assert house.players.reserve("ann", "key", "digest", "T1").fresh
