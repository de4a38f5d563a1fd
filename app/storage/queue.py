"""The RQ queues: they do the work and are never the memory. What is lost here the due index finds again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.job import Job

from app.storage.connection import connect

DUE = "due"
"""Queue of bots' turns, timeouts, next hands."""

BOOKS = "books"
"""Queue of finished games that are to be booked."""

SLOW = "slow"
"""Queue of what takes long: analyses."""

OF_CLERK = (BOOKS, SLOW)
"""Queues of the clerk, the first before the second: its work is not the workers', so that no move waits for it."""

ADVANCE = "app.workers.jobs.advance"
"""The one function of queue `due`: `advance(table_id, version)`."""

BOOK = "app.workers.jobs.book"
"""Of queue `books`: `book(table_id)`."""

ANALYSE = "app.workers.jobs.analyse"
"""Of queue `slow`: `analyse(table_id, hand)`, a piece of the work."""

ALLOWED = frozenset({ADVANCE, BOOK, ANALYSE})
"""Functions a worker runs; whatever else is found in a queue fails unrun."""

JOB_SECONDS = 10
"""Seconds after which a job is broken off; it has 1 s of work to do."""
SLOW_JOB_SECONDS = 60
"""Seconds after which a job of the clerk's is broken off."""
QUEUED_KEPT = 60
"""Seconds a job waits for a worker before it is dropped: by then the clock has asked again."""
SLOW_QUEUED_KEPT = 600
"""The same of the clerk's: the list of pending games asks again as well, and so does whoever waits for an analysis."""
AGAIN_BACKLOG = 20
"""Waiting jobs of queue `slow` above which no analysis is asked for twice: its job is most likely one of them."""
FAILED_KEPT = 3_600
"""Seconds the record of a failed job is kept."""
ANSWER_SECONDS = 0.5
"""Seconds until an answer of the queue store is given up: players wait for it."""
CONNECTIONS = 10
"""Most connections to the queue store of one process."""
REST = 1.0
"""Seconds without a try after the queue store could not be reached, and between two lines about it in the log."""

log = logging.getLogger(__name__)


class JobRefused(Exception):
    """A queue holds a job that is none of ours."""


class OurJob(Job):
    """A job that runs our functions only, whoever wrote it into the store."""

    @property
    def func(self) -> Callable[..., Any]:
        """Raises: JobRefused, if it is none of `ALLOWED`."""
        if self.func_name not in ALLOWED or self.instance is not None:
            raise JobRefused("this job names a function that is not ours")
        found: Callable[..., Any] = super().func
        return found

    def restore(self, raw_data: Any) -> None:
        """Read the record without what else RQ would import or call for it."""
        super().restore(raw_data)
        self._success_callback_name = None
        self._failure_callback_name = None
        self._stopped_callback_name = None
        self.webhooks = []


class RqQueue:
    """`Queue` on RQ 3, on a store of its own where `QUEUE_URL` says so."""

    @classmethod
    def at(cls, url: str) -> RqQueue:
        """The queues in the store at this address; nothing is sent yet."""
        return cls(connect(url, connections=CONNECTIONS, answer_seconds=ANSWER_SECONDS))

    def __init__(self, redis: Redis) -> None:
        self._queue = Queue(DUE, connection=redis, serializer="json", job_class=OurJob, default_timeout=JOB_SECONDS)
        self._books, self._slow = (
            Queue(name, connection=redis, serializer="json", job_class=OurJob, default_timeout=SLOW_JOB_SECONDS)
            for name in OF_CLERK
        )
        self._rests_until = 0.0
        self._lock = threading.Lock()

    def advance(self, table_id: str, version: int) -> None:
        """Never raises: what cannot be asked now is asked by the clock."""
        self.advance_many([(table_id, version)])

    def advance_many(self, entries: Sequence[tuple[str, int]]) -> bool:
        """One job for each (table, version); False: the queue store cannot be reached. Never raises."""
        return self._enqueue(self._queue, ADVANCE, entries, timeout=JOB_SECONDS, waits=QUEUED_KEPT)

    def book(self, table_id: str) -> None:
        """Never raises: what cannot be asked now is asked by the clock."""
        self.book_many([table_id])

    def book_many(self, table_ids: Sequence[str]) -> bool:
        """One job for each finished table; False: the queue store cannot be reached. Never raises."""
        entries = [(table_id,) for table_id in table_ids]
        return self._enqueue(self._books, BOOK, entries, timeout=SLOW_JOB_SECONDS, waits=SLOW_QUEUED_KEPT)

    def analyse(self, table_id: str, hand: int, *, again: bool = False) -> None:
        """Never raises: what cannot be asked now is asked by whoever waits for it."""
        if again and (self.slow_backlog() or 0) > AGAIN_BACKLOG:
            return
        entries = [(table_id, hand)]
        self._enqueue(self._slow, ANALYSE, entries, timeout=SLOW_JOB_SECONDS, waits=SLOW_QUEUED_KEPT)

    def backlog(self) -> int | None:
        """Jobs of queue `due` that wait for a worker; None: the queue store cannot be reached. Never raises."""
        return self._waiting(self._queue)

    def books_backlog(self) -> int | None:
        """The same of queue `books`."""
        return self._waiting(self._books)

    def slow_backlog(self) -> int | None:
        """The same of queue `slow`."""
        return self._waiting(self._slow)

    def _enqueue(
        self, queue: Queue, function: str, entries: Sequence[tuple[object, ...]], *, timeout: int, waits: int
    ) -> bool:
        if time.monotonic() < self._rests_until:
            return False
        wanted = [
            Queue.prepare_data(function, args=entry, timeout=timeout, result_ttl=0, ttl=waits, failure_ttl=FAILED_KEPT)
            for entry in entries
        ]
        try:
            queue.enqueue_many(wanted)
        except (RedisError, OSError) as error:
            self._rest(error)
            return False
        return True

    def _waiting(self, queue: Queue) -> int | None:
        if time.monotonic() < self._rests_until:
            return None
        try:
            return queue.count
        except (RedisError, OSError) as error:
            self._rest(error)
            return None

    def _rest(self, error: Exception) -> None:
        with self._lock:
            resting = time.monotonic() < self._rests_until
            self._rests_until = time.monotonic() + REST
        if not resting:
            log.warning("queue: cannot be reached (%s); the clock does without for now", type(error).__name__)
