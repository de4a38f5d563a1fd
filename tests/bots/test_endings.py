"""The solver finds what trying everything finds, and gives up where it was told to."""

from __future__ import annotations

import pytest

from app.bots.endings import solve
from app.engine.ends import END_NAME
from app.engine.game import rules_of
from app.engine.tiles import NAMES
from tests.bots.brute import TWO_SIDED, small_ending, worths
from tests.notation import sit

ENDINGS = 500
MOST_TILES = 11
PLENTY = 10**6


@pytest.mark.parametrize("batch", range(5))
def test_the_solver_agrees_with_trying_everything(batch: int) -> None:
    """500 endings of every rule set, for two and in pairs, with and without a boneyard, near the target and far."""
    for number in range(batch, ENDINGS, 5):
        ending = small_ending(number, MOST_TILES)
        winning = number // 5 % 2 * 300
        hand = ending.sitting.game.hand
        assert hand is not None
        sign = 1 if ending.naive.side(hand.turn) == 0 else -1
        found = solve(rules_of(ending.sitting.game), hand, PLENTY, winning=winning)
        assert found is not None
        solved = {
            ("play", NAMES[tile], END_NAME[end], "lengthwise" if lengthwise else ""): sign * worth
            for (tile, end, lengthwise), worth in zip(found.plays, found.worth, strict=True)
        }
        assert solved == worths(ending.naive, winning), f"ending {number}: {ending.table}"


def test_the_endings_are_of_every_table_and_leave_something_to_decide() -> None:
    endings = [small_ending(number, MOST_TILES) for number in range(ENDINGS)]
    assert {ending.table for ending in endings} == set(TWO_SIDED)
    assert sum(len(set(worths(ending.naive, 0).values())) > 1 for ending in endings) > ENDINGS // 2
    assert sum(bool(ending.naive.boneyard) for ending in endings) > 100
    assert sum(len(ending.naive.table.tiles) > 3 for ending in endings) > 50


def test_it_gives_up_after_so_many_positions() -> None:
    sitting = sit("55 50 64 31 21 | 53 54 66 60 11")
    rules, hand = rules_of(sitting.game), sitting.game.hand
    assert hand is not None
    found = solve(rules, hand, PLENTY)
    assert found is not None
    assert solve(rules, hand, found.positions) == found
    assert solve(rules, hand, found.positions - 1) is None


def test_three_sides_and_seats_without_a_tile_that_fits_are_refused() -> None:
    three = sit("55 50 | 53 54 | 66 60", ruleset="five-up")
    assert three.game.hand is not None
    with pytest.raises(ValueError, match="3 sides"):
        solve(rules_of(three.game), three.game.hand, PLENTY)
    stuck = sit("55 50 | 66 61").plays("55")
    assert stuck
    sitting = sit("55 50 | 66 61")
    sitting.plays("55")
    assert sitting.game.hand is not None
    with pytest.raises(ValueError, match="no tile to play"):
        solve(rules_of(sitting.game), sitting.game.hand, PLENTY)
