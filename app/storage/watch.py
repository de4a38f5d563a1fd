"""Places to wait: at the door of one table, and for news of one player. The doorbell rings at them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from app.storage.tail import Tail
from app.tables.events import TableEvent
from app.tables.live import Glance
from app.tables.ports import StoreUnavailable

READ_AGAIN = 5.0
"""Seconds after which a waiter reads the version although nothing rang."""


class Watch:
    """One request's place at the door of one table."""

    def __init__(
        self, read_version: Callable[[], int], glance: Callable[[int | None, Watch], Glance], tail: Tail
    ) -> None:
        """`glance`: notes that a seat is there and looks at the table; see `app.tables.live`."""
        self._read_version = read_version
        self._glance = glance
        self._tail = tail
        self._bell = threading.Event()
        self._rung = 0
        """Version of the last ring; only the listener writes it."""
        self._read = 0
        """Version when last read; only the waiter writes it."""
        self._read_at: float | None = None
        """Monotonic time of the last read."""
        self._unsure = True
        self._glanced = False
        self._stirred = False
        self.stopped = False

    def wait(self, version: int, seconds: float) -> bool:
        """Block until the table's version is above `version`; False: time ran out, or the process is stopping.

        False as well when a seat's player has come back since the last `glance`, for those who have glanced. A store
        that goes away while we wait is waited for.

        Raises:
            StoreUnavailable: the version has never been read yet, and cannot be.
        """
        until = time.monotonic() + seconds
        while True:
            self._bell.clear()
            if max(self._rung, self._read) > version:
                return True
            now = time.monotonic()
            if self._unsure or self._read_at is None or now - self._read_at >= READ_AGAIN:
                self._look()
                continue
            if self.stopped or self._stirred or now >= until:
                return False
            self._bell.wait(min(until, self._read_at + READ_AGAIN) - now)

    def ring(self, version: int) -> None:
        """The table has this version now."""
        self._rung = version
        self._bell.set()

    def doubt(self) -> None:
        """Rings may have been missed, or told of steps the store has lost with its primary."""
        self._rung = 0
        self._unsure = True
        self._bell.set()

    def stir(self) -> None:
        """Somebody is there again."""
        self._stirred = self._glanced
        self._bell.set()

    def stop(self) -> None:
        """Wait no longer."""
        self.stopped = True
        self._bell.set()

    def glance(self, seat: int | None) -> Glance:
        """Note that this seat is there, if it is one, and look at the table; that counts as reading the version."""
        self._stirred, self._glanced, self._unsure = False, True, False
        try:
            glance = self._glance(seat, self)
        except StoreUnavailable:
            self._unsure = True
            raise
        self._read, self._read_at = glance.version, time.monotonic()
        return glance

    def entries(self, after: int, limit: int) -> Sequence[TableEvent]:
        """Entries of the log with `seq > after`, oldest first, at most `limit`. Raises: TableNotFound."""
        return self._tail.entries(after, max(self._rung, self._read), limit)

    def _look(self) -> None:
        self._unsure = False
        try:
            self._read = self._read_version()
        except StoreUnavailable:
            if self._read_at is None:
                self._unsure = True
                raise
        self._read_at = time.monotonic()


class Bell:
    """One request's place to wait for news of one player; it always reads before it waits."""

    def __init__(self) -> None:
        self._bell = threading.Event()
        self.stopped = False

    def wait(self, seconds: float) -> bool:
        """Block until there may be news since the last call; False: time ran out, or the process is stopping."""
        if self.stopped:
            return False
        news = self._bell.wait(seconds)
        self._bell.clear()
        return news and not self.stopped

    def ring(self) -> None:
        """There may be news."""
        self._bell.set()

    def stop(self) -> None:
        """Wait no longer."""
        self.stopped = True
        self._bell.set()
