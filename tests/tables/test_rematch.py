"""A rematch: one next table for all who ask, whatever dies on the way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.tables.ports import Step
from app.tables.refusals import Refusal
from app.tables.rematching import next_id_of
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.tables.room import Room, bot, key
from tests.tables.test_seats import refusal


def finished(room: Room, *, private: bool = False, **request: Any) -> str:
    """Ann has won with her first tile, against Bob."""
    request.setdefault("clock", Clock(turn_seconds=33))
    table_id = room.open(
        players=2,
        house_rules={"target": {"2": 5}, "deal": {"2": 2}},
        visibility="private" if private else "public",
        **request,
    )
    room.tables.sit(room.bob, table_id, None, room.table(table_id).invite_code, None)
    ends(room, table_id)
    return table_id


def ends(room: Room, table_id: str) -> None:
    """Nobody moves until the game is over."""
    for _ in range(1000):
        if room.table(table_id).status == "finished":
            return
        room.later(table_id, 60)
    raise AssertionError("the game does not end")


def won(room: Room, **request: Any) -> str:
    """A practice table that Ann has won with the lead."""
    table_id = room.practice("55 66 | 53 52", house_rules={"target": {"2": 10}, "deal": {"2": 2}}, **request)
    room.play(room.ann, table_id, "55")
    return table_id


def test_the_first_ask_opens_the_next_table_and_later_ones_get_the_same(room: Room) -> None:
    table_id = won(room)
    first = room.tables.rematch(room.ann, table_id, None)
    again = room.tables.rematch(room.ann, table_id, None)
    other = room.tables.rematch(room.bob, table_id, None)
    assert (first.status, again.status, other.status) == (201, 200, 200)
    assert first.value.id == again.value.id == other.value.id != table_id
    assert room.types(table_id)[-3:] == ["rematch_asked", "rematch_ready", "rematch_asked"]
    assert room.view(room.bob, table_id).next_table == first.value.id


def test_everybody_sits_one_seat_on_with_the_same_rules_and_clock(room: Room) -> None:
    table_id = won(room, clock=Clock(turn_seconds=33))
    view = room.tables.rematch(room.ann, table_id, None).value
    assert view.you is not None
    assert view.you.seat == 1
    held = view.seats[0].held_for
    assert held is not None
    assert (held.player_id, held.name) == (room.bob.player_id, "Bob")
    assert (held.until - view.now).total_seconds() == 120
    before = room.table(table_id)
    assert (view.ruleset, view.clock, view.practice) == (before.ruleset, before.clock, True)
    assert room.tables.rematch(room.bob, table_id, None).value.status == "playing"
    room.log(view.id)


def test_bots_are_seated_again_and_partners_stay_partners(room: Room) -> None:
    table_id = room.open(
        players=4,
        bots=(bot(1, "easy"), bot(2), bot(3, "easy", 0.5)),
        house_rules={"target": {"pairs": 5}},
        clock=Clock(turn_seconds=5, timeouts_before_takeover=100),
    )
    ends(room, table_id)
    view = room.tables.rematch(room.ann, table_id, None).value
    assert view.status == "playing"
    assert [(seat.occupant.kind, seat.occupant.level) for seat in view.seats] == [
        ("house_bot", "easy"),
        ("human", None),
        ("house_bot", "easy"),
        ("house_bot", "medium"),
    ]
    assert view.seats[0].occupant.forgetfulness == 0.5


def test_only_those_who_sat_may_ask_and_only_when_the_game_is_over(room: Room) -> None:
    table_id = room.open(room.bob, players=2)
    assert refusal(room.tables.rematch, room.ann, table_id, None) == "table_not_finished"
    assert refusal(room.tables.rematch, room.eve, table_id, None) == "not_seated"
    assert refusal(room.tables.rematch, Asker(), table_id, None) == "unauthenticated"
    assert refusal(room.tables.rematch, room.ann, room.open(players=2), None) == "game_not_started"
    private = won(room)
    assert refusal(room.tables.rematch, room.eve, private, None) == "not_found"


def test_the_same_key_gives_the_first_answer_again(room: Room) -> None:
    table_id = won(room)
    first = room.tables.rematch(room.ann, table_id, key())
    room.tables.rematch(room.bob, table_id, None)
    room.clock.advance(3)
    again = room.tables.rematch(room.ann, table_id, key())
    assert again.replayed
    assert (again.status, again.value) == (201, first.value)
    assert refusal(room.tables.rematch, room.ann, table_id, key(digest="other")) == "idempotency_key_reused"


@pytest.mark.parametrize("asked_before", [False, True], ids=["201", "200"])
def test_the_first_answer_is_given_again_whatever_has_been_written_at_the_next_table(
    room: Room, asked_before: bool
) -> None:
    table_id = won(room)
    if asked_before:
        room.tables.rematch(room.ann, table_id, key("earlier"))
    first = room.tables.rematch(room.ann, table_id, key())
    for number in range(10):
        room.tables.renew_invite(room.ann, first.value.id, key(f"invite {number}"))
    room.tables.rematch(room.bob, table_id, key())
    room.clock.advance(3)
    again = room.tables.rematch(room.ann, table_id, key())
    assert (again.replayed, again.status, again.value) == (True, first.status, first.value)
    assert first.status == (200 if asked_before else 201)
    assert refusal(room.tables.rematch, room.ann, table_id, key(digest="other")) == "idempotency_key_reused"


def test_the_key_of_a_write_at_the_finished_table_asks_for_no_rematch(room: Room) -> None:
    table_id = room.practice("55 66 | 53 52", house_rules={"target": {"2": 10}, "deal": {"2": 2}})
    room.play(room.ann, table_id, "55", key("move", "a move"))
    room.clock.advance(3601)
    assert refusal(room.tables.rematch, room.ann, table_id, key("move", "a rematch")) == "idempotency_key_reused"
    assert room.table(table_id).rematch_by == ()


def test_a_key_sent_twice_at_once_has_one_answer(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = won(room)
    reserve = room.register.reserve
    answers = []

    def twin_first(*given: Any) -> object:
        monkeypatch.setattr(room.register, "reserve", reserve)
        answers.append(room.tables.rematch(room.ann, table_id, key()))
        room.tables.rematch(room.bob, table_id, None)
        return reserve(*given)

    monkeypatch.setattr(room.register, "reserve", twin_first)
    answers.append(room.tables.rematch(room.ann, table_id, key()))
    assert [answer.replayed for answer in answers] == [False, True]
    assert answers[0].value == answers[1].value
    assert answers[0].status == answers[1].status == 201


def test_forty_at_once_get_one_table(room: Room) -> None:
    table_id = won(room)
    together = threading.Barrier(40)

    def ask(number: int) -> tuple[int, str]:
        together.wait()
        answer = room.tables.rematch(room.ann if number % 2 else room.bob, table_id, None)
        return answer.status, answer.value.id

    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(ask, range(40)))
    assert len({table for _, table in answers}) == 1
    assert [status for status, _ in answers].count(201) == 1
    assert room.types(table_id).count("rematch_ready") == 1
    assert room.types(table_id).count("rematch_asked") == 2
    assert room.table(answers[0][1]).status == "playing"
    room.log(answers[0][1])


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("writes", [1, 2, 3])
def test_whoever_dies_on_the_way_is_finished_for_by_the_clock_and_by_the_next_who_asks(
    room: Room, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Killed after `writes` commits: asked, made, announced."""
    for heals in (by_the_clock, by_another):
        table_id = won(room)
        with monkeypatch.context() as patch:
            patch.setattr(room.store, "commit", only(room.store.commit, writes))
            with pytest.raises(Killed):
                room.tables.rematch(room.ann, table_id, key(table_id))
        heals(room, table_id)
        next_id = room.table(table_id).next_table
        assert next_id == next_id_of(room.table(table_id))
        assert room.types(table_id).count("rematch_ready") == 1
        late = room.tables.rematch(room.ann, table_id, key(table_id))
        assert (late.replayed, late.status, late.value.id) == (False, 201, next_id), "nobody had an answer before"
        assert late.value.you is not None
        assert late.value.host == room.ann.player_id
        room.log(next_id)


def only(commit: Callable[[Step], bool], writes: int) -> Callable[[Step], bool]:
    left = [writes]

    def committing(step: Step) -> bool:
        if not left[0]:
            raise Killed
        left[0] -= 1
        return commit(step)

    return committing


def by_the_clock(room: Room, table_id: str) -> None:
    room.clock.advance(1)
    assert (table_id, room.table(table_id).version) in room.due.take(100) or room.table(table_id).next_table
    room.run(table_id, bots=False)


def by_another(room: Room, table_id: str) -> None:
    room.tables.rematch(room.bob, table_id, None)


class TestKeptSeats:
    """An open seat that is kept for one player."""

    def test_nobody_else_takes_it_until_the_time_is_up(self, room: Room) -> None:
        table_id = finished(room)
        next_id = room.tables.rematch(room.ann, table_id, None).value.id
        assert refusal(room.tables.sit, room.eve, next_id, 0, None, None) == "seat_taken"
        assert refusal(room.tables.sit, room.eve, next_id, None, None, None) == "table_full"
        assert refusal(room.tables.seat_bot, room.ann, next_id, 0, "easy") == "seat_taken"
        room.clock.advance(119)
        assert not room.run(next_id)
        room.clock.advance(1)
        room.run(next_id, bots=False)
        assert room.types(next_id)[-1] == "seat_freed"
        assert room.tables.sit(room.eve, next_id, None, None, None).value.status == "playing"
        late = room.tables.rematch(room.bob, table_id, None)
        assert (late.status, late.value.id, late.value.you) == (200, next_id, None)
        room.log(next_id)

    def test_the_time_up_is_acted_on_first_by_whoever_comes(self, room: Room) -> None:
        next_id = room.tables.rematch(room.ann, finished(room), None).value.id
        room.clock.advance(120)
        assert room.tables.sit(room.eve, next_id, 0, None, None).value.status == "playing"

    def test_late_to_a_private_table_is_still_shown_it(self, room: Room) -> None:
        table_id = finished(room, private=True)
        next_id = room.tables.rematch(room.ann, table_id, None).value.id
        room.later(next_id, 130)
        assert room.tables.rematch(room.bob, table_id, None).value.you is None
        assert refusal(room.tables.view, room.eve, next_id) == "not_found"

    def test_its_player_may_sit_down_without_asking_and_may_look_at_a_private_table(self, room: Room) -> None:
        next_id = room.tables.rematch(room.ann, finished(room, private=True), None).value.id
        assert room.view(room.bob, next_id).seats[0].held_for is not None
        assert room.tables.sit(room.bob, next_id, None, None, None).value.status == "playing"

    def test_its_player_or_the_host_gives_it_away(self, room: Room) -> None:
        for asker in (room.ann, room.bob):
            next_id = room.tables.rematch(room.ann, finished(room), None).value.id
            assert refusal(room.tables.leave, room.eve, next_id, 0) == "not_seated"
            assert room.tables.leave(asker, next_id, 0).seats[0].held_for is None
            assert room.types(next_id)[-1] == "seat_freed"
            room.log(next_id)

    def test_whoever_sits_elsewhere_keeps_only_one_seat(self, room: Room) -> None:
        table_id = room.open(room.bob, room.cat, room.dan, players=4, house_rules={"target": {"pairs": 5}})
        ends(room, table_id)
        next_id = room.tables.rematch(room.ann, table_id, None).value.id
        room.tables.leave(room.ann, next_id, 2)
        room.tables.sit(room.dan, next_id, 2, None, None)
        assert room.view(room.eve, next_id).seats[0].held_for is None

    def test_a_table_kept_for_others_passes_to_them_when_its_host_goes(self, room: Room) -> None:
        next_id = room.tables.rematch(room.ann, finished(room), None).value.id
        room.tables.leave(room.ann, next_id, 1)
        assert room.table(next_id).host == room.bob.player_id
        room.later(next_id, 121)
        assert room.table(next_id).status == "closed", "nobody came"
        room.log(next_id)

    def test_a_deleted_player_has_no_seat_kept(self, room: Room) -> None:
        table_id = finished(room)
        room.players.delete(room.bob)
        next_id = room.tables.rematch(room.ann, table_id, None).value.id
        assert room.view(room.ann, next_id).seats[0].held_for is None
        other = finished_with(room, room.cat)
        kept = room.tables.rematch(room.ann, other, None).value.id
        room.players.delete(room.cat)
        assert room.types(kept)[-1] == "seat_freed"

    def test_the_player_finds_the_table_among_his_own(self, room: Room) -> None:
        next_id = room.tables.rematch(room.ann, finished(room), None).value.id
        mine = room.tables.of_player(room.bob, status="open", limit=9, cursor=None)
        assert [table.id for table in mine.items] == [next_id]


def finished_with(room: Room, other: Asker) -> str:
    table_id = room.open(other, players=2, house_rules={"target": {"2": 5}}, clock=Clock(turn_seconds=1))
    ends(room, table_id)
    return table_id


def test_a_rematch_is_no_part_of_the_finished_hand(room: Room) -> None:
    table_id = won(room)
    before = room.tables.record(room.ann, table_id)
    room.tables.rematch(room.ann, table_id, None)
    assert room.tables.record(room.ann, table_id) == before


def test_a_rematch_may_follow_a_rematch(room: Room) -> None:
    table_id = finished(room)
    seen = {table_id}
    for _ in range(3):
        room.tables.rematch(room.ann, table_id, None)
        table_id = room.tables.rematch(room.bob, table_id, None).value.id
        assert table_id not in seen
        seen.add(table_id)
        ends(room, table_id)


def test_a_refusal_leaves_nothing(room: Room) -> None:
    table_id = won(room)
    before = room.table(table_id)
    with pytest.raises(Refusal):
        room.tables.rematch(room.eve, table_id, key())
    assert room.table(table_id) == before
