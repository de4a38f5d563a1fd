"""Level hard: points now against the best reply of unseen tiles, and what is left in hand."""

from __future__ import annotations

from app.bots.known import choices, known, only_move
from app.bots.lookahead import values
from app.engine.moves import Move
from app.engine.views import SeatView


def choose(view: SeatView, seed: int) -> Move:  # noqa: ARG001 - it leaves nothing to chance
    """The legal move of the highest value. Raises: ValueError when the seat is not on turn."""
    move = only_move(view)
    if move is not None:
        return move
    now = known(view)
    options = choices(view, now)
    valued = values(now, options)
    return options[valued.index(max(valued))].move
