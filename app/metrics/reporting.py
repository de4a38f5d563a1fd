"""How a process's counts come to the store, and how all processes' sums become the text of `/metrics`.

Each process adds what it has counted to the sums in the store every few seconds: so the figures cover web servers,
workers and clocks on every machine, whoever is asked, and go on after a restart. What a process has counted since its
last report is lost if it is killed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from secrets import token_hex
from typing import Protocol

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.registry import Collector

from app.metrics.instruments import ErrorCounter, Instruments
from app.metrics.sums import Counts, counts, families, gauge, increments
from app.tables.ports import StoreUnavailable

REPORT_EVERY = 5.0
"""Seconds between two reports of a process."""


class Meter(Protocol):
    """Where sums are kept."""

    def add(self, reporter: str, number: int, process: str, waiting: int, added: Mapping[str, float]) -> None:
        """Add a report to the sums, once: `number` says which of this reporter's it is.

        `process`: what kind of process it is; `waiting`: requests that wait there now.
        """

    def sums(self) -> Mapping[str, float]: ...

    def present(self) -> Iterable[tuple[str, int]]:
        """Kind of process and requests that wait there, of everybody who has reported of late."""


class Metrics:
    """This process's counts and reports. Nothing is sent before `start`, or a look at the page."""

    def __init__(
        self,
        meter: Meter,
        *,
        waiting: Callable[[], int] = lambda: 0,
        moment: Callable[[], Iterable[Metric]] = lambda: (),
    ) -> None:
        """`waiting`: requests that wait in this process now; `moment`: figures that are read for the page."""
        self.count = Instruments()
        self._meter = meter
        self._waiting = waiting
        self._moment = moment
        self._process = ""
        self._reporter = token_hex(8)
        self._number = 0
        self._reported: Counts = {}
        """Counts that the store has."""
        self._under_way: Counts | None = None
        """Counts after the report that was sent last and has not been answered: it is sent again as it was."""
        self._lock = threading.Lock()

    def start(self, process: str) -> None:
        """Report from now on as this kind of process (`web`, `worker` …), until it ends."""
        self._process = process
        logging.getLogger().addHandler(ErrorCounter(self.count, process))
        threading.Thread(target=self._go_on_reporting, name="metrics", daemon=True).start()

    def report(self) -> None:
        """Add what has been counted since the last report. Raises: StoreUnavailable; nothing is lost by it."""
        with self._lock:
            again = self._under_way is not None
            if self._under_way is None:
                self._under_way = counts(self.count.registry)
                self._number += 1
            added = increments(self._under_way, self._reported)
            self._meter.add(self._reporter, self._number, self._process, self._waiting(), added)
            self._reported, self._under_way = self._under_way, None
        if again:
            self.report()

    def page(self) -> bytes:
        """All figures of all processes, in Prometheus' text format. Raises: StoreUnavailable."""
        self.report()
        registry = CollectorRegistry()
        registry.register(_Read([*families(self.count.registry, self._meter.sums()), *self._now(), *self._moment()]))
        return generate_latest(registry)

    def _now(self) -> Iterator[Metric]:
        there: dict[str, list[int]] = {}
        for process, waiting in self._meter.present():
            there.setdefault(process, []).append(waiting)
        yield gauge(
            "allfives_processes",
            "Processes that have reported of late.",
            [({"process": process}, len(each)) for process, each in sorted(there.items()) if process],
        )
        yield gauge(
            "allfives_waiting_requests",
            "Long-polls and streams that are open now.",
            [({}, sum(sum(each) for each in there.values()))],
        )

    def _go_on_reporting(self) -> None:
        pause = threading.Event()
        while not pause.wait(REPORT_EVERY):
            with suppress(StoreUnavailable):
                self.report()


class _Read(Collector):
    """Metrics that have been read already."""

    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self._metrics
