"""Turns that expire, stand-ins, breaks between hands, bots' pace: everything that happens because time passes."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from app.tables.events import TurnStarted, TurnTimedOut
from app.tables.refusals import Refusal
from app.tables.requests import BotSeat
from app.tables.terms import Clock
from tests.tables.room import Room, bot

DRAW: dict[str, Any] = {
    "holdings": "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30",
    "boneyard": "50 40 32 64 10 41 42 43 51 52 53 54 60 65",
}


def test_a_turn_has_a_deadline_and_nothing_happens_before_it(room: Room) -> None:
    table_id = room.practice(**DRAW)
    hand = room.view(room.ann, table_id).hand
    assert hand is not None
    assert hand.deadline_ms == 60_000
    room.clock.advance(59.9)
    assert not room.run(table_id)
    hand = room.view(room.ann, table_id).hand
    assert hand is not None
    assert hand.deadline_ms == 100


def test_an_expired_turn_is_played_by_level_medium_and_marked(room: Room) -> None:
    table_id = room.practice("55 10 | 53 66", clock=Clock(turn_seconds=10))
    before = room.table(table_id).version
    room.clock.advance(10)
    room.run(table_id)
    assert room.types(table_id, before) == ["turn_timed_out", "tile_played", "points_scored", "turn_started"]
    played = room.log(table_id)[before + 1]
    assert (played.tile, played.by) == ("55", "timeout")  # type: ignore[union-attr]


def test_an_expired_turn_draws_and_plays_in_one_step_and_the_draw_does_not_restart_the_clock(room: Room) -> None:
    table_id = room.practice(**DRAW, clock=Clock(turn_seconds=10))
    room.play(room.ann, table_id, "61")
    room.clock.advance(6)
    room.play(room.bob, table_id, "draw")
    hand = room.view(room.bob, table_id).hand
    assert hand is not None
    assert hand.deadline_ms == 4_000, "drawing goes on the same clock"
    room.clock.advance(4)
    room.run(table_id)
    assert room.view(room.ann, table_id).hand.turn == 0  # type: ignore[union-attr]


def test_a_whole_expired_turn_with_a_draw(room: Room) -> None:
    table_id = room.practice(**DRAW, clock=Clock(turn_seconds=10))
    room.play(room.ann, table_id, "61")
    before = room.table(table_id).version
    room.clock.advance(10)
    room.run(table_id)
    types = room.types(table_id, before)
    assert types[:3] == ["turn_timed_out", "tiles_drawn", "tile_played"]
    assert {event.by for event in room.log(table_id)[before:] if hasattr(event, "by")} == {"timeout"}


def test_a_late_move_meets_the_timeout_first(room: Room) -> None:
    table_id = room.practice("55 10 | 53 66", clock=Clock(turn_seconds=10))
    room.clock.advance(10.3)
    with pytest.raises(Refusal) as refused:
        room.play(room.ann, table_id, "10")
    assert refused.value.code == "not_your_turn"
    assert "turn_timed_out" in room.types(table_id)


def test_a_move_just_before_the_deadline_counts(room: Room) -> None:
    table_id = room.practice("55 10 | 53 66", clock=Clock(turn_seconds=10))
    room.clock.advance(9.7)
    room.play(room.ann, table_id, "10")
    assert "turn_timed_out" not in room.types(table_id)


def test_the_second_expired_turn_in_a_row_seats_a_stand_in_after_its_points(room: Room) -> None:
    table_id = room.practice(
        "55 10 61 62 | 53 66 64 44", boneyard="11", clock=Clock(turn_seconds=10, timeouts_before_takeover=2)
    )
    room.clock.advance(10)
    room.run(table_id)
    assert room.table(table_id).seats[0].timeouts == 1
    room.play(room.bob, table_id, "53>55.left")
    before = room.table(table_id).version
    room.clock.advance(10)
    room.run(table_id)
    assert room.table(table_id).seats[0].timeouts == 2
    types = room.types(table_id, before)
    assert types[0] == "turn_timed_out"
    assert types.index("stand_in_seated") < types.index("turn_started")
    stand_in = room.view(room.ann, table_id).seats[0].stand_in
    assert stand_in is not None
    assert stand_in.reason == "timeout"


def test_ones_own_move_starts_the_count_of_expired_turns_anew(room: Room) -> None:
    table_id = room.practice(**DRAW, clock=Clock(turn_seconds=10, timeouts_before_takeover=3))
    room.clock.advance(10)
    room.run(table_id)
    assert room.table(table_id).seats[0].timeouts == 1
    view = room.view(room.bob, table_id)
    move = view.you.legal_moves[0]  # type: ignore[union-attr]
    while move.action == "draw":
        view = room.play(room.bob, table_id, "draw").table
        move = view.you.legal_moves[0]  # type: ignore[union-attr]
    room.play(room.bob, table_id, f"{move.tile}>{move.end}")
    own = room.view(room.ann, table_id).you.legal_moves[0]  # type: ignore[union-attr]
    room.play(room.ann, table_id, own.action if own.action != "play" else f"{own.tile}>{own.end}")
    assert room.table(table_id).seats[0].timeouts == 0


def test_a_stand_in_is_seated_before_the_hand_it_ends(room: Room) -> None:
    table_id = room.practice("64 | 65", clock=Clock(turn_seconds=10, timeouts_before_takeover=1))
    before = room.table(table_id).version
    room.clock.advance(10)
    room.run(table_id)
    assert room.types(table_id, before) == [
        "turn_timed_out",
        "tile_played",
        "points_scored",
        "stand_in_seated",
        "hand_ended",
        "points_scored",
    ]


def test_with_nobody_left_the_game_is_abandoned_at_the_hands_end(room: Room) -> None:
    table_id = room.practice(**DRAW)
    room.tables.leave(room.ann, table_id, 0)
    room.tables.leave(room.bob, table_id, 1)
    room.later(table_id, 60)
    view = room.view(room.ann, table_id)
    assert view.result is not None
    assert (view.result.reason, view.result.winner) == ("abandoned", None)
    assert room.types(table_id)[-1] == "game_ended"
    assert view.last_hand is not None
    assert view.last_hand.next_hand_at is None


def test_by_default_the_bot_plays_on(room: Room) -> None:
    table_id = room.practice("64 | 65")
    room.tables.leave(room.bob, table_id, 1)
    room.play(room.ann, table_id, "64")
    assert room.view(room.ann, table_id).status == "playing"


@pytest.mark.parametrize(("points", "winner"), [("64", 0), ("61", None)])
def test_forfeit_gives_the_game_to_the_best_who_stayed(room: Room, points: str, winner: int | None) -> None:
    """Three players, seat 2 leaves: the better of the two who stayed wins; equal: nobody."""
    table_id = room.practice(
        f"{points} | 00 | 11", "", 0, room.bob, room.cat, abandonment="forfeit", ruleset="all-fives-classic",
        house_rules={"deal": {"3": 1}, "round_to": 1, "hand_end": "own_subtracted", "max_hands": 9},
    )  # fmt: skip
    room.tables.leave(room.cat, table_id, 2)
    room.play(room.ann, table_id, points)
    result = room.view(room.ann, table_id).result
    assert result is not None
    assert (result.reason, result.winner) == ("forfeit", winner)


def test_the_next_hand_is_dealt_after_the_break(room: Room) -> None:
    table_id = room.practice("64 | 65", clock=Clock(hand_break_seconds=3))
    room.play(room.ann, table_id, "64")
    hand = room.view(room.ann, table_id).hand
    assert hand is not None
    assert (hand.phase, hand.turn, hand.deadline, hand.deadline_ms) == ("over", None, hand.next_hand_at, 3000)
    room.clock.advance(2.9)
    assert not room.run(table_id)
    room.clock.advance(0.1)
    room.run(table_id)
    assert room.types(table_id)[-2:] == ["hand_dealt", "turn_started"]
    assert room.view(room.ann, table_id).hand.number == 2  # type: ignore[union-attr]


def test_without_a_break_the_next_hand_is_dealt_in_the_same_step(room: Room) -> None:
    table_id = room.practice("64 | 65", clock=Clock(hand_break_seconds=0))
    answer = room.play(room.ann, table_id, "64")
    assert [type(event).__name__ for event in answer.events][-2:] == ["HandDealt", "TurnStarted"]


def test_an_untimed_game_is_abandoned_after_a_day_without_a_move(room: Room) -> None:
    table_id = room.practice(**DRAW, clock=Clock(turn_seconds=None))
    assert room.view(room.ann, table_id).hand.deadline is None  # type: ignore[union-attr]
    room.later(table_id, 24 * 3600 - 1)
    assert room.table(table_id).status == "playing"
    room.later(table_id, 2)
    assert room.table(table_id).result.reason == "abandoned"  # type: ignore[union-attr]


class TestBotsPace:
    """A bot's move is released at a moment that does not depend on its tiles."""

    @pytest.mark.parametrize("pace", [0.0, 1.0, 3.0])
    def test_every_action_of_a_bot_waits_for_the_pace(self, room: Room, pace: float) -> None:
        table_id = room.open(
            players=4, bots=(bot(1), bot(2), bot(3)), clock=Clock(bot_pace_seconds=pace, hand_break_seconds=0)
        )
        room.later(table_id, 300)
        log = room.log(table_id)
        for before, event in pairwise(log):
            if getattr(event, "by", None) == "bot":
                assert event.at - before.at == timedelta(seconds=pace), (before, event)  # type: ignore[operator]

    def test_a_bots_turn_has_no_deadline(self, room: Room) -> None:
        table_id = room.open(players=2, bots=(bot(0, "easy"), BotSeat(seat=1, level="easy")), sit=False)
        started = [event for event in room.log(table_id) if isinstance(event, TurnStarted)]
        assert started[0].deadline is None

    def test_a_bot_that_is_stuck_is_moved_for_without_a_worker(self, room: Room) -> None:
        table_id = room.open(players=2, bots=(bot(0, "easy"), bot(1, "easy")), sit=False)
        version = room.table(table_id).version
        room.clock.advance(9)
        assert not room.run(table_id, bots=False)
        room.clock.advance(1)
        assert room.run(table_id, bots=False)
        assert room.table(table_id).version > version

    def test_a_players_move_asks_for_the_bots_at_once(self, room: Room) -> None:
        table_id = room.practice("61 66 | 00 22", boneyard="50 40")
        room.tables.leave(room.bob, table_id, 1)
        room.play(room.ann, table_id, "61")
        assert room.queue.asked[-1] == (table_id, room.table(table_id).version)
        assert room.due.entries[table_id, room.table(table_id).version] == room.clock.now + timedelta(seconds=0.25)


class TestAdvance:
    """Safe to run twice and from anywhere."""

    def test_an_old_version_does_nothing(self, room: Room) -> None:
        table_id = room.practice("55 10 | 53 66", clock=Clock(turn_seconds=10))
        old = room.table(table_id).version
        room.play(room.ann, table_id, "10")
        room.clock.advance(100)
        before = room.table(table_id).version
        room.tables.advance(table_id, old)
        assert room.table(table_id).version == before
        assert (table_id, old) not in room.due.entries

    def test_a_table_that_is_gone_loses_its_entry(self, room: Room) -> None:
        room.due.add("gone", 3, room.clock.now)
        room.tables.advance("gone", 3)
        assert ("gone", 3) not in room.due.entries

    def test_work_beyond_the_budget_is_asked_for_again(self, room: Room) -> None:
        table_id = room.open(players=2, bots=(bot(0), bot(1)), sit=False)
        room.tables.advance(table_id, room.table(table_id).version, budget_turns=5)
        version = room.table(table_id).version
        assert room.queue.asked[-1] == (table_id, version)
        assert (table_id, version) in room.due.entries

    def test_no_timeout_belongs_to_a_hand_that_is_over(self, room: Room) -> None:
        table_id = room.open(
            room.bob, players=2, clock=Clock(turn_seconds=1, hand_break_seconds=0, timeouts_before_takeover=20)
        )
        room.later(table_id, 300)
        running = None
        for event in room.log(table_id):
            if isinstance(event, TurnStarted):
                running = event.seat, event.hand
            if isinstance(event, TurnTimedOut):
                assert (event.seat, event.hand) == running
