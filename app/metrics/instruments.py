"""What one process counts: prometheus-client's counters, in a registry of their own."""

from __future__ import annotations

import logging
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
ANSWER_SECONDS: Final = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper ends of the histogram of answers."""
LATE_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
"""Upper ends of the histogram of lateness."""


class Instruments:
    """Every counter there is. One set a process; the names are the same in all of them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "allfives_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._answer_seconds = Histogram(
            "allfives_request_seconds",
            "Seconds from a request to its answer; requests that asked to wait, and streams, are left out.",
            ("method", "route"),
            buckets=ANSWER_SECONDS,
            registry=self.registry,
        )
        self._commits = Counter(
            "allfives_commits",
            "Steps of tables, by whether they were written or the table had moved on.",
            ("outcome",),
            registry=self.registry,
        )
        self._late_seconds = Histogram(
            "allfives_due_late_seconds",
            "Seconds from the moment something was due at a table to when it was done.",
            ("why",),
            buckets=LATE_SECONDS,
            registry=self.registry,
        )
        self._games_booked = Counter("allfives_games_booked", "Finished games booked.", registry=self.registry)
        self._hands_analysed = Counter("allfives_hands_analysed", "Finished hands analysed.", registry=self.registry)
        self._errors = Counter(
            "allfives_errors",
            "Lines of level error in a process's log: failed requests, jobs and looks.",
            ("process",),
            registry=self.registry,
        )

    def answered(self, method: str, route: str | None, status: int, seconds: float | None) -> None:
        """One request. `route`: the pattern, never the path; None: nothing is there. `seconds`: None if it waited."""
        known, pattern = method if method in METHODS else "other", route or "none"
        self._requests.labels(known, pattern, str(status)).inc()
        if seconds is not None:
            self._answer_seconds.labels(known, pattern).observe(seconds)

    def committed(self, written: bool) -> None:
        """A step was tried; `written` False: the table had moved on."""
        self._commits.labels("written" if written else "moved_on").inc()

    def done_late(self, why: str, seconds: float) -> None:
        """Something that was due was done so long after its moment."""
        self._late_seconds.labels(why).observe(max(0.0, seconds))

    def booked(self) -> None:
        self._games_booked.inc()

    def analysed(self) -> None:
        self._hands_analysed.inc()

    def failed(self, process: str) -> None:
        self._errors.labels(process).inc()


class ErrorCounter(logging.Handler):
    """Counts what a process logs as an error; looks at nothing of it but the level."""

    def __init__(self, instruments: Instruments, process: str) -> None:
        super().__init__(logging.ERROR)
        self._instruments = instruments
        self._process = process

    def emit(self, record: logging.LogRecord) -> None:
        del record
        self._instruments.failed(self._process)
