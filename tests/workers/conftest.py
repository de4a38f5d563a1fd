"""Real stores, and workers and clocks as processes that tests may kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.storage.conftest import due, own_server, redis, server, tables
from tests.storage.server import Server

__all__ = ["due", "own_server", "redis", "server", "tables"]

LONG = 60.0
"""Seconds nothing here takes."""


class Hands:
    """Processes of this test, and the store they work at."""

    def __init__(self, server: Server, queue: Server) -> None:
        self.server = server
        self.queue = queue
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, role: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.workers.stand_in", role, self.server.url, self.queue.url],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONPATH": "."},
        )
        self.running.append(child)
        return child

    def kill(self, child: subprocess.Popen[bytes]) -> None:
        """As `kill -9` does."""
        child.kill()
        child.wait(LONG)
        self.running.remove(child)

    def end(self, child: subprocess.Popen[bytes]) -> int:
        """SIGTERM; its exit code."""
        child.send_signal(signal.SIGTERM)
        code = child.wait(LONG)
        self.running.remove(child)
        return code


@pytest.fixture
def hands(server: Server) -> Iterator[Hands]:
    hands = Hands(server, server)
    yield hands
    for child in list(hands.running):
        hands.kill(child)


def eventually(claim: Callable[[], object], seconds: float = LONG) -> None:
    until = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < until, "this never came true"
        time.sleep(0.02)
