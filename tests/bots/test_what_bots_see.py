"""No level's move depends on tiles its seat may not know: hidden tiles change places, the move stays the same."""

from __future__ import annotations

import random

import msgspec
import pytest

from app.bots.levels import LEVELS
from app.engine.views import SeatView, seat_view
from tests.bots.positions import BOTS, has_choice, some_way_into_a_hand
from tests.engine.deals import TABLES, table_name
from tests.engine.test_secrets import everybody_saw, hidden_from, played_again, swap_two

POSITIONS = 4
"""Positions of every table; each is compared with a twin."""


def views_of_twins(table: tuple[str, int, str], seed: int) -> tuple[SeatView, SeatView] | None:
    """The views of a seat in two games that differ in hidden tiles only; None: none was found."""
    start, actions, sitting = some_way_into_a_hand(table, seed)
    view = has_choice(sitting.game)
    assert view is not None
    hidden = hidden_from(sitting.game, view.seat)
    rng = random.Random(seed)
    for _ in range(60):
        swapped = rng.sample(hidden, len(hidden)) if rng.random() < 0.5 else swap_two(hidden, rng)
        twin = played_again(start, actions, dict(zip(hidden, swapped, strict=True)))
        if twin is None or twin.game.hand == sitting.game.hand:
            continue
        if everybody_saw(twin.log) == everybody_saw(sitting.log):
            return view, seat_view(twin.game, view.seat)
    return None


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_swapped_hidden_tiles_change_no_levels_move(table: tuple[str, int, str]) -> None:
    compared = 0
    for seed in range(3 * POSITIONS):
        twins = views_of_twins(table, seed)
        if twins is None:
            continue
        view, other = twins
        assert msgspec.json.encode(view) == msgspec.json.encode(other)
        for level in LEVELS:
            assert BOTS.choose(level, view, seed, 0.0) == BOTS.choose(level, other, seed, 0.0), level
        compared += 1
        if compared == POSITIONS:
            break
    assert compared >= POSITIONS // 2


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_seed_give_the_same_move_at_every_table(level: str) -> None:
    """A view that was written down and read again, and a bot that has been asked other things in between."""
    asked = []
    for number, table in enumerate(TABLES):
        view = has_choice(some_way_into_a_hand(table, number)[2].game)
        assert view is not None
        asked.append((view, number, BOTS.choose(level, view, number, 0.0)))
    for view, seed, move in reversed(asked):
        again = msgspec.json.decode(msgspec.json.encode(view), type=SeatView)
        assert BOTS.choose(level, again, seed, 0.0) == move


def test_chance_moves_the_levels_that_use_it() -> None:
    """The comparison above would be idle if the seed meant nothing: easy and expert leave something to chance."""
    view = has_choice(some_way_into_a_hand(("all-fives", 2, "solo"), 3)[2].game)
    assert view is not None
    assert len({BOTS.choose("easy", view, seed, 0.0) for seed in range(50)}) > 1
