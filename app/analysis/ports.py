"""What analyses need from outside: a place where they are kept beside their table, done or not.

A queue only does the work: that an analysis was asked for, and how far it is, is kept here alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, Protocol

from msgspec import Struct

from app.analysis.shapes import HandAnalysis, MoveAnalysis

Asked = Literal["anew", "again", "known"]
"""`again`: nothing had been heard of it for too long. `known`: it is done, or being done; nothing was written."""


class Kept(Struct, frozen=True, kw_only=True):
    """One analysis that was asked for."""

    asked_at: datetime
    heard_at: datetime
    """When it was last asked for or worked on."""
    now: datetime
    """The store's clock."""
    done: int = 0
    """Moves that are done."""
    moves: int = 0
    """Moves of the hand; 0 until a worker has counted them."""
    ready_at: datetime | None = None
    failed: bool = False
    analysis: HandAnalysis | None = None
    """Once it is ready."""


class Begun(Struct, frozen=True, kw_only=True):
    """Work that somebody takes up."""

    done: tuple[MoveAnalysis, ...]
    """Moves that are done, the last of the hand first."""
    tries: int
    """How often it was taken up since the last move was done, this time counted."""


class AnalysisStore(Protocol):
    """Everything here is kept as long as the table, and not without it."""

    def look(self, table_id: str, hand: int) -> Kept | None:
        """None: nobody has asked for it."""

    def ask(self, table_id: str, hand: int, patience: timedelta, *, anew: bool) -> Asked:
        """Note that it is wanted; of all who ask at once, one is told `anew` or `again`.

        `patience`: how long nothing may have been heard of it. `anew`: where nobody has asked yet, or it has failed.

        Raises: TableNotFound.
        """

    def begin(self, table_id: str, hand: int) -> Begun | None:
        """Take up the work; None: there is none."""

    def keep(self, table_id: str, hand: int, done: tuple[MoveAnalysis, ...], moves: int) -> None:
        """Keep what is done of so many moves, if it is more than is kept."""

    def conclude(self, table_id: str, hand: int, analysis: HandAnalysis) -> None:
        """It is ready."""

    def fail(self, table_id: str, hand: int) -> None:
        """It will not become ready, unless somebody asks anew."""
