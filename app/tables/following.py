"""Following a table: its log from a cursor on, for as long as there is something to come, and who is there meanwhile.

The log is read by the same cursor and through the same masks as a poll reads it. A ring only says when to read; a
store that goes away is waited for. Who may not see the table any more is told no more: not what was written after an
invitation of his had run out, either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from app.engine.events import GameEnded
from app.tables.askers import may_see
from app.tables.desk import Desk
from app.tables.events import (
    HostChanged,
    InvitationDeclined,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableEvent,
)
from app.tables.live import Glance, Watch
from app.tables.ports import Loaded, StoreUnavailable, TableNotFound, TableStore
from app.tables.reading import check_cursor
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.views import CONNECTED_FOR

LOOK_EVERY = 4.0
"""Seconds between two looks at who is there; a follower hears something at least this often."""
OPEN_AFTER_END = timedelta(seconds=60)
"""How long after its last event a table that is over may still be followed, for a rematch."""
ENTRIES = 200
"""Entries read in one go."""
STORE_AWAY = 1.0
"""Seconds until the store is tried again."""

CHANGES_WHO_SEES = (SeatTaken, SeatLeft, SeatFreed, HostChanged, InvitationDeclined, TableClosed)
"""Entries after which somebody may see another seat's tiles, or a private table no more; time ends invitations too."""


class Presence(Struct, frozen=True, kw_only=True, tag="presence", tag_field="type"):
    """A seat's player came or went. No part of the log: it has no number and is not told again."""

    seq: None = None
    seat: int
    connected: bool


class StillHere(Struct, frozen=True):
    """Nothing has happened for a while."""


Signal = TableEvent | Presence | StillHere


class Followed(Struct, frozen=True, kw_only=True):
    """A table that is being followed."""

    nothing_left: bool
    """The table is over, and the asker has all there is."""
    signals: Iterator[Signal]
    """Ends when nothing can come any more, when the asker may not see the table any more, or when we stop."""


class Following(Desk):
    """The use case of a stream."""

    def follow(self, asker: Asker, table_id: str, *, after: int) -> Followed:
        """Entries with `seq > after`, as they come.

        Raises: Refusal `not_found`, `cursor_ahead`; StoreUnavailable. All of them before the first signal.
        """
        loaded = self._look(asker, table_id)
        check_cursor(after, loaded.table)
        follower = _Follower(
            store=self._store,
            shown=lambda entries, seat: self._shown(entries, seat, asker.player_id),
            look=lambda: self._look(asker, table_id),
            asker=asker,
            loaded=loaded,
            after=after,
        )
        return Followed(nothing_left=follower.is_done(loaded.table.version, loaded.now), signals=follower.signals())


class _Follower:
    """One reader on the way through one log."""

    def __init__(
        self,
        *,
        store: TableStore,
        shown: Callable[[Sequence[TableEvent], int | None], Sequence[TableEvent]],
        look: Callable[[], Loaded],
        asker: Asker,
        loaded: Loaded,
        after: int,
    ) -> None:
        """`shown`: entries as a seat may read them; `look`: the table, if the asker may (still) see it."""
        self._store = store
        self._shown = shown
        self._look = look
        self._asker = asker
        self._table = loaded.table
        """As last loaded; who sits where and who is invited is all that is asked of it."""
        self._seat = loaded.table.seat_of(asker.player_id)
        self._after = after
        self._over = loaded.table.status in ("finished", "closed")
        self._last_at = loaded.table.changed_at
        self._told: dict[int, bool] = {}
        """What was last told of each seat's presence."""

    def is_done(self, version: int, now: datetime) -> bool:
        """Everything has been told, and nothing can come any more."""
        return self._over and self._after >= version and now - self._last_at >= OPEN_AFTER_END

    def signals(self) -> Iterator[Signal]:
        with self._store.watch(self._table.id) as watch:
            news = True
            look_at = 0.0
            while not watch.stopped:
                try:
                    if news:
                        yield from self._entries(watch)
                    wait = look_at - time.monotonic()
                    news = wait > 0 and watch.wait(self._after, wait)
                    if news or watch.stopped:
                        continue
                    glance = watch.glance(self._seat)
                    look_at = time.monotonic() + LOOK_EVERY
                    # Less than we have told: the store is another one, and this cursor means nothing there.
                    if glance.version < self._after or self.is_done(glance.version, glance.now):
                        return
                    self._look_again_if_out(glance.now)
                    news = glance.version > self._after
                    yield from self._comings_and_goings(glance)
                    yield StillHere()
                except StoreUnavailable:
                    yield StillHere()
                    time.sleep(STORE_AWAY)
                    news = True
                except (Refusal, TableNotFound):
                    return

    def _entries(self, watch: Watch) -> Iterator[TableEvent]:
        """What has come since, page by page. Raises: Refusal, where the asker may not see the table any more."""
        while True:
            entries = watch.entries(self._after, ENTRIES)
            if any(isinstance(entry, CHANGES_WHO_SEES) for entry in entries):
                self._look_again()
            elif entries:
                self._look_again_if_out(entries[-1].at or self._last_at)
            for entry in self._shown(entries, self._seat):
                yield entry
                self._after = entry.seq
                self._over = self._over or isinstance(entry, GameEnded | TableClosed)
                self._last_at = max(self._last_at, entry.at or self._last_at)
            if len(entries) < ENTRIES:
                return

    def _look_again(self) -> None:
        """Who sits where now. Raises: Refusal, where the asker may not see the table any more."""
        self._table = self._look().table
        self._seat = self._table.seat_of(self._asker.player_id)

    def _look_again_if_out(self, now: datetime) -> None:
        """Look again where an invitation has run out by now; he may have been asked anew. Raises: as `_look_again`."""
        if not may_see(self._table, self._asker, now):
            self._look_again()

    def _comings_and_goings(self, glance: Glance) -> Iterator[Presence]:
        for number, seat in enumerate(self._table.seats):
            if not seat.is_player:
                continue
            connected = number in glance.seen and glance.now - glance.seen[number] <= CONNECTED_FOR
            if self._told.get(number) != connected:
                self._told[number] = connected
                yield Presence(seat=number, connected=connected)
