"""Level medium: the most points now; among equals the heaviest tile, doubles first. Also plays for absent players."""

from __future__ import annotations

from app.engine.moves import Move
from app.engine.tiles import is_double, parse_tile
from app.engine.views import SeatView, preview


def choose(view: SeatView, seed: int) -> Move:  # noqa: ARG001 - it leaves nothing to chance
    """The greediest legal move of the seat on turn. Raises: ValueError when it has none."""
    moves = [move for move in view.legal_moves if move.action != "muggins"]
    if not moves:
        raise ValueError(f"seat {view.seat} is not on turn")
    return max(moves, key=lambda move: _greed(view, move))


def _greed(view: SeatView, move: Move) -> tuple[int, bool, int]:
    if move.tile is None:
        return 0, False, 0
    points = move.points if move.points is not None else preview(view, move)[1]
    tile = parse_tile(move.tile)
    return points, is_double(tile), sum(int(half) for half in move.tile)
