"""The newest entries of a log are read once for all who follow it, and whatever is kept is what the log says."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from app.storage.tail import KEPT, Tail
from app.tables.events import SeatLeft, TableEvent


class Log:
    """A log that grows, and counts who reads it."""

    def __init__(self) -> None:
        self.entries: list[TableEvent] = []
        self.reads = 0

    def grow(self, number: int) -> None:
        self.entries += [SeatLeft(seq=len(self.entries) + n, seat=0) for n in range(1, number + 1)]

    def read(self, after: int, limit: int) -> Sequence[TableEvent]:
        self.reads += 1
        return self.entries[after:][:limit]


def test_whatever_is_asked_is_what_the_log_says() -> None:
    chance = random.Random(7)
    log = Log()
    tail = Tail(log.read)
    for _ in range(3000):
        if chance.random() < 0.3:
            log.grow(chance.randint(1, 30))
        version = len(log.entries)
        after = chance.choice([version - 1, version, max(0, version - 20), chance.randint(0, version), 0])
        after, limit = max(0, after), chance.choice([1, 5, 200])
        known = chance.choice([0, version, max(0, version - 1)])
        found = tail.entries(after, known, limit)
        expected = log.entries[after:][:limit]
        if known > after:
            assert list(found) == expected[: len(found)]
            assert len(found) >= min(limit, known - after), "as far as is known, nothing is missing"
        else:
            assert list(found) == expected
        assert len(tail._entries) <= KEPT


def test_who_comes_together_reads_once() -> None:
    log = Log()
    log.grow(5)
    slow = threading.Event()

    def read(after: int, limit: int) -> Sequence[TableEvent]:
        slow.wait(0.05)
        return log.read(after, limit)

    tail = Tail(read)
    with ThreadPoolExecutor(50) as pool:
        pages = list(pool.map(lambda _: list(tail.entries(3, 5, 200)), range(50)))
    assert log.reads == 1
    assert all(page == log.entries[3:] for page in pages)


def test_what_is_forgotten_is_read_again() -> None:
    log = Log()
    log.grow(3)
    tail = Tail(log.read)
    tail.entries(0, 3, 10)
    log.entries[2] = SeatLeft(seq=3, seat=1)
    tail.forget()
    assert tail.entries(2, 3, 10) == log.entries[2:]
