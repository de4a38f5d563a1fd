"""What tables need from outside, as protocols: a store, a queue, bots and chance; `register` has the players.

`app.storage` implements them on Redis; tests have an in-memory twin and run one contract over both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from msgspec import Struct

from app.engine.moves import Move
from app.engine.views import SeatView
from app.tables.events import TableEvent
from app.tables.live import Watch
from app.tables.notices import Notice
from app.tables.pools import Pool, Ticket
from app.tables.premoves import PreMove
from app.tables.receipts import Receipt
from app.tables.table import Table


class Loaded(Struct, frozen=True, kw_only=True):
    """One consistent look at a table."""

    table: Table
    receipts: tuple[Receipt, ...]
    seen: Mapping[int, datetime]
    """When each seat was last connected; presence is not part of the version."""
    client_seeds: Mapping[str, str]
    """Players' parts in the next shuffle, by player id; not part of the version."""
    now: datetime
    """The store's clock."""
    premoves: Mapping[int, PreMove] = {}
    """Per seat; shown to nobody, not part of the version."""
    premove_count: int = 0
    """How often pre-moves have been set or taken back at this table."""


class ClientSeed(Struct, frozen=True, kw_only=True):
    """A player's part in the shuffle, used from the next deal until he brings another."""

    player_id: str
    seed: str


class Step(Struct, frozen=True, kw_only=True):
    """One atomic change of a table: everything here is written, or nothing."""

    before: int
    """Version the table must still have; 0: it must not exist yet."""
    table: Table
    """The state after the step."""
    events: tuple[TableEvent, ...]
    """`seq` from `before + 1` on."""
    receipts: tuple[Receipt, ...]
    """All receipts to keep from now on (already trimmed)."""
    due: datetime | None
    """When the table next needs attention; None: never."""
    keep: timedelta
    """How long its keys live from now."""
    client_seed: ClientSeed | None = None
    """The seed that somebody brings with this step."""
    notices: tuple[Notice, ...] = ()
    """What its players are told in their feeds."""
    premove_count: int | None = None
    """What it must still be, so that no pre-move is passed over; None: not looked at."""
    premoves_used: tuple[int, ...] = ()
    """Seats whose pre-moves go with this step."""


class TableNotFound(Exception):
    """No such table (any more)."""


class StoreUnavailable(Exception):
    """The store cannot be reached or cannot take writes; try again after `retry_after` seconds."""

    retry_after: float = 1.0


class TableStore(Protocol):
    def now(self) -> datetime:
        """The store's clock, UTC."""

    def load(self, table_id: str) -> Loaded:
        """Raises: TableNotFound."""

    def commit(self, step: Step) -> bool:
        """Write one step; False: the table has moved on and nothing was written.

        Adds the due entry before and after the write, keeps lobby and player lists (entry before, removal after),
        rings the doorbell. When this returns True the step is as durable as the store's setting promises.
        """

    def events(self, table_id: str, after: int, limit: int) -> Sequence[TableEvent]:
        """Events with `seq > after`, oldest first, at most `limit`. Raises: TableNotFound."""

    def touch(self, table_id: str, seat: int) -> None:
        """Note that this seat is connected now."""

    def set_client_seed(self, table_id: str, brought: ClientSeed) -> None:
        """Use this seed from the next deal; nothing happens where there is no such table."""

    def set_premove(self, table_id: str, version: int, seat: int, premove: PreMove | None) -> bool:
        """Keep a seat's pre-move, or take it back; False: the table is not at this version any more."""

    def wait(self, table_id: str, version: int, seconds: float) -> bool:
        """Block this request alone until the table's version is above `version`.

        False: time ran out, or the process is stopping and nobody waits any longer.
        """

    @property
    def stopping(self) -> bool:
        """The process is stopping: answer what waits."""

    def watch(self, table_id: str) -> AbstractContextManager[Watch]:
        """A place to wait at again and again, as streams do."""

    def listed(self, status: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        """Ids of public tables that may have this status (hints), newest first, and the next cursor."""

    def of_player(self, player_id: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        """Ids of tables this player may sit or have sat at (hints), newest first, and the next cursor."""

    def invited(self, code: str) -> str | None:
        """Id of the table that may have this invite code (a hint); None: no table ever had it, or long ago."""

    def inviting(self, player_id: str) -> Sequence[str]:
        """Ids of tables this player may have been invited to lately (hints), newest first."""

    def load_many(self, table_ids: Sequence[str]) -> Sequence[Loaded]:
        """Those that exist, in the order asked."""


class Attempts(Protocol):
    """How often somebody has tried something lately."""

    def take(self, what: str, who: str, at_most: int, seconds: int) -> float | None:
        """Count one attempt. None: it may be made; else the seconds until the next one may.

        `seconds` after the first attempt the count begins anew. Two at once never get the same last place.
        """

    def give_back(self, what: str, who: str) -> None:
        """The attempt was none to be counted."""


class LoadedPool(Struct, frozen=True, kw_only=True):
    """One consistent look at a pool of tickets."""

    pool: Pool | None
    """None: nobody ever waited on these terms, or not lately."""
    ticket: Ticket | None
    """The record of the ticket that was asked for. What the pool says of a ticket that waits is newer."""
    now: datetime
    """The store's clock."""


class TicketStore(Protocol):
    def load(self, pool_id: str, ticket_id: str | None) -> LoadedPool: ...

    def commit(self, pool: Pool, tickets: Sequence[Ticket], due: datetime | None) -> bool:
        """Write a pool over the version before it, with the records of these tickets; False: it has moved on.

        Adds the new version's due entry before and after the write. Rings for tickets that have ended, those whose
        group still stands in the pool excepted. Records, and pools that nobody changes, are kept for a day.
        """

    def wait(self, ticket_id: str, seconds: float) -> bool:
        """Block until the ticket does not wait any more; False: time ran out, or the process is stopping."""

    def take_due(self, limit: int) -> Sequence[tuple[str, int]]:
        """(pool, version) entries whose moment has come; each comes again 2 s later unless it is removed."""

    def remove_due(self, entries: Sequence[tuple[str, int]]) -> None:
        """These versions want no attention any more; a pool that has moved on keeps its newer entry."""

    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]:
        """The current version of each pool that exists."""


TAKEN_FOR = timedelta(seconds=2)
"""Until an entry that was taken comes again."""


class DueIndex(Protocol):
    """Moments at which tables need attention. Entries may be early or double, never lost."""

    def add(self, table_id: str, version: int, at: datetime) -> None: ...

    def take(self, limit: int) -> Sequence[tuple[str, int]]:
        """(table, version) entries whose time has come; each comes again after `TAKEN_FOR`, unless removed."""

    def remove(self, table_id: str, version: int) -> None: ...

    def versions(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        """The current version of each table that exists."""


class Queue(Protocol):
    def advance(self, table_id: str, version: int) -> None:
        """Ask a worker to do what is due. Never raises: a lost job is found again by the due index."""

    def book(self, table_id: str) -> None:
        """Ask a worker to book a finished game. Never raises: a lost job is found again among the pending games."""

    def analyse(self, table_id: str, hand: int, *, again: bool = False) -> None:
        """Ask a worker to carry on with an analysis. Never raises: a lost job is asked for again by who waits for it.

        `again`: the job that was asked for may only be waiting its turn; nothing is asked for if many do.
        """


class Bots(Protocol):
    @property
    def think_seconds(self) -> Mapping[str, float]:
        """The levels there are; a move of each is released so many seconds after the start of its turn."""

    def choose(self, level: str, view: SeatView, seed: int, forgetfulness: float) -> Move:
        """The move of the seat on turn: one of `view.legal_moves`, with its announcement on a claim table."""

    def choose_call(self, level: str, view: SeatView, seed: int, forgetfulness: float) -> Move | None:
        """Whether a seat that may call "Muggins!" does; None: it sees nothing, or forgets to."""


class Chance(Protocol):
    def order(self) -> tuple[str, ...]:
        """The 28 tiles in random order, for what a scripted deal leaves open."""

    def secret(self) -> str:
        """64 hex digits."""

    def table_id(self) -> str: ...

    def invite_code(self) -> str: ...
