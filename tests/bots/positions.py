"""Positions that bots are asked in: seats with a choice, in hands that bots have played so far."""

from __future__ import annotations

import random

from app.bots.levels import HouseBots
from app.engine.actions import Action, CloseClaim
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, turn
from app.engine.views import SeatView, seat_view
from tests.engine.deals import action_of, shuffled
from tests.notation import Sitting

BOTS = HouseBots()


def has_choice(game: Game) -> SeatView | None:
    """The view of the seat on turn, if it has more than one move."""
    seat = turn(game)
    view = None if seat is None else seat_view(game, seat)
    return view if view is not None and sum(move.action != "muggins" for move in view.legal_moves) > 1 else None


def some_way_into_a_hand(
    table: tuple[str, int, str], seed: int, level: str = "medium"
) -> tuple[Game, list[Action], Sitting]:
    """The game before its first deal, everything done in its first hand, and where that led: somebody has a choice."""
    rng = random.Random(f"{table} {seed}")
    started = new_game(*table)
    start = evolve(None, started)
    while True:
        actions: list[Action] = [shuffled(rng)]
        sitting = Sitting([], start)
        sitting.act(actions[0])
        for _ in range(rng.randrange(20)):
            if sitting.game.hand is None or sitting.game.hand.over:
                break
            seat = turn(sitting.game)
            if seat is None:
                action: Action = CloseClaim()
            else:
                action = action_of(BOTS.choose(level, seat_view(sitting.game, seat), rng.getrandbits(64), 0.1), seat)
            actions.append(action)
            sitting.act(action)
        if has_choice(sitting.game) is not None:
            return start, actions, sitting
