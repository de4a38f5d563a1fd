"""The smallest bot: it makes the first move there is."""

from app.engine.moves import Move
from app.engine.views import SeatView


def choose(view: SeatView) -> Move:
    """A move that is legal now; `legal_moves` is never empty when a bot is asked."""
    return view.legal_moves[0]
