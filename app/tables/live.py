"""What streams need from outside, as protocols: places to wait, players' feeds, and a count of who streams.

`app.storage` implements them on Redis; tests have in-memory twins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from app.tables.events import TableEvent
from app.tables.notices import Entry, Notice


class Glance(Struct, frozen=True, kw_only=True):
    """What a stream looks at every few seconds."""

    version: int
    """0: there is no such table (any more)."""
    seen: Mapping[int, datetime]
    """When each seat was last connected."""
    now: datetime
    """The store's clock."""


class Watch(Protocol):
    """A place at the door of one table, to wait at again and again."""

    @property
    def stopped(self) -> bool:
        """The process is stopping: nobody waits any longer."""

    def wait(self, version: int, seconds: float) -> bool:
        """Block until the version is above `version`; False: time ran out, presence changed, or the process stops."""

    def entries(self, after: int, limit: int) -> Sequence[TableEvent]:
        """Entries of the log with `seq > after`, oldest first, at most `limit`. Raises: TableNotFound."""

    def glance(self, seat: int | None) -> Glance:
        """Note that this seat is connected, if it is one, and look at who else is."""


class Bell(Protocol):
    """A place to wait for news of one player."""

    @property
    def stopped(self) -> bool:
        """The process is stopping: nobody waits any longer."""

    def wait(self, seconds: float) -> bool:
        """Block until there may be news since the last call; False: time ran out, or the process stops."""


class Feeds(Protocol):
    """What players are told over all of their tables; `app.storage.feeds` says why nothing is lost."""

    def tell(self, notice: Notice) -> None:
        """One notice that no step of a table causes, such as an invitation."""

    def read(self, player_id: str, after: int, limit: int) -> Sequence[Entry]:
        """Entries with `seq > after` that have come true, oldest first, at most `limit`.

        Ends before an entry whose step may still be under way.
        """

    def newest(self, player_id: str) -> int:
        """The cursor for whatever is told from now on; 0 where nothing is kept."""

    def latest(self, player_id: str) -> int:
        """No `seq` given so far is greater."""

    def listen(self, player_id: str) -> AbstractContextManager[Bell]:
        """A place to wait for this player's news."""


class Permit(Protocol):
    """An open stream's place among those its token and its address may have."""

    @property
    def revoked(self) -> bool:
        """The token is not known any more."""

    def give_back(self) -> None:
        """The stream is closed; a second time changes nothing."""


class Turnstile(Protocol):
    """Counts open streams over all processes. A process that dies takes its count with it, a little later."""

    def enter(self, token: tuple[str, str] | None, address: str) -> Permit | None:
        """A permit for one more stream; None: there are too many.

        Args:
            token: Player and token id; None: a spectator.
            address: Where the client is.
        """


class StreamTerms(Struct, frozen=True, kw_only=True):
    """How many streams may be open, and how long one lives."""

    per_token: int = 500
    per_address: int = 2500
    life_seconds: float = 900
    """About how long a stream lives; the client comes back and goes on from its cursor."""
