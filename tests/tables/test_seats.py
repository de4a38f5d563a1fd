"""Sitting down, moving, seating bots, leaving, coming back."""

from __future__ import annotations

import pytest

from app.tables.refusals import Refusal
from tests.tables.room import Room, bot, key


def refusal(call: object, *arguments: object) -> str:
    with pytest.raises(Refusal) as refused:
        call(*arguments)  # type: ignore[operator]
    return refused.value.code


def test_sitting_takes_the_first_open_seat_or_the_one_asked_for(room: Room) -> None:
    table_id = room.open(players=4)
    room.tables.sit(room.bob, table_id, 2, None, None)
    room.tables.sit(room.cat, table_id, None, None, None)
    kinds = [seat.occupant.name for seat in room.view(room.ann, table_id).seats]
    assert kinds == ["Ann", "Cat", "Bob", None]


def test_while_open_another_seat_moves_you(room: Room) -> None:
    table_id = room.open(players=4)
    view = room.tables.sit(room.ann, table_id, 3, None, None).value
    assert view.you is not None
    assert view.you.seat == 3
    assert view.host == room.ann.player_id, "whoever moves stays host"
    assert room.types(table_id, 2) == ["seat_left", "seat_taken"]


def test_sitting_down_again_is_refused(room: Room) -> None:
    table_id = room.open(players=4)
    assert refusal(room.tables.sit, room.ann, table_id, None, None, None) == "already_seated"
    assert refusal(room.tables.sit, room.ann, table_id, 0, None, None) == "already_seated"


def test_a_taken_seat_a_full_table_and_an_unknown_seat_are_told_apart(room: Room) -> None:
    table_id = room.open(players=4)
    assert refusal(room.tables.sit, room.bob, table_id, 0, None, None) == "seat_taken"
    assert refusal(room.tables.sit, room.bob, table_id, 4, None, None) == "invalid"
    full = room.open(room.bob, players=2)
    assert refusal(room.tables.sit, room.cat, full, None, None, None) == "table_full"


def test_a_private_table_is_not_there_for_strangers_but_for_those_with_its_code(room: Room) -> None:
    view = room.view(room.ann, room.open(players=2, visibility="private"))
    assert refusal(room.tables.view, room.eve, view.id) == "not_found"
    assert refusal(room.tables.sit, room.eve, view.id, None, "WRONG", None) == "not_found"
    assert refusal(room.tables.sit, room.eve, "no-such-table", None, "WRONG", None) == "not_found"
    sat = room.tables.sit(room.bob, view.id, None, (view.invite_code or "").lower(), None).value
    assert sat.status == "playing"


def test_the_invite_code_is_shown_to_those_who_sit_only(room: Room) -> None:
    table_id = room.open(players=4)
    assert room.view(room.eve, table_id).invite_code is None
    private = room.open(players=4, visibility="private")
    assert room.view(room.ann, private).invite_code is not None


class TestBots:
    """The host seats and removes them while the table is open."""

    def test_the_host_seats_a_bot_and_changes_its_level(self, room: Room) -> None:
        table_id = room.open(players=4)
        room.tables.seat_bot(room.ann, table_id, 1, "easy")
        view = room.tables.seat_bot(room.ann, table_id, 1, "medium").value
        assert (view.seats[1].occupant.kind, view.seats[1].occupant.level) == ("house_bot", "medium")

    def test_seating_the_same_bot_again_changes_nothing(self, room: Room) -> None:
        table_id = room.open(players=4)
        first = room.tables.seat_bot(room.ann, table_id, 1, "easy").value
        assert room.tables.seat_bot(room.ann, table_id, 1, "easy").value.version == first.version

    def test_only_the_host_may_and_only_at_a_seat_without_a_player(self, room: Room) -> None:
        table_id = room.open(players=4)
        room.tables.sit(room.bob, table_id, None, None, None)
        assert refusal(room.tables.seat_bot, room.bob, table_id, 2, "easy") == "not_host"
        assert refusal(room.tables.seat_bot, room.ann, table_id, 1, "easy") == "seat_taken"
        assert refusal(room.tables.seat_bot, room.ann, table_id, 2, "genius") == "invalid"

    def test_the_last_seat_filled_by_a_bot_starts_the_game(self, room: Room) -> None:
        table_id = room.open(players=2)
        assert room.tables.seat_bot(room.ann, table_id, 1, "easy").value.status == "playing"
        assert refusal(room.tables.seat_bot, room.ann, table_id, 1, "medium") == "table_not_open"


class TestLeaving:
    """A player leaves his own seat at any time."""

    def test_the_longest_seated_human_becomes_host(self, room: Room) -> None:
        table_id = room.open(players=4)
        room.clock.advance(1)
        room.tables.sit(room.newcomer("Bender", "bot"), table_id, 1, None, None)
        room.clock.advance(1)
        room.tables.sit(room.cat, table_id, 2, None, None)
        room.tables.leave(room.ann, table_id, 0)
        assert room.view(room.cat, table_id).host == room.cat.player_id

    def test_a_table_that_everybody_left_is_closed(self, room: Room) -> None:
        table_id = room.open(players=4, bots=(bot(1),))
        assert room.tables.leave(room.ann, table_id, 0).status == "closed"
        assert room.types(table_id)[-2:] == ["seat_left", "table_closed"]
        assert refusal(room.tables.sit, room.bob, table_id, None, None, None) == "table_not_open"

    def test_the_host_removes_others_and_nobody_else_does(self, room: Room) -> None:
        table_id = room.open(players=4)
        room.tables.sit(room.bob, table_id, 1, None, None)
        room.tables.sit(room.cat, table_id, 2, None, None)
        assert refusal(room.tables.leave, room.bob, table_id, 2) == "not_host"
        assert refusal(room.tables.leave, room.eve, table_id, 2) == "not_seated"
        assert room.tables.leave(room.ann, table_id, 1).seats[1].occupant.kind == "open"

    def test_removing_nobody_changes_nothing(self, room: Room) -> None:
        table_id = room.open(players=4)
        assert room.tables.leave(room.ann, table_id, 3).version == room.table(table_id).version

    def test_in_mid_game_a_stand_in_takes_over_and_the_player_comes_back_to_his_tiles(self, room: Room) -> None:
        table_id = room.practice("61 66 | 00 22", boneyard="50 40")
        held = room.view(room.bob, table_id).you
        view = room.tables.leave(room.bob, table_id, 1)
        assert view.seats[1].stand_in is not None
        assert (view.seats[1].stand_in.level, view.seats[1].stand_in.reason) == ("medium", "left")
        assert refusal(room.play, room.bob, table_id, "draw") == "stand_in_plays"
        back = room.tables.sit(room.bob, table_id, None, None, None).value
        assert back.seats[1].stand_in is None
        assert back.you == held

    def test_the_same_name_is_not_the_same_player(self, room: Room) -> None:
        other_bob = room.newcomer("Bob")
        table_id = room.open(room.bob, players=2)
        room.tables.leave(room.bob, table_id, 1)
        for seat in (None, 0, 1):
            assert refusal(room.tables.sit, other_bob, table_id, seat, None, None) == "table_full"
        assert room.view(other_bob, table_id).you is None

    def test_leaving_after_the_end_changes_nothing(self, room: Room) -> None:
        table_id = room.practice("55 | 53", house_rules={"deal": {"2": 1}, "target": {"2": 10}})
        room.play(room.ann, table_id, "55")
        ended = room.view(room.bob, table_id)
        assert ended.result is not None
        for asker, seat in ((room.bob, 1), (room.ann, 0)):
            assert room.tables.leave(asker, table_id, seat).result == ended.result
        room.players.delete(room.bob)
        assert room.view(room.ann, table_id).result == ended.result
        assert room.view(room.ann, table_id).version == ended.version

    def test_a_deleted_player_leaves_his_tables_and_his_name(self, room: Room) -> None:
        playing, alone = room.open(room.bob, players=2), room.open(host=room.bob, players=2)
        room.players.delete(room.bob)
        assert room.table(alone).status == "closed"
        view = room.view(room.ann, playing)
        assert view.seats[1].stand_in is not None
        assert view.seats[1].occupant.name is None
        assert view.seats[1].occupant.player_id == room.bob.player_id

    def test_a_host_who_never_sat_takes_his_empty_table_with_him(self, room: Room) -> None:
        table_id = room.open(players=2, sit=False)
        room.players.delete(room.ann)
        assert room.table(table_id).status == "closed"


def test_an_open_table_nobody_changes_is_closed_after_thirty_minutes(room: Room) -> None:
    table_id = room.open(players=2)
    room.later(table_id, 29 * 60)
    assert room.table(table_id).status == "open"
    room.later(table_id, 61)
    assert room.types(table_id)[-1] == "table_closed"


def test_sitting_down_twice_under_one_key_is_one_step(room: Room) -> None:
    table_id = room.open(players=4)
    first = room.tables.sit(room.bob, table_id, 1, None, key())
    again = room.tables.sit(room.bob, table_id, 1, None, key())
    assert again.replayed
    assert again.value == first.value
