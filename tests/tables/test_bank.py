"""The time bank, and more time from an opponent."""

from __future__ import annotations

from typing import Any

import pytest

from app.tables.events import TimeAdded, TurnStarted
from app.tables.refusals import Refusal
from app.tables.shapes import HandShape
from app.tables.terms import Clock
from tests.tables.room import Room, bot, key
from tests.tables.test_seats import refusal

BANKED = Clock(turn_seconds=10, bank_seconds=30, timeouts_before_takeover=9)
OPEN: dict[str, Any] = {"holdings": "55 50 51 52 | 53 54 44 33", "boneyard": "00 11"}


def hand_of(room: Room, table_id: str) -> HandShape:
    hand = room.view(room.ann, table_id).hand
    assert hand is not None
    return hand


def banks(room: Room, table_id: str) -> list[int | None]:
    room.log(table_id)
    return [seat.bank_ms for seat in room.view(room.ann, table_id).seats]


class TestBank:
    def test_the_deadline_is_the_turn_and_the_bank(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=BANKED)
        hand = hand_of(room, table_id)
        assert hand.deadline_ms == 40_000
        assert hand.bank_from is not None
        assert (hand.bank_from - room.clock.now).total_seconds() == 10
        assert banks(room, table_id) == [30_000, 30_000]

    def test_a_turn_within_its_seconds_costs_nothing_of_the_bank(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=BANKED)
        room.clock.advance(10)
        room.play(room.ann, table_id, "55")
        assert banks(room, table_id) == [30_000, 30_000]

    def test_what_a_turn_takes_beyond_comes_off_for_the_whole_game(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=BANKED)
        room.clock.advance(22.5)
        assert banks(room, table_id) == [17_500, 30_000], "running"
        room.play(room.ann, table_id, "55")
        assert banks(room, table_id) == [17_500, 30_000]
        room.play(room.bob, table_id, "53>55.left")
        assert hand_of(room, table_id).deadline_ms == 27_500

    def test_a_bank_that_is_used_up_ends_the_turn(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=BANKED)
        room.clock.advance(39.9)
        assert not room.run(table_id)
        room.clock.advance(0.1)
        room.run(table_id)
        assert "turn_timed_out" in room.types(table_id)
        assert banks(room, table_id) == [0, 30_000]
        room.play(room.bob, table_id, "53>55.left")
        assert hand_of(room, table_id).deadline_ms == 10_000

    def test_a_draw_goes_on_the_same_clock_and_bank(self, room: Room) -> None:
        table_id = room.practice("61 66 | 00 22", boneyard="50 40 32 64", clock=BANKED)
        room.play(room.ann, table_id, "61")
        room.clock.advance(12)
        room.play(room.bob, table_id, "draw")
        room.clock.advance(3)
        move = room.view(room.bob, table_id).you.legal_moves[0]  # type: ignore[union-attr]
        room.play(room.bob, table_id, f"{move.tile}>{move.end}")
        assert banks(room, table_id) == [30_000, 25_000]

    @pytest.mark.parametrize("expires", [False, True])
    def test_a_draw_that_ends_the_hand_ends_the_turn(self, room: Room, expires: bool) -> None:
        """Of the 25 tiles that are left one may be drawn, and then nobody can go on."""
        rules = {"deal": {"2": 2}, "boneyard_keep": 23}
        clock = Clock(turn_seconds=10, bank_seconds=30, hand_break_seconds=3)
        table_id = room.practice("00 11 | 22 33", boneyard="44", house_rules=rules, clock=clock)
        room.play(room.ann, table_id, "00")
        if expires:
            room.later(table_id, 40)
        else:
            room.clock.advance(18)
            room.play(room.bob, table_id, "draw")
        assert hand_of(room, table_id).phase == "over"
        assert hand_of(room, table_id).bank_from is None
        assert banks(room, table_id) == [30_000, 0 if expires else 22_000]

    def test_a_stand_in_takes_its_own_time(self, room: Room) -> None:
        clock = Clock(turn_seconds=5, bank_seconds=30, bot_pace_seconds=20)
        table_id = room.practice("55 52 61 | 53 66 20", clock=clock)
        room.tables.leave(room.ann, table_id, 0)
        room.later(table_id, 19)
        assert banks(room, table_id) == [30_000, 30_000], "running"
        room.later(table_id, 2)
        assert room.types(table_id).count("tile_played") == 1
        assert banks(room, table_id) == [30_000, 30_000]

    def test_the_bank_lasts_over_hands(self, room: Room) -> None:
        table_id = room.practice("64 | 65", clock=Clock(turn_seconds=10, bank_seconds=30, hand_break_seconds=0))
        room.clock.advance(15)
        room.play(room.ann, table_id, "64")
        assert hand_of(room, table_id).number == 2
        assert banks(room, table_id) == [25_000, 30_000]

    def test_a_table_without_a_bank_has_none_and_bots_and_untimed_turns_use_none(self, room: Room) -> None:
        assert banks(room, room.practice(**OPEN)) == [None, None]
        untimed = room.practice(**OPEN, clock=Clock(turn_seconds=None, bank_seconds=30))
        room.clock.advance(1000)
        room.play(room.ann, untimed, "55")
        assert banks(room, untimed) == [30_000, 30_000]
        bots = room.open(players=2, sit=False, bots=(bot(0, "easy"), bot(1, "easy")), clock=BANKED)
        started = [event for event in room.log(bots) if isinstance(event, TurnStarted)]
        assert (started[0].deadline, started[0].bank_from) == (None, None)


class TestMoreTime:
    def test_an_opponent_adds_half_a_turn_which_does_not_touch_the_bank(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=BANKED)
        before = hand_of(room, table_id).deadline
        assert before is not None
        hand = room.tables.more_time(room.bob, table_id, None).value.hand
        assert hand is not None
        assert hand.deadline is not None
        assert (hand.deadline - before).total_seconds() == 5
        (added,) = [event for event in room.log(table_id) if isinstance(event, TimeAdded)]
        assert (added.seat, added.deadline) == (0, hand.deadline)
        room.clock.advance(15)
        room.play(room.ann, table_id, "55")
        assert banks(room, table_id) == [30_000, 30_000]

    def test_the_turn_expires_at_the_later_moment(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=Clock(turn_seconds=60))
        room.tables.more_time(room.bob, table_id, None)
        room.clock.advance(89.9)
        assert not room.run(table_id)
        room.clock.advance(0.1)
        room.run(table_id)
        assert room.types(table_id).count("turn_timed_out") == 1

    def test_three_times_a_turn_and_anew_in_the_next(self, room: Room) -> None:
        table_id = room.practice(**OPEN)
        for _ in range(3):
            room.tables.more_time(room.bob, table_id, None)
        assert why_not(room, table_id) == "often_enough"
        room.play(room.ann, table_id, "55")
        room.play(room.bob, table_id, "53>55.left")
        room.tables.more_time(room.bob, table_id, None)

    def test_not_for_oneself_nor_for_the_partner_nor_without_a_deadline(self, room: Room) -> None:
        table_id = room.practice(**OPEN)
        assert refusal(room.tables.more_time, room.ann, table_id, None) == "no_more_time"
        pairs = room.open(room.bob, room.cat, room.dan, players=4)
        on_turn = room.table(pairs).game.hand.turn  # type: ignore[union-attr]
        partner = (room.ann, room.bob, room.cat, room.dan)[(on_turn + 2) % 4]
        assert refusal(room.tables.more_time, partner, pairs, None) == "no_more_time"
        assert refusal(room.tables.more_time, room.eve, pairs, None) == "not_seated"
        assert why_not(room, room.practice(**OPEN, clock=Clock(turn_seconds=None))) == "untimed"

    def test_not_for_a_stand_in_and_not_between_hands(self, room: Room) -> None:
        table_id = room.practice(**OPEN)
        room.tables.leave(room.ann, table_id, 0)
        assert why_not(room, table_id) == "nobody_on_turn"
        between = room.practice("64 | 65")
        room.play(room.ann, between, "64")
        assert refusal(room.tables.more_time, room.bob, between, None) == "hand_over"

    def test_too_late_is_too_late(self, room: Room) -> None:
        table_id = room.practice(**OPEN, clock=Clock(turn_seconds=10))
        room.clock.advance(10)
        assert refusal(room.tables.more_time, room.bob, table_id, None) == "no_more_time"
        assert "turn_timed_out" in room.types(table_id)

    def test_the_same_key_adds_once(self, room: Room) -> None:
        table_id = room.practice(**OPEN)
        first = room.tables.more_time(room.bob, table_id, key())
        again = room.tables.more_time(room.bob, table_id, key())
        assert again.replayed
        assert again.value == first.value


def why_not(room: Room, table_id: str) -> object:
    with pytest.raises(Refusal) as refused:
        room.tables.more_time(room.bob, table_id, None)
    assert refused.value.code == "no_more_time"
    return refused.value.params["reason"]
