"""A move made ahead: what a seat will play when its turn comes, if it is legal then. Nobody else ever sees it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.engine.moves import Move


class PreMove(Struct, frozen=True, kw_only=True):
    """One seat's, for the hand it was made in."""

    player_id: str
    hand: int
    """Number of the hand; in any other it means nothing."""
    tile: str
    end: str | None = None
    """None: wherever the tile fits, if there is only one way."""
    lengthwise: bool = False

    def among(self, moves: Sequence[Move]) -> Move | None:
        """The legal move that is meant; None: it is not legal, or more than one could be meant."""
        meant = [
            move
            for move in moves
            if move.action == "play"
            and move.tile == self.tile
            and move.lengthwise == self.lengthwise
            and self.end in (None, move.end)
        ]
        return meant[0] if len(meant) == 1 else None
