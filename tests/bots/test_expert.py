"""The expert: exact where all hands are known, aware of the score and of its partner, the same to the last seed."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from app.bots import expert
from app.engine.views import SeatView, seat_view
from tests.bots.brute import Ending, open_ending, worths
from tests.notation import sit

WINNING = 300
"""What winning the game is worth beside points, in the expert's endings."""


def chosen(ending: Ending, scores: tuple[int, int]) -> tuple[str | None, ...]:
    """The expert's move with these scores, as a step of the naive rules."""
    game = ending.sitting.game
    assert game.hand is not None
    seat = game.hand.turn
    move = expert.choose(seat_view(replace(game, hand=replace(game.hand, scores=scores)), seat), 1)
    return move.action, move.tile, move.end, "lengthwise" if move.lengthwise else ""


def best(ending: Ending, scores: tuple[int, int], winning: int = WINNING) -> set[tuple[str, ...]]:
    """The steps that are worth most with these scores, by trying everything."""
    hand = ending.naive.copy()
    hand.scores = [*scores]
    found = worths(hand, winning)
    side = hand.side(hand.turn)
    most = max(found.values()) if side == 0 else min(found.values())
    return {step for step, worth in found.items() if worth == most}


@pytest.mark.parametrize("number", range(12))
def test_it_plays_exactly_when_nothing_is_hidden_any_more(number: int) -> None:
    """Two players, all tiles dealt or drawn: what it does not hold, the other does."""
    ending = open_ending(number, 8)
    for scores in ((0, 0), (240, 235), (235, 245)):
        assert chosen(ending, scores) in best(ending, scores)


@pytest.mark.parametrize("number", [8, 10, 21, 25, 29, 35])
def test_it_plays_for_the_game_and_not_for_points_near_the_target(number: int) -> None:
    """Endings in which the most points and the win ask for different plays."""
    ending = open_ending(number, 8)
    far, near = best(ending, (0, 0)), best(ending, (240, 240))
    assert not far & near
    assert chosen(ending, (0, 0)) in far
    assert chosen(ending, (240, 240)) in near


@pytest.mark.parametrize(
    ("number", "scores"), [(52, (225, 225)), (55, (215, 235)), (99, (215, 235)), (101, (215, 235)), (175, (240, 220))]
)
def test_it_gives_up_points_for_the_game(number: int, scores: tuple[int, int]) -> None:
    """Endings in which the most points, with these very scores, would lose the game or leave it open."""
    ending = open_ending(number, 8)
    right = best(ending, scores)
    assert not right & best(ending, scores, winning=0)
    assert chosen(ending, scores) in right


@pytest.mark.parametrize("seed", range(5))
def test_it_takes_points_unless_the_opponent_needs_only_five(seed: int) -> None:
    """Hidden tiles now. `30` on the spinner scores five; `31` scores nothing, and leaves the other less."""
    sitting = sit("64 63 61 53 32 21 11 | 55 51 43 42 33 31 30", "65 52 62 22 44 54 41 20 00 40 50 10 66 60", leader=1)
    sitting.plays("33 63>33.left 43>33.right 61>63.right")
    view = seat_view(sitting.game, 1)
    move = expert.choose(view, seed)
    assert (move.tile, move.points) == ("30", 5)
    assert expert.choose(replace(view, scores=(245, 0)), seed).tile == "31"


def seat_2s_turn() -> SeatView:
    """Everybody has just shown to have no 0, and both ends are 0; whoever sits next to him holds one tile."""
    sitting = sit(
        "65 64 61 52 51 | 55 50 44 21 11 | 66 60 42 41 00 | 62 54 33 31 22",
        "20 43 10 30 53 40 63 32",
        ruleset="muggins-british",
        seating="pairs",
        leader=1,
    )
    sitting.plays(
        "55 draw 53>55.left 33>53.right 65>55.right draw 63>65.right 43>63.right 54>43.right 51>54.right 11>51.right"
        " 41>11.right 31>33.right 61>31.right 40>41.right 60>61.right draw pass pass 50>60.right 00>40.right pass"
        " 52>50.right 21>52.right 10>21.right pass pass pass"
    )
    return seat_view(sitting.game, 2)


@pytest.mark.parametrize("seed", range(5))
def test_it_opens_a_number_that_only_its_partner_may_hold(seed: int) -> None:
    """Seats 0 and 1 hold one tile each. Seat 1 is proved to have no 3; seat 0 may have one, or a 2.

    With seat 0 as partner 30 is right: its 3 lets him out, and not seat 1. Each alone, both are to be feared, and 20
    keeps a 2 to follow with.
    """
    view = seat_2s_turn()
    assert (view.holding, view.tiles_left) == (("66", "42", "30", "20"), (1, 1, 4, 3))
    assert view.lacks[1] == (0, 3, 6)
    alone = replace(view, seating="solo", scores=(0, 0, 0, 0), side=2, partner=None)
    assert expert.choose(view, seed).tile == "30"
    assert expert.choose(alone, seed).tile == "20"


def test_its_seed_decides_only_what_is_close() -> None:
    view = seat_2s_turn()
    rng = random.Random(1)
    assert len({expert.choose(view, rng.getrandbits(64)).tile for _ in range(20)}) == 1
