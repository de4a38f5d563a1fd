"""Level easy: any legal move."""

from __future__ import annotations

from app.bots.chance import below
from app.engine.moves import Move
from app.engine.views import SeatView

WHICH = 1
"""Purpose of the number that picks the move."""


def choose(view: SeatView, seed: int) -> Move:
    """Any legal move of the seat on turn, each equally likely. Raises: ValueError when it has none."""
    moves = [move for move in view.legal_moves if move.action != "muggins"]
    if not moves:
        raise ValueError(f"seat {view.seat} is not on turn")
    return moves[below(seed, WHICH, len(moves))]
