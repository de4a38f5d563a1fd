"""Turns that run out while four clocks look, no worker is there and the store dies: each is acted on, and once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.whole.service import Service
from tests.whole.silent import SilentTables

pytestmark = [pytest.mark.slow, pytest.mark.alone]

TABLES = 12
WORKERS = ("app.cli worker", "app.cli clerk")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path, LOG_LEVEL="warning")
    service.start()
    yield service
    service.stop()


@pytest.fixture
def three_more_clocks(service: Service) -> Iterator[None]:
    clocks = [subprocess.Popen([sys.executable, "-m", "app.cli", "clock"], env=service.environ) for _ in range(3)]
    yield
    for clock in clocks:
        clock.terminate()
    for clock in clocks:
        assert clock.wait(10) == 0


def silenced(service: Service) -> list[psutil.Process]:
    """All workers stopped: nobody starts others in their place, as somebody would if they were killed."""
    workers = service.processes_named(*WORKERS)
    assert len(workers) == 2
    for worker in workers:
        worker.suspend()
    return workers


@pytest.mark.usefixtures("three_more_clocks")
def test_every_turn_runs_out_once_without_workers_and_over_the_death_of_the_store(service: Service) -> None:
    tables = SilentTables(service.url, TABLES)
    workers = silenced(service)
    try:
        until_each_has(3, tables, service)
        service.kill("valkey-server")
        service.wait_until(service.ready, "the store is back")
        until_each_has(6, tables, service)
    finally:
        for worker in workers:
            worker.resume()
    tables.expired()


def until_each_has(expired: int, tables: SilentTables, service: Service) -> None:
    def reached() -> bool:
        time.sleep(0.3)
        found = Counter(one.table for one in tables.expired())
        return len(found) == TABLES and min(found.values()) >= expired

    service.wait_until(reached, f"{expired} turns of every table have run out")
