"""A player's feed over all of his tables: what he was told, and what he may see now where it is his turn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from app.tables.following import LOOK_EVERY, STORE_AWAY, StillHere
from app.tables.live import Feeds
from app.tables.notices import Entry
from app.tables.ports import StoreUnavailable, TableStore
from app.tables.reading import LONGEST_WAIT
from app.tables.refusals import Refusal, unauthenticated
from app.tables.requests import Asker
from app.tables.shapes import FeedEvent, FeedPage, OwnShape
from app.tables.views import own_view

ENTRIES = 100
"""Entries a stream reads in one go."""


class Feed:
    """Use cases of a player who asks what there is for him, anywhere."""

    def __init__(self, store: TableStore, feeds: Feeds) -> None:
        self._store = store
        self._feeds = feeds

    def events(self, asker: Asker, *, after: int | None, limit: int, wait: float) -> FeedPage:
        """Entries with `seq > after` (None: told from now on), at most `limit`; with none yet it waits for the first.

        Raises: Refusal `unauthenticated`, `cursor_ahead`; StoreUnavailable.
        """
        player_id = _known(asker)
        cursor = self._cursor(player_id, after)
        ends = time.monotonic() + min(wait, LONGEST_WAIT)
        entries = self._feeds.read(player_id, cursor, limit)
        if not entries and wait > 0:
            with self._feeds.listen(player_id) as bell:
                while not (entries := self._feeds.read(player_id, cursor, limit)):
                    left = ends - time.monotonic()
                    if left <= 0 or bell.stopped:
                        break
                    bell.wait(min(left, LOOK_EVERY))
        return FeedPage(events=self._joined(entries), next_after=entries[-1].seq if entries else cursor)

    def follow(self, asker: Asker, *, after: int | None) -> Iterator[FeedEvent | StillHere]:
        """Entries with `seq > after` (None: told from now on), as they come.

        Raises: Refusal `unauthenticated`, `cursor_ahead`; StoreUnavailable. All of them before the first one.
        """
        player_id = _known(asker)
        return self._signals(player_id, self._cursor(player_id, after))

    def _signals(self, player_id: str, after: int) -> Iterator[FeedEvent | StillHere]:
        with self._feeds.listen(player_id) as bell:
            spoken_at = time.monotonic()
            rung = False
            while not bell.stopped:
                try:
                    entries = self._feeds.read(player_id, after, ENTRIES)
                    for event in self._joined(entries):
                        yield event
                        after = event.seq
                        spoken_at = time.monotonic()
                    # Rung for nothing that is told here: the token may be gone, and whoever writes looks when we speak.
                    if (rung and not entries) or time.monotonic() - spoken_at >= LOOK_EVERY:
                        yield StillHere()
                        spoken_at = time.monotonic()
                    rung = not entries and bell.wait(max(0.0, spoken_at + LOOK_EVERY - time.monotonic()))
                except StoreUnavailable:
                    yield StillHere()
                    time.sleep(STORE_AWAY)

    def _cursor(self, player_id: str, after: int | None) -> int:
        if after is None:
            return self._feeds.newest(player_id)
        latest = self._feeds.latest(player_id)
        if after > latest:
            raise Refusal(
                "cursor_ahead",
                f"Your feed is not further than {latest}: send the `seq` of the last event you have, 0, or `now`.",
                params={"latest": latest},
            )
        return after

    def _joined(self, entries: Sequence[Entry]) -> tuple[FeedEvent, ...]:
        """With `you` as it is now, where it was the player's turn."""
        playing = {entry.notice.table for entry in entries if entry.notice.type == "your_turn"}
        tables = {loaded.table.id: loaded.table for loaded in self._store.load_many(sorted(playing))} if playing else {}
        events = []
        for entry in entries:
            told = entry.notice
            table = tables.get(told.table) if told.type == "your_turn" else None
            you: OwnShape | None = None if table is None else own_view(table, table.seat_of(told.player_id))
            events.append(
                FeedEvent(
                    seq=entry.seq,
                    type=told.type,
                    at=told.at,
                    table=told.table,
                    version=told.version,
                    seat=told.seat,
                    deadline=told.deadline,
                    you=you,
                )
            )
        return tuple(events)


def _known(asker: Asker) -> str:
    if asker.player_id is None:
        raise unauthenticated()
    return asker.player_id
