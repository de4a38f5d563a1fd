"""A few threads that do small pieces of work; what they cannot take is left undone and comes again."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from app.tables.ports import StoreUnavailable

Entry = tuple[str, int]
"""Table id and version."""

log = logging.getLogger(__name__)


class Crew:
    """Daemon threads, so that none of them holds up the end of the process: half-done work is safe to lose."""

    def __init__(self, work: Callable[[str, int], object], *, threads: int, waiting: int) -> None:
        """`threads`: how many there are; `waiting`: entries that may wait for one."""
        self._work = work
        self._size = threads
        self._threads: list[threading.Thread] = []
        self._waiting: queue.Queue[Entry] = queue.Queue(waiting)
        self._taken: set[Entry] = set()
        self._lock = threading.Lock()

    def give(self, entry: Entry) -> bool:
        """Hand over one entry; False: it is being done already, or everybody is busy."""
        with self._lock:
            if not self._threads:
                self._begin()
            if entry in self._taken:
                return False
            try:
                self._waiting.put_nowait(entry)
            except queue.Full:
                return False
            self._taken.add(entry)
            return True

    def _begin(self) -> None:
        for number in range(self._size):
            thread = threading.Thread(target=self._serve, name=f"crew-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _serve(self) -> None:
        while True:
            entry = self._waiting.get()
            try:
                self._work(*entry)
            except StoreUnavailable:
                pass  # the clock itself meets this too and says so once
            except Exception as error:  # noqa: BLE001  a thread's outermost loop
                log.error("advancing table %s failed (%s)", entry[0], type(error).__name__)  # noqa: TRY400
            finally:
                with self._lock:
                    self._taken.discard(entry)
