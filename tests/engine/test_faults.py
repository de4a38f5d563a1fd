"""Faults others made (the engine's rows), each tried on this engine; the number is the row's.

Rows that are a matter of counting, settling or claiming have their cases in the files of those rules: R01, R03, R07 and
R21 in `test_counting`, R05 in `test_house_rules`, R13, R15, R19 and R23 in `test_hand_end`, R61 in `test_secrets`.
"""

from __future__ import annotations

import random

import msgspec
import pytest

from app.engine.actions import Deal, Draw
from app.engine.errors import RuleViolation
from app.engine.events import GameEvent, HandDealt, TilesDrawn
from app.engine.evolve import evolve, replay
from app.engine.game import new_game, phase, turn
from app.engine.legality import legal_moves
from app.engine.tiles import NAMES
from app.engine.turns import decide
from tests.engine.deals import TABLES, played, table_name
from tests.engine.test_turns import P_DRAW
from tests.notation import Sitting, sit


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_r09_every_deal_is_28_different_tiles(table: tuple[str, int, str]) -> None:
    for sitting in played(*table, {}, 9):
        dealt = sitting.log[-1]
        if isinstance(dealt, HandDealt):
            held = [tile for holding in dealt.holdings for tile in holding or ()]
            assert sorted([*held, *(dealt.boneyard_tiles or ())]) == sorted(NAMES)
            assert {len(holding or ()) for holding in dealt.holdings} == {dealt.tiles_each}


def test_r11_a_second_draw_and_a_draw_out_of_turn_are_refused() -> None:
    sitting = sit(*P_DRAW)
    sitting.plays("66")
    assert sitting.why("draw", seat=0) == "not_your_turn"
    sitting.act(Draw(seat=1))
    assert sitting.why("draw", seat=1) == "must_play_drawn_tile"
    assert [event.boneyard for event in sitting.log if isinstance(event, TilesDrawn)] == [10]


@pytest.mark.parametrize("announced", ["55:5", "55:15", "55", "55:0", "55:-10"])
def test_r17_a_wrong_claim_is_seen_at_once(announced: str) -> None:
    sitting = sit("55 10 20 | 50 64 66", ruleset="all-fives-claim")
    sitting.plays(announced)
    assert sitting.scores == (0, 0)
    assert sitting.why("0!") == "nothing_to_call"
    sitting.plays("1!")
    assert sitting.scores == (0, 10)
    assert sitting.why("1!") == "nothing_to_call"


def test_r17_after_the_next_play_it_is_too_late() -> None:
    sitting = sit("55 10 20 | 50 64 66", ruleset="all-fives-claim")
    sitting.plays("55 50>55.left:10")
    assert sitting.why("1!") == "nothing_to_call"
    assert sitting.scores == (0, 10)


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_r41_whoever_is_on_turn_has_a_move_and_every_game_ends(table: tuple[str, int, str]) -> None:
    game = None
    for sitting in played(*table, {}, 41):
        game, seat = sitting.game, turn(sitting.game)
        if seat is None:
            assert phase(game) in ("claim", "over")
        else:
            assert legal_moves(game, seat)
    assert game is not None
    assert game.result is not None


def test_r43_seats_can_follow_and_draw_as_often_as_chance_has_it() -> None:
    """96 % can follow a random lead with 7 tiles; 0.5 % of draws take 8 tiles or more."""
    rng = random.Random(44)
    start = evolve(None, new_game("all-fives", 2))
    leads, follows, draws, long_draws = 0, 0, 0, 0
    for _ in range(1_500):
        sitting = Sitting([], start)
        sitting.act(Deal(order=tuple(rng.sample(NAMES, 28)), lot=rng.randrange(2)))
        first = True
        while (seat := turn(sitting.game)) is not None:
            move = rng.choice(legal_moves(sitting.game, seat))
            words = {"draw": "draw", "pass": "pass"}.get(move.action, f"{move.tile}>{move.end}")
            sitting.plays(words.removesuffix(">lead"))
            if first and (other := turn(sitting.game)) is not None:
                leads += 1
                follows += legal_moves(sitting.game, other)[0].action == "play"
                first = False
        numbers = [event.number for event in sitting.log if isinstance(event, TilesDrawn)]
        draws += len(numbers)
        long_draws += sum(number >= 8 for number in numbers)
    assert follows / leads == pytest.approx(0.96, abs=0.02)
    assert long_draws / draws == pytest.approx(0.005, abs=0.005)


def test_r63_a_record_replays_to_the_same_game_and_a_changed_tile_does_not() -> None:
    *_, last = played("all-fives", 2, "solo", {}, 63)
    decoder = msgspec.json.Decoder(GameEvent)
    record = [decoder.decode(msgspec.json.encode(event)) for event in last.log]
    assert replay(record) == last.game
    place, dealt = next((place, event) for place, event in enumerate(record) if isinstance(event, HandDealt))
    assert dealt.boneyard_tiles is not None
    swapped = (*reversed(dealt.boneyard_tiles[:2]), *dealt.boneyard_tiles[2:])
    record[place] = msgspec.structs.replace(dealt, boneyard_tiles=swapped)
    first_hand = [event for event in record if event.hand in (None, 1)]
    before = [event for event in last.log if event.hand in (None, 1)]
    assert replay(first_hand) != replay(before)


def test_a_refused_action_leaves_the_game_as_it_was() -> None:
    sitting = sit(*P_DRAW)
    before = msgspec.msgpack.encode(sitting.game)
    with pytest.raises(RuleViolation):
        decide(sitting.game, Draw(seat=0))
    assert msgspec.msgpack.encode(sitting.game) == before
