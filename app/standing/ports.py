"""What standing needs from outside: a place for records, and a list of games that are still to be booked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from app.standing.pools import Pool
from app.standing.record import Record

Written = Literal["written", "already", "moved_on"]
"""`already`: this game was booked before, nothing was written. `moved_on`: a record has changed; look again."""


class Ranked(Struct, frozen=True, kw_only=True):
    """A record and its place on the board of its pool."""

    id: str
    record: Record
    rank: int | None
    """1 is best, equal ratings share one; None: too few games for the board."""


class StandingStore(Protocol):
    def records(self, pool: Pool, ids: Sequence[str]) -> Mapping[str, Record]:
        """Those there are."""

    def write(self, pool: Pool, table_id: str, records: Mapping[str, Record]) -> Written:
        """Book one game, all of it or nothing, and once for ever: its mark outlives the table.

        Every record must be one version ahead of what is kept.
        """

    def of(self, entry_id: str, pools: Sequence[Pool]) -> Mapping[Pool, Ranked]:
        """One player's records, by pool; those there are."""

    def board(self, pool: Pool, limit: int, cursor: str | None) -> tuple[Sequence[Ranked], str | None]:
        """The board, best first, and the next cursor. Raises: ValueError for a bad cursor."""

    def forget(self, entry_id: str, pools: Sequence[Pool]) -> None:
        """Remove every record of a player."""


class PendingGames(Protocol):
    """Finished games that are still to be booked. A step that ends a game brings its entry, before it is written."""

    def take(self, limit: int) -> Sequence[str]:
        """Tables whose entry has waited long enough for the worker that was asked; each comes again in a minute."""

    def remove(self, table_id: str) -> None: ...
