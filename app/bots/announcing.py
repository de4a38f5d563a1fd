"""What is done in every bot's place where points are claimed: missed ones are called, and its own announced."""

from __future__ import annotations

from msgspec.structs import replace

from app.engine.moves import Move
from app.engine.views import SeatView, preview

MOST_ANNOUNCED = 1000
"""Points; the API takes no more."""


def without_calls(view: SeatView) -> SeatView:
    """The view as a bot is shown it: whoever is asked for a move has nothing to call, for that is done in his place."""
    return replace(view, legal_moves=tuple(move for move in view.legal_moves if move.action != "muggins"))


def announced(view: SeatView, move: Move) -> Move:
    """The move with its points announced, where a claim table asks for them and the bot has not done so itself.

    A move that cannot be made has no points, and stays as it is.
    """
    if move.action != "play" or not view.rules.claim or move.announce is not None:
        return move
    try:
        return replace(move, announce=preview(view, move)[1] or None)
    except ValueError:
        return move
