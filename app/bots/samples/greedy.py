"""A greedy bot: the most points now, and among equals a double, then the tile with most spots."""

from app.engine.moves import Move
from app.engine.tiles import HALVES, parse_tile
from app.engine.views import SeatView, preview


def choose(view: SeatView) -> Move:
    """The play worth most; where nothing fits there is one move only, a draw or a pass."""
    plays = [move for move in view.legal_moves if move.action == "play"]
    return max(plays, key=lambda move: worth(view, move)) if plays else view.legal_moves[0]


def worth(view: SeatView, move: Move) -> tuple[int, bool, int]:
    """Points first; `preview` counts as a player would, for on claim tables moves do not tell their points."""
    _, points = preview(view, move)
    high, low = HALVES[parse_tile(move.tile or "")]
    return points, high == low, high + low
