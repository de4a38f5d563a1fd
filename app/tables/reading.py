"""Looking at tables: views, events, lists. Reading changes nothing but presence."""

from __future__ import annotations

import time
from collections.abc import Sequence

from app.engine.tiles import size
from app.engine.views import lacks, unseen
from app.tables.askers import is_insider
from app.tables.desk import Desk, Done
from app.tables.events import TableEvent
from app.tables.moments import is_expired
from app.tables.ports import Loaded
from app.tables.refusals import Refusal, invalid
from app.tables.requests import Asker
from app.tables.shapes import (
    EventPage,
    Knowledge,
    KnownOfSeat,
    Page,
    TableView,
)
from app.tables.table import Table
from app.tables.views import connected_seats, free_seats_for, may_act, summary_of

LONGEST_WAIT = 25.0
"""Seconds a long-poll may wait."""
PRESENT_EVERY = 10.0
"""Seconds after which a waiting request says again that its player is there: fewer than a seat stays connected."""


class Reading(Desk):
    """Use cases that only look."""

    def view(
        self,
        asker: Asker,
        table_id: str,
        *,
        newer_than: int | None = None,
        wait: float = 0,
        until_my_turn: bool = False,
    ) -> TableView:
        """The table as the asker sees it; with `newer_than` not before its version is greater, or the time is up.

        Raises: Refusal `not_found`; `cursor_ahead` if `newer_than` is greater than the version.
        """
        loaded = self._look(asker, table_id)
        if newer_than is not None:
            check_cursor(newer_than, loaded.table)
            ends = time.monotonic() + min(wait, LONGEST_WAIT)
            while not _is_news(loaded.table, asker, newer_than, until_my_turn):
                self._present(loaded, asker)
                self._nudge(loaded)
                left = ends - time.monotonic()
                if left <= 0:
                    break
                self._store.wait(table_id, max(newer_than, loaded.table.version), min(left, PRESENT_EVERY))
                loaded = self._look(asker, table_id)
                if self._store.stopping:
                    break
        self._present(loaded, asker)
        self._nudge(loaded)
        return self._view(self._as_seen(loaded, asker), asker)

    def version(self, asker: Asker, table_id: str) -> int:
        """The table's version, for whoever asks whether anything is new."""
        loaded = self._look(asker, table_id)
        self._present(loaded, asker)
        self._nudge(loaded)
        return loaded.table.version

    def events(self, asker: Asker, table_id: str, *, after: int, limit: int, wait: float) -> EventPage:
        """Entries with `seq > after`, at most `limit`; with none yet it waits for the first."""
        loaded = self._look(asker, table_id)
        check_cursor(after, loaded.table)
        ends = time.monotonic() + min(wait, LONGEST_WAIT)
        while loaded.table.version <= after:
            self._present(loaded, asker)
            self._nudge(loaded)
            left = ends - time.monotonic()
            if left <= 0:
                break
            self._store.wait(table_id, after, min(left, PRESENT_EVERY))
            loaded = self._look(asker, table_id)
            if self._store.stopping:
                break
        self._present(loaded, asker)
        self._nudge(loaded)
        entries: Sequence[TableEvent] = ()
        version = loaded.table.version
        if version > after:
            # Nothing newer than the look that says which seat is the asker's: since then he may have changed it.
            entries = self._store.events(table_id, after, min(limit, version - after))
        return EventPage(
            events=self._shown(entries, loaded.table.seat_of(asker.player_id), asker.player_id),
            next_after=entries[-1].seq if entries else after,
            version=version,
        )

    def knowledge(self, asker: Asker, table_id: str) -> Knowledge:
        """What the hand has told everybody alike: the same answer for every seat and for spectators."""
        table = self._look(asker, table_id).table
        game = table.game
        if game is None or game.hand is None:
            return Knowledge(version=table.version, hand=None, boneyard=0, unseen=(), seats=())
        return Knowledge(
            version=table.version,
            hand=game.hand_number,
            boneyard=len(game.hand.boneyard),
            unseen=unseen(game),
            seats=tuple(
                KnownOfSeat(seat=seat, tiles=size(game.hand.holdings[seat]), lacks=numbers)
                for seat, numbers in enumerate(lacks(game))
            ),
        )

    def lobby(
        self,
        asker: Asker,
        *,
        status: str | None,
        ruleset: str | None,
        players: int | None,
        seating: str | None = None,
        free_seats: int | None = None,
        limit: int,
        cursor: str | None,
    ) -> Page:
        """Public tables, newest first; `status` None: those where a seat is free for the asker. A page may be short."""
        wanted = status or "open"
        least = free_seats if free_seats is not None else 0 if status else 1
        try:
            ids, after = self._store.listed(wanted, limit, cursor)
        except ValueError as error:
            raise _bad_cursor() from error
        tables = [loaded.table for loaded in self._store.load_many(ids) if _is_live(loaded)]
        return Page(
            items=tuple(
                summary_of(table, asker.player_id)
                for table in tables
                if table.status == wanted
                and table.visibility == "public"
                and not table.practice
                and (ruleset is None or table.ruleset.id == ruleset)
                and (players is None or table.players == players)
                and (seating is None or table.seating == seating)
                and free_seats_for(table, asker.player_id) >= least
            ),
            next_cursor=after,
        )

    def of_player(self, asker: Asker, *, status: str | None, limit: int, cursor: str | None) -> Page:
        """The caller's tables, newest first; `active`: open or playing; None: all."""
        assert asker.player_id is not None
        try:
            ids, after = self._store.of_player(asker.player_id, limit, cursor)
        except ValueError as error:
            raise _bad_cursor() from error
        wanted = {"open", "playing"} if status == "active" else {status}
        tables = [loaded.table for loaded in self._store.load_many(ids) if _is_live(loaded)]
        return Page(
            items=tuple(
                summary_of(table, asker.player_id)
                for table in tables
                if (status is None or table.status in wanted) and is_insider(table, asker)
            ),
            next_cursor=after,
        )

    def _present(self, loaded: Loaded, asker: Asker) -> None:
        seat = loaded.table.seat_of(asker.player_id)
        if seat is not None:
            self._store.touch(loaded.table.id, seat)

    def _as_seen(self, loaded: Loaded, asker: Asker) -> Done:
        """What there is, as an answer: the asker himself is there now."""
        seen = dict(loaded.seen)
        seat = loaded.table.seat_of(asker.player_id)
        if seat is not None:
            seen[seat] = loaded.now
        connected = connected_seats(loaded.table.seats, seen, loaded.now)
        return Done(table=loaded.table, events=(), now=loaded.now, connected=connected)


def _is_news(table: Table, asker: Asker, newer_than: int, until_my_turn: bool) -> bool:
    if table.version <= newer_than:
        return False
    if not until_my_turn or table.status in ("finished", "closed"):
        return True
    return may_act(table, table.seat_of(asker.player_id))


def _is_live(loaded: Loaded) -> bool:
    """Not an open table whose time has passed but which nobody has closed yet."""
    return not is_expired(loaded.table, loaded.now)


def check_cursor(after: int, table: Table) -> None:
    if after > table.version:
        raise Refusal(
            "cursor_ahead",
            f"The table is at version {table.version}; {after} is yet to come: ask again after {table.version}.",
            params={"version": table.version},
            version=table.version,
        )


def _bad_cursor() -> Refusal:
    return invalid("?cursor", "cursor", "This cursor is none of ours: take `next_cursor` of the page before, or none.")
