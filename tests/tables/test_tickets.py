"""Tickets: every one in at most one table, none stranded, wherever a process dies."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.errors import InvalidRules
from app.tables import pools
from app.tables.guesses import Allowance
from app.tables.pools import LAPSES_AFTER, Pool, Terms, Ticket
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.terms import Clock
from app.tables.ticket import TicketRequest, TicketShape
from app.tables.tickets import ASKING
from tests.fakes import START
from tests.tables.room import Room, key
from tests.tables.test_seats import refusal


def ask(room: Room, asker: Asker, **request: Any) -> TicketShape:
    return room.tickets.ask(asker, TicketRequest(**request), None).value


def tend(room: Room) -> None:
    """The clock looks once."""
    taken = room.tickets.take_due(100)
    versions = room.tickets.versions([pool_id for pool_id, _ in taken])
    for pool_id, version in taken:
        if version < versions[pool_id]:
            room.tickets.remove_due([(pool_id, version)])
        else:
            room.tickets.tend(pool_id, version)


def test_two_who_want_the_same_get_one_running_table(room: Room) -> None:
    first = ask(room, room.ann)
    assert (first.status, first.waiting, first.table) == ("waiting", 1, None)
    second = ask(room, room.bob)
    assert second.status == "matched"
    again = room.tickets.ticket(room.ann, first.id)
    assert (again.status, again.table, again.waiting, again.expires_at) == ("matched", second.table, 0, None)
    view = room.view(room.ann, second.table or "")
    assert (view.status, [seat.occupant.name for seat in view.seats]) == ("playing", ["Ann", "Bob"])
    room.log(view.id)


def test_nobody_meets_a_player_who_was_deleted_while_he_waited(room: Room) -> None:
    ask(room, room.ann)
    room.players.delete(room.ann)
    second = ask(room, room.bob)
    assert (second.status, second.waiting) == ("waiting", 1)
    assert ask(room, room.cat).status == "matched"
    assert room.tickets.ticket(room.bob, second.id).status == "matched"


def test_bots_do_not_play_with_a_player_who_was_deleted_while_he_waited(room: Room) -> None:
    first = ask(room, room.ann, fill_with_bots_after=5)
    room.players.delete(room.ann)
    room.clock.now += timedelta(seconds=6)
    tend(room)
    assert room.store.listed("playing", 10, None) == ([], None)
    ended = room.pools.load(pools.pool_of(first.id), first.id).ticket
    assert ended is not None
    assert (ended.status, ended.table) == ("cancelled", None)
    assert not room.tickets.take_due(100)


def test_four_meet_when_the_fourth_comes(room: Room) -> None:
    for number, asker in enumerate((room.ann, room.bob, room.cat), start=1):
        assert ask(room, asker, players=4).waiting == number
    table = ask(room, room.dan, players=4).table
    assert len({room.table(table or "").seat_of(asker.player_id) for asker in (room.ann, room.bob, room.cat)}) == 3


@pytest.mark.parametrize(
    "other",
    [
        {"players": 3, "ruleset": "all-fives-classic"},
        {"ruleset": "all-fives-classic"},
        {"house_rules": {"target_points": 100}},
        {"clock": Clock(turn_seconds=30)},
    ],
)
def test_other_terms_do_not_meet(room: Room, other: dict[str, Any]) -> None:
    ask(room, room.ann)
    assert ask(room, room.bob, **other).status == "waiting"


@pytest.mark.parametrize(
    "same",
    [
        {"house_rules": {"target": {"2": 250}}},
        {"seating": "solo"},
        {"house_rules": {"boneyard_keep": 0}},
        {"house_rules": {"wrong_call_costs": 10}},
    ],
)
def test_rules_that_come_to_the_same_meet_however_they_are_written(room: Room, same: dict[str, Any]) -> None:
    ask(room, room.ann)
    assert ask(room, room.bob, **same).status == "matched"


def test_nobody_meets_himself(room: Room) -> None:
    first = ask(room, room.ann)
    again = room.tickets.ask(room.ann, TicketRequest(), None)
    assert (again.status, again.value.id, again.value.status) == (200, first.id, "waiting")


def test_a_ticket_is_cancelled_while_it_waits_and_not_after(room: Room) -> None:
    first = ask(room, room.ann)
    room.tickets.cancel(room.ann, first.id)
    room.tickets.cancel(room.ann, first.id)
    assert room.tickets.ticket(room.ann, first.id).status == "cancelled"
    second = ask(room, room.bob)
    assert second.status == "waiting"
    ask(room, room.cat)
    assert refusal(room.tickets.cancel, room.bob, second.id) == "ticket_matched"


def test_a_ticket_nobody_asks_for_lapses_and_asking_keeps_it(room: Room) -> None:
    kept, given_up = ask(room, room.ann), ask(room, room.bob, players=4)
    for _ in range(3):
        room.clock.advance(100)
        assert room.tickets.ticket(room.ann, kept.id).status == "waiting"
    tend(room)
    assert room.tickets.ticket(room.bob, given_up.id).status == "expired"
    assert ask(room, room.cat, players=4).waiting == 1
    room.clock.advance(LAPSES_AFTER.total_seconds())
    assert ask(room, room.dan).waiting == 1, "whoever comes does not meet somebody who is gone"


def test_bots_fill_up_when_patience_ends(room: Room) -> None:
    mine = ask(room, room.ann, players=4, fill_with_bots_after=20, level="easy")
    patient = ask(room, room.bob, players=4, fill_with_bots_after=60)
    never = ask(room, room.cat, players=4)
    room.clock.advance(19)
    tend(room)
    assert room.tickets.ticket(room.ann, mine.id).status == "waiting"
    room.clock.advance(1)
    room.clock.advance(1)
    tend(room)
    table = room.tickets.ticket(room.ann, mine.id).table
    view = room.view(room.ann, table or "")
    assert [seat.occupant.kind for seat in view.seats] == ["human", "human", "house_bot", "house_bot"]
    assert view.seats[3].occupant.level == "easy"
    assert room.tickets.ticket(room.bob, patient.id).table == table
    assert room.tickets.ticket(room.cat, never.id).status == "waiting"


def test_without_patience_bots_come_at_once(room: Room) -> None:
    assert ask(room, room.ann, fill_with_bots_after=0).status == "matched"


def test_what_cannot_be_played_is_refused(room: Room) -> None:
    with pytest.raises(InvalidRules):
        ask(room, room.ann, players=2, seating="pairs")
    assert refusal(room.tickets.ask, room.ann, TicketRequest(level="genius"), None) == "invalid"
    assert refusal(room.tickets.ask, Asker(), TicketRequest(), None) == "unauthenticated"


def test_a_ticket_is_its_players_own(room: Room) -> None:
    ticket = ask(room, room.ann)
    for unknown in (ticket.id, "nowhere", "nowhere-1", "-"):
        assert refusal(room.tickets.ticket, room.eve, unknown) == "not_found"
        assert refusal(room.tickets.cancel, room.eve, unknown) == "not_found"


def test_waiting_ends_with_the_table(room: Room) -> None:
    ticket = ask(room, room.ann)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(room.tickets.ticket, room.ann, ticket.id, 20)
        table = ask(room, room.bob).table
        assert waiting.result(10).table == table


def test_where_nobody_may_wait_the_ticket_is_told_as_it_stands(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that stops sends everybody away, and nobody asks the store again and again meanwhile."""
    ticket = ask(room, room.ann)
    asked: list[float] = []

    def sent_away(_: str, seconds: float) -> bool:
        asked.append(seconds)
        return False

    monkeypatch.setattr(room.pools, "wait", sent_away)
    assert room.tickets.ticket(room.ann, ticket.id, 25).status == "waiting"
    assert len(asked) == 1


def test_the_same_key_is_one_ticket_and_its_first_answer(room: Room) -> None:
    first = room.tickets.ask(room.ann, TicketRequest(), key())
    ask(room, room.bob)
    room.clock.advance(5)
    again = room.tickets.ask(room.ann, TicketRequest(), key())
    assert (again.replayed, again.status, again.value) == (True, 201, first.value)
    assert refusal(room.tickets.ask, room.ann, TicketRequest(), key(digest="x")) == "idempotency_key_reused"


def test_taking_tickets_has_a_limit(room: Room) -> None:
    for number in range(ASKING.at_most):
        ask(room, room.ann, house_rules={"target_points": number + 1})
    for tried in (None, key("late")):
        with pytest.raises(Refusal) as refused:
            room.tickets.ask(room.ann, TicketRequest(), tried)
        assert refused.value.code == "rate_limited"
    room.clock.advance(ASKING.seconds)
    assert not room.tickets.ask(room.ann, TicketRequest(), key("late")).replayed


class Killed(BaseException):
    """The process is gone."""


def dies_after(writes: int, call: Callable[..., bool], count: list[int]) -> Callable[..., bool]:
    def committing(*arguments: Any) -> bool:
        if count[0] >= writes:
            raise Killed
        count[0] += 1
        return call(*arguments)

    return committing


@pytest.mark.parametrize("writes", range(5))
@pytest.mark.parametrize("healer", ["clock", "the one who waited", "the one who asked", "a third"])
def test_whoever_dies_on_the_way_strands_nobody(
    room: Room, monkeypatch: pytest.MonkeyPatch, writes: int, healer: str
) -> None:
    """Bob's request is killed after some writes: none, the match, the table, the group taken out, all."""
    waiting = ask(room, room.ann)
    count = [0]
    with monkeypatch.context() as patch:
        patch.setattr(room.pools, "commit", dies_after(writes, room.pools.commit, count))
        patch.setattr(room.store, "commit", dies_after(writes, room.store.commit, count))
        died = False
        try:
            room.tickets.ask(room.bob, TicketRequest(), key())
        except Killed:
            died = True
    assert died == (writes < 3)
    room.clock.advance(11)
    match healer:
        case "clock":
            tend(room)
        case "the one who waited":
            room.tickets.ticket(room.ann, waiting.id)
        case "a third":
            ask(room, room.cat)
    answer = room.tickets.ask(room.bob, TicketRequest(), key()).value
    tables = {room.tickets.ticket(room.ann, waiting.id).table, room.tickets.ticket(room.bob, answer.id).table}
    if writes == 0 and healer == "a third":
        assert None in tables, "Bob came too late and waits for the next"
    else:
        assert len(tables) == 1
        assert None not in tables
    for table in tables - {None}:
        assert room.log(table or "")[0].at is not None
        assert room.table(table or "").status == "playing"
    everybody_is_at_one_table(room, [room.ann, room.bob])


def everybody_is_at_one_table(room: Room, askers: list[Asker]) -> None:
    for asker in askers:
        assert len(room.tables.of_player(asker, status=None, limit=50, cursor=None).items) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_many_at_once_with_processes_dying_end_in_one_table_each(
    room: Room, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Sixty players on threads; a tenth of all writes kills whoever makes it; the clock tends now and then."""
    sometimes_dies = dying_at_random(seed)
    monkeypatch.setattr(room.pools, "commit", sometimes_dies(room.pools.commit))
    monkeypatch.setattr(room.store, "commit", sometimes_dies(room.store.commit))
    monkeypatch.setattr(room.register, "reserve", without_patience(room.register.reserve))
    askers = [room.newcomer(f"P{number}") for number in range(60)]

    def play(number: int) -> str:
        asker = askers[number]
        request = TicketRequest(players=2 if number < 40 else 4)
        ticket: TicketShape | None = None
        for _ in range(2000):
            try:
                if ticket is None:
                    ticket = room.tickets.ask(asker, request, key()).value
                ticket = room.tickets.ticket(asker, ticket.id, 0.01)
            except Killed:
                continue
            if ticket.table is not None:
                return ticket.table
        raise AssertionError("stranded")

    with ThreadPoolExecutor(60) as pool:
        tables = list(pool.map(play, range(60)))
    assert Counter(Counter(tables).values()) == {2: 20, 4: 5}
    for table in set(tables):
        seated = {seat.occupant.player_id for seat in room.table(table).seats}
        assert seated == {asker.player_id for asker, at in zip(askers, tables, strict=True) if at == table}
        room.log(table)
    everybody_is_at_one_table(room, askers)


def dying_at_random(seed: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """One write in twenty is never made, another's maker dies before he hears of it."""
    random_source = random.Random(seed)
    lock = threading.Lock()

    def sometimes_dies(call: Callable[..., bool]) -> Callable[..., bool]:
        def committing(*arguments: Any) -> bool:
            with lock:
                before, after = random_source.random() < 0.05, random_source.random() < 0.05
            if before:
                raise Killed
            result = call(*arguments)
            if after:
                raise Killed
            return result

        return committing

    return sometimes_dies


def without_patience(reserve: Callable[..., Any]) -> Callable[..., Any]:
    """A request that was killed may be retried at once, not after ten seconds."""
    from msgspec.structs import replace

    def reserving(*arguments: Any) -> Any:
        reserved = reserve(*arguments)
        return replace(reserved, stale=not reserved.fresh and not reserved.done)

    return reserving


def test_an_idle_pool_is_forgotten_by_the_clock(room: Room) -> None:
    ask(room, room.ann)
    ask(room, room.bob)
    room.clock.advance(200)
    tend(room)
    room.clock.advance(200)
    assert room.tickets.take_due(100) == []


def test_who_comes_while_the_clock_looks_at_an_idle_pool_is_tended(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob's ticket is written between the clock's look and its removal of the entry it came for."""
    ticket = ask(room, room.ann)
    room.tickets.cancel(room.ann, ticket.id)
    pool_id = pools.pool_of(ticket.id)
    idle = room.pools.load(pool_id, None)
    assert idle.pool is not None
    room.pools.due[pool_id, idle.pool.version] = room.clock.now  # as a writer leaves it whose step came too late
    bobs = ask(room, room.bob, fill_with_bots_after=10)
    with monkeypatch.context() as patch:
        patch.setattr(room.pools, "load", lambda *_: idle)
        room.tickets.tend(pool_id, idle.pool.version)
    room.clock.advance(11)
    tend(room)
    assert room.tickets.ticket(room.bob, bobs.id).status == "matched"


TERMS = Terms(ruleset="all-fives", players=3, seating="solo", house_rules={}, clock=Clock())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from("jclft"), st.integers(0, 90)), max_size=40))
def test_a_ticket_is_in_exactly_one_place(steps: list[tuple[int, str, int]]) -> None:
    """Join, cancel, be asked for, let time pass: waiting, one group or the end, never two, never none."""
    pool, now = Pool(id="p", version=0, terms=TERMS), START
    everybody: set[str] = set()
    ended: dict[str, str] = {}
    tables = iter(range(1000))
    for number, (player, what, seconds) in enumerate(steps):
        mine = pool.waiting_of(str(player))
        if what == "j" and mine is None:
            ticket = Ticket(
                id=f"p-{number}", player_id=str(player), kind="human", created_at=now, until=now + LAPSES_AFTER,
                fill_at=now + timedelta(seconds=seconds) if player % 2 else None, level="easy",
            )  # fmt: skip
            everybody.add(ticket.id)
            pool = pools.joined(pool, ticket)
        elif what == "c" and mine is not None:
            pool = pools.without(pool, mine.id)
            ended[mine.id] = "cancelled"
        elif what == "l" and mine is not None:
            pool = pools.asked_for(pool, mine.id, now)
        elif what == "t":
            now += timedelta(seconds=seconds)
        pool, over = pools.settled(pool, now, lambda: f"T{next(tables)}")
        for ticket in over:
            assert ticket.id not in ended
            ended[ticket.id] = ticket.table or ticket.status
        assert len(pool.waiting) < TERMS.players
        grouped = [ticket.id for group in pool.groups for ticket in group.tickets]
        assert len(grouped) == len(set(grouped))
        assert {ticket.id for ticket in pool.waiting} | set(ended) == everybody
        assert not {ticket.id for ticket in pool.waiting} & set(ended)
        assert set(grouped) <= set(ended)
        assert all(len({one.player_id for one in group.tickets}) == len(group.tickets) for group in pool.groups)


def test_allowances_are_for_people_not_for_floods() -> None:
    assert isinstance(ASKING, Allowance)
    assert ASKING.at_most / ASKING.seconds < 1
