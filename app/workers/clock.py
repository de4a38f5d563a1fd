"""The clock process: sees to it that whatever is due happens, by a worker if there is one, else by itself.

Any number of clocks may run; a lease lets one at a time be active. Two at once do no harm: every step is fenced by the
table's version.
"""

from __future__ import annotations

import logging
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from app.config import Settings
from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.lease import Lease
from app.storage.pending import RedisPending
from app.storage.queue import QUEUED_KEPT, RqQueue
from app.tables.ports import DueIndex, StoreUnavailable
from app.wiring import services
from app.workers.crew import Crew, Entry
from app.workers.overlooked import Overlooked

POLL = 0.05
"""Seconds between two looks at the due index."""
STAND_BY = 0.2
"""Seconds between two looks at a lease somebody else has."""
LEASE_LASTS = 1_000
"""Milliseconds after which the lease of a clock that was killed runs out."""
LEASE_RENEWED = 0.25
"""Seconds between two renewals."""
TAKEN = 400
"""Entries taken in one look."""
PATIENCE = 0.2
"""Seconds a worker has before the clock does the work itself, all but bots' thinking."""
COMES_WITHIN = 60.0
"""Seconds an entry may run ahead of its version; then the step it was written for was never taken."""
BACKLOG = 50
"""Waiting jobs above which nothing is asked for twice: the first job is still in the queue."""
FORGET_EVERY = 10.0
"""Seconds between two looks through the clock's own notes."""
THREADS = 4
"""Threads that do the work no worker has done."""
MOST_BACKOFF = 0.5
"""Seconds at most until the store is tried again."""
ANSWER_SECONDS = 0.5
"""Seconds until an answer of the store is given up."""

log = logging.getLogger(__name__)


class DueEntries(DueIndex, Protocol):
    """The due index, with removal of many in one round trip."""

    def remove_many(self, entries: Sequence[Entry]) -> None: ...


class Jobs(Protocol):
    """The queue, asked for many at once."""

    def advance_many(self, entries: Sequence[Entry]) -> bool:
        """False: the queue store cannot be reached. Never raises."""

    def backlog(self) -> int | None:
        """Jobs that wait for a worker; None: the queue store cannot be reached. Never raises."""


class Pools(Protocol):
    """Pools of tickets: which want attention at which version, and giving it."""

    def take_due(self, limit: int) -> Sequence[Entry]: ...

    def remove_due(self, entries: Sequence[Entry]) -> None: ...

    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]: ...

    def tend(self, pool_id: str, version: int) -> None: ...


class Clock:
    """One look after the other at what is due."""

    def __init__(
        self,
        due: DueEntries,
        jobs: Jobs,
        lease: Lease,
        advance: Callable[[str, int], object],
        pools: Pools | None = None,
        *,
        chores: Sequence[Callable[[float], object]] = (),
    ) -> None:
        """`advance`: does what is due at a table's version, all but bots' thinking; `pools`: None looks after none.
        `chores`: what the active clock looks after besides, called at every look with the monotonic time.
        """
        self._pools = pools
        self._pool_crew = Crew(lambda *entry: pools.tend(*entry) if pools else None, threads=1, waiting=TAKEN)
        self._due = due
        self._jobs = jobs
        self._lease = lease
        self._crew = Crew(advance, threads=THREADS, waiting=TAKEN)
        self._chores = chores
        self._renew_at = 0.0
        self._forget_at = 0.0
        self._active = False
        self._asked: dict[Entry, float] = {}
        """When a worker was last asked for an entry."""
        self._ripe_at: dict[Entry, float] = {}
        """When the patience with a worker ends."""
        self._leaving = self._pausing = False
        self._ahead: dict[Entry, float] = {}
        """When an entry was first met whose version has not come."""

    def leave(self) -> None:
        """End after this look, or out of the pause between two. Called by a signal handler: an exception out of it in
        the middle of a look could come where what is written in C does not expect any.
        """
        self._leaving = True
        if self._pausing:
            sys.exit(0)

    def run(self) -> None:
        """Look again and again, until it leaves; whoever ends it gives the lease back."""
        failures = 0
        try:
            while not self._leaving:
                try:
                    self.look()
                    failures = 0
                except StoreUnavailable as error:
                    if not failures:
                        log.warning("the store cannot be reached (%s), trying again", error)
                    failures += 1
                except Exception as error:  # noqa: BLE001  the process's outermost loop
                    log.error("a look failed (%s)", type(error).__name__)  # noqa: TRY400
                    failures += 1
                self._pause(min(MOST_BACKOFF, POLL * 2**failures) if failures else POLL if self._active else STAND_BY)
        finally:
            if not failures:
                with suppress(StoreUnavailable):
                    self._lease.release()

    def _pause(self, seconds: float) -> None:
        self._pausing = True
        if not self._leaving:
            time.sleep(seconds)
        self._pausing = False

    def look(self) -> None:
        """Take what is due, ask workers, and do what they have not done in time.

        Raises:
            StoreUnavailable: nothing is lost by it, everything comes again.
        """
        now = time.monotonic()
        if not self._hold(now):
            return
        self._forget(now)
        if self._pools is not None:
            self._look_after(self._pools, now)
        for chore in self._chores:
            chore(now)
        taken = self._due.take(TAKEN)
        ripe = [entry for entry, at in self._ripe_at.items() if at <= now]
        if not taken and not ripe:
            return
        versions = self._due.versions([table_id for table_id, _ in (*taken, *ripe)])
        self._ask([entry for entry in taken if versions.get(entry[0]) == entry[1]], now)
        for entry in ripe:
            del self._ripe_at[entry]
            if versions.get(entry[0]) == entry[1]:
                self._crew.give(entry)
        self._remove([entry for entry in (*taken, *ripe) if self._is_over(entry, versions.get(entry[0], 0), now)])

    def _look_after(self, pools: Pools, now: float) -> None:
        """Have those pools tended that are due, and remove entries of no use any more."""
        taken = pools.take_due(TAKEN)
        if not taken:
            return
        versions = pools.versions([pool_id for pool_id, _ in taken])
        for entry in taken:
            if versions.get(entry[0]) == entry[1]:
                self._pool_crew.give(entry)
        over = [entry for entry in taken if self._is_over(entry, versions.get(entry[0], 0), now)]
        if over:
            pools.remove_due(over)
        for entry in over:
            self._ahead.pop(entry, None)

    def _hold(self, now: float) -> bool:
        if now >= self._renew_at:
            was_active, self._active = self._active, False
            self._active = self._lease.hold()
            self._renew_at = now + LEASE_RENEWED if self._active else 0.0
            if not self._active:
                for notes in (self._asked, self._ripe_at, self._ahead):
                    notes.clear()
            if self._active != was_active:
                log.info("%s", "active" if self._active else "standing by")
        return self._active

    def _is_over(self, entry: Entry, version: int, now: float) -> bool:
        """Whether an entry is of no use any more: its version has gone by, or will never come."""
        if version < entry[1]:
            return now - self._ahead.setdefault(entry, now) > COMES_WITHIN
        self._ahead.pop(entry, None)
        return version > entry[1]

    def _ask(self, entries: Sequence[Entry], now: float) -> None:
        """Ask a worker for each entry, again only where few jobs wait."""
        fresh = [entry for entry in entries if entry not in self._asked]
        again = [entry for entry in entries if entry in self._asked]
        if again:
            backlog = self._jobs.backlog()
            if backlog is not None and backlog <= BACKLOG:
                fresh += again
        can_work = self._jobs.advance_many(fresh) if fresh else bool(again)
        self._asked.update(dict.fromkeys(fresh, now))
        for entry in entries:
            self._ripe_at.setdefault(entry, now + PATIENCE if can_work else now)

    def _forget(self, now: float) -> None:
        """Drop notes on entries that somebody else has removed."""
        if now >= self._forget_at:
            self._forget_at = now + FORGET_EVERY
            self._asked = {entry: at for entry, at in self._asked.items() if now - at < QUEUED_KEPT}
            self._ahead = {entry: at for entry, at in self._ahead.items() if now - at < 2 * COMES_WITHIN}

    def _remove(self, entries: Sequence[Entry]) -> None:
        if entries:
            self._due.remove_many(entries)
        for entry in entries:
            self._asked.pop(entry, None)
            self._ahead.pop(entry, None)
            self._ripe_at.pop(entry, None)


def run_clock(settings: Settings) -> None:
    """Be a clock in this process until SIGTERM or SIGINT."""
    tables = services().tables
    services().metrics.start("clock")
    redis = connect(settings.find_store(), connections=2, answer_seconds=ANSWER_SECONDS)
    queue = RqQueue.at(settings.find_queue())
    clock = Clock(
        RedisDue(redis),
        queue,
        Lease(redis, keys.CLOCK_LEASE, LEASE_LASTS),
        lambda table_id, version: tables.advance(table_id, version, bots=False),
        services().tickets,
        chores=[Overlooked(RedisPending(redis), queue).look],
    )
    signal.signal(signal.SIGTERM, lambda *_: clock.leave())
    signal.signal(signal.SIGINT, lambda *_: clock.leave())
    clock.run()
