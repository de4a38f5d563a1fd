"""`auto_forced`: the table draws and passes at once for whoever can do nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.engine.events import TilesDrawn, TurnPassed
from app.engine.rulesets import RULE_SETS
from app.tables.terms import Clock
from tests.tables.room import Room, bot
from tests.tables.test_seats import refusal


def test_a_forced_draw_comes_in_the_step_that_begins_the_turn(room: Room) -> None:
    table_id = room.practice("61 66 11 62 | 00 22 33 44", boneyard="50 40 32 64 10", auto_forced=True)
    answer = room.play(room.ann, table_id, "61")
    drawn = [event for event in answer.events if isinstance(event, TilesDrawn)]
    assert [(event.seat, event.number, event.by, event.tiles) for event in drawn] == [(1, 4, "forced", None)]
    you = room.view(room.bob, table_id).you
    assert you is not None
    assert {move.tile for move in you.legal_moves} == {"64"}
    room.log(table_id)


def test_a_forced_pass_gives_the_turn_on_at_once(room: Room) -> None:
    table_id = room.practice("61 66 11 | 00 22 33", house_rules={"deal": {"2": 3}, "drawing": False}, auto_forced=True)
    answer = room.play(room.ann, table_id, "61")
    assert [event.by for event in answer.events if isinstance(event, TurnPassed)] == ["forced"]
    hand = answer.table.hand
    assert hand is not None
    assert hand.turn == 0
    types = [type(event).__name__ for event in answer.events]
    assert types == ["TilePlayed", "TurnStarted", "TurnPassed", "TurnStarted"]


def test_it_is_no_action_of_the_players_own(room: Room) -> None:
    """Expired turns in a row are counted over forced moves."""
    clock = Clock(turn_seconds=10, timeouts_before_takeover=2)
    table_id = room.practice(
        "61 66 11 | 00 22 33", house_rules={"deal": {"2": 3}, "drawing": False}, auto_forced=True, clock=clock
    )
    room.clock.advance(10)
    room.run(table_id)
    assert room.table(table_id).seats[0].timeouts == 1
    assert room.table(table_id).seats[1].timeouts == 0


def test_without_the_option_the_player_draws_himself(room: Room) -> None:
    table_id = room.practice("61 66 11 62 | 00 22 33 44", boneyard="50 40 32 64 10")
    room.play(room.ann, table_id, "61")
    you = room.view(room.bob, table_id).you
    assert you is not None
    assert [move.action for move in you.legal_moves] == ["draw"]


@pytest.mark.parametrize("ruleset", [name for name, rules in RULE_SETS.items() if not rules.claim])
def test_whole_games_never_leave_a_forced_move_to_anybody(room: Room, ruleset: str) -> None:
    table_id = room.open(
        players=2,
        ruleset=ruleset,
        auto_forced=True,
        sit=False,
        bots=(bot(0, "easy"), bot(1, "easy")),
        house_rules={"max_hands": 8},
        clock=Clock(hand_break_seconds=0),
    )
    room.later(table_id, 10_000)
    log = room.log(table_id)
    assert room.table(table_id).status == "finished"
    forced = [event for event in log if isinstance(event, TilesDrawn | TurnPassed)]
    assert forced
    assert {event.by for event in forced} == {"forced"}
    for before, event in pairwise(log):
        if isinstance(event, TilesDrawn | TurnPassed):
            assert before.at == event.at, "in the same step"


def test_a_claim_table_cannot_have_it(room: Room) -> None:
    assert refusal(lambda: room.open(players=2, ruleset="all-fives-claim", auto_forced=True)) == "invalid"


def test_a_rematch_keeps_it(room: Room) -> None:
    table_id = room.practice("55 66 | 53 52", house_rules={"target": {"2": 10}, "deal": {"2": 2}}, auto_forced=True)
    room.play(room.ann, table_id, "55")
    assert room.tables.rematch(room.ann, table_id, None).value.auto_forced
