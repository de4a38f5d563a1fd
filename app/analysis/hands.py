"""A finished hand played again: every move in it, with the game as it was when the move was made."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from app.engine.events import (
    GameEvent,
    HandDealt,
    MugginsCalled,
    PointsScored,
    RuleSetName,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.evolve import evolve
from app.engine.game import Game
from app.engine.ruleset import Seating
from app.tables.shapes import FinishedHand

Made = TilePlayed | TilesDrawn | TurnPassed | MugginsCalled
_GAME_EVENTS = get_args(GameEvent)


class Moment(Struct, frozen=True):
    """One move."""

    number: int
    """In the hand, from 1, counting plays, draws, passes and calls."""
    before: Game
    event: Made
    after: Game
    """With the move alone done, not what followed from it."""


def moments(hand: FinishedHand, ruleset: RuleSetName, players: int, seating: Seating) -> list[Moment]:
    """Every move of the hand, in order.

    Raises: ValueError, if its events cannot follow each other.
    """
    game = Game(ruleset=ruleset, players=players, seating=seating, hand_number=hand.number - 1)
    found: list[Moment] = []
    for event in hand.events:
        if not isinstance(event, _GAME_EVENTS):
            continue
        before, game = game, evolve(game, event)
        if isinstance(event, HandDealt):
            assert game.hand is not None
            game = replace(game, hand=replace(game.hand, scores=_scores_before(hand)))
        elif isinstance(event, Made):
            found.append(Moment(len(found) + 1, before, event, game))
    return found


def _scores_before(hand: FinishedHand) -> tuple[int, ...]:
    """The scores the hand began with: those it ended with, less what it brought."""
    brought = [*hand.result.points]
    for event in hand.events:
        if isinstance(event, PointsScored) and event.reason != "hand_end":
            brought[event.side] += event.points
    return tuple(score - more for score, more in zip(hand.result.scores, brought, strict=True))
