"""The newest entries of one table's log, read once for all in this process who follow the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from app.tables.events import TableEvent

KEPT = 200
"""Newest entries kept."""


class Tail:
    """Entries never change, so they are kept until the store may have lost some with its primary."""

    def __init__(self, read: Callable[[int, int], Sequence[TableEvent]]) -> None:
        """`read`: entries of the log after a version, at most so many."""
        self._read = read
        self._entries: list[TableEvent] = []
        """Without a gap, oldest first."""
        self._lock = threading.Lock()

    def entries(self, after: int, version: int, limit: int) -> Sequence[TableEvent]:
        """Entries with `seq > after`, at most `limit`; `version`: how far the log goes at least, as far as is known.

        Raises: TableNotFound, StoreUnavailable.
        """
        with self._lock:
            # Who comes while another reads waits here, and finds what the other has read.
            kept = self._entries
            if kept and after < version <= kept[-1].seq and kept[0].seq <= after + 1:
                start = after + 1 - kept[0].seq
                return kept[start : start + limit]
            page = self._read(after, limit)
            if page and (not kept or page[-1].seq > kept[-1].seq):
                follows = bool(kept) and kept[0].seq <= page[0].seq <= kept[-1].seq + 1
                before = kept[: page[0].seq - kept[0].seq] if follows else []
                self._entries = [*before, *page][-KEPT:]
            return page

    def forget(self) -> None:
        """The store may be another one now."""
        self._entries = []
