"""The samples play whole games of every rule set by the rules, and the better ones win more."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.bots import medium
from app.bots.announcing import announced
from app.bots.files import load
from app.engine.actions import Action, CloseClaim, Deal
from app.engine.events import GameStarted
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, phase
from app.engine.moves import Move
from app.engine.tiles import NAMES
from app.engine.turns import decide
from app.engine.views import SeatView, seat_view
from app.kit.bot import legal
from tests.engine.deals import TABLES, action_of, table_name

SAMPLES = sorted((Path(__file__).parents[2] / "app" / "bots" / "samples").glob("[!_]*.py"))
Choose = Callable[[SeatView, int], Move]


def test_there_are_three_and_the_smallest_has_ten_lines_at_most() -> None:
    assert [path.stem for path in SAMPLES] == ["careful", "first", "greedy"]
    assert len(SAMPLES[1].read_text().splitlines()) <= 10


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_every_sample_plays_every_rule_set_by_the_rules(table: tuple[str, int, str]) -> None:
    samples = [load(str(path)) for path in SAMPLES]
    game = play(new_game(*table, {"max_hands": 2}), [samples[seat % 3] for seat in range(table[1])], seed=3)
    assert game.result is not None


@pytest.mark.parametrize(("sample", "other", "least"), [("careful", "greedy", 0.52), ("greedy", "first", 0.8)])
def test_the_better_sample_wins_more(sample: str, other: str, least: float) -> None:
    """Each deal is played from both sides, so that luck cuts out."""
    bots = [load(str(path)) for path in SAMPLES if path.stem in (sample, other)]
    better = 0 if sample < other else 1
    won = 0.0
    for seed in range(40):
        for order in (bots, bots[::-1]):
            game = play(new_game("all-fives", 2, None, {"target_points": 100}), order, seed=seed)
            assert game.result is not None
            own = better if order is bots else 1 - better
            won += 0.5 if game.result.winner is None else game.result.winner == own
    assert won / 80 > least


def test_greedy_is_level_medium() -> None:
    greedy = load(str(SAMPLES[2]))

    def both(view: SeatView, seed: int) -> Move:
        move = greedy(view, seed)
        assert move == medium.choose(view, seed)
        return move

    play(new_game("all-fives", 2, None, {"max_hands": 5}), [both, both], seed=1)


def play(started: GameStarted, bots: Sequence[Choose], *, seed: int) -> Game:
    """A game from deals that the seed names; every move must be legal."""
    game = evolve(None, started)
    while not game.over:
        action: Action
        if phase(game) in (None, "over"):
            action = Deal(order=dealt(seed, game.hand_number), lot=seed % game.players)
        elif phase(game) == "claim":
            action = CloseClaim()
        else:
            assert game.hand is not None
            seat = game.hand.turn
            view = seat_view(game, seat)
            move = legal(view, bots[seat](view, seed))
            assert move is not None, f"{view.legal_moves} are legal"
            action = action_of(announced(view, move), seat)
        for event in decide(game, action):
            game = evolve(game, event)
    return game


def dealt(seed: int, hand: int) -> tuple[str, ...]:
    """An order of the tiles, the same whenever asked."""
    order = list(NAMES)
    random.Random(f"{seed}:{hand}").shuffle(order)
    return tuple(order)
