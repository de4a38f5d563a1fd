"""Many readers of streams in a process of their own, so that reading does not slow down what is measured."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import re
import resource
import time
from multiprocessing.connection import Connection
from typing import NamedTuple

Wanted = tuple[str, str | None]
"""Table, and the value of `Authorization` (None: a spectator)."""
OPENED_WITHIN = 180.0
"""Seconds."""


class Told(NamedTuple):
    """What the readers have to tell."""

    arrived: dict[tuple[str, int], list[float]]
    """(table, seq) → when it came, stream by stream, by the clock of `time.perf_counter`."""
    wrong: int
    """Events that were missing or came twice."""


class Crowd:
    """The process; it is open when the constructor returns."""

    def __init__(self, port: int, wanted: list[Wanted]) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_read_all, args=(port, wanted, theirs), daemon=True)
        self._process.start()
        if not self._ours.poll(OPENED_WITHIN):
            self._process.kill()
            raise TimeoutError("the streams are not open")
        self.refused: int = self._ours.recv()

    def close(self) -> Told:
        """Close all streams; what they have got."""
        self._ours.send(None)
        told: Told = self._ours.recv()
        self._process.join(30)
        return told


class _Readers:
    def __init__(self, port: int) -> None:
        self.port = port
        self.opened = asyncio.Semaphore(0)
        self.gate = asyncio.Semaphore(50)
        self.refused = 0
        self.arrived: dict[tuple[str, int], list[float]] = {}
        self.wrong = 0

    async def read(self, table: str, token: str | None) -> None:
        async with self.gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            authorization = "" if token is None else f"Authorization: {token}\r\n"
            writer.write(f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\n{authorization}\r\n".encode())
            status = await reader.readline()
            while await reader.readline() != b"\r\n":
                pass
        self.opened.release()
        if b" 200 " not in status:
            self.refused += 1
            return
        last = 0
        while piece := await reader.read(65536):
            now = time.perf_counter()
            for found in re.finditer(rb"(?:^|\n)id: (\d+)\n", piece):
                seq = int(found[1])
                self.wrong += seq != last + 1
                last = seq
                self.arrived.setdefault((table, seq), []).append(now)


async def _read(port: int, wanted: list[Wanted], told: Connection) -> None:
    readers = _Readers(port)
    tasks = [asyncio.create_task(readers.read(table, token)) for table, token in wanted]
    for _ in tasks:
        await readers.opened.acquire()
    told.send(readers.refused)
    await asyncio.to_thread(told.recv)
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    told.send(Told(readers.arrived, readers.wrong))


def _read_all(port: int, wanted: list[Wanted], told: Connection) -> None:
    raise_file_limit()
    asyncio.run(_read(port, wanted, told))


def raise_file_limit() -> None:
    """A stream is a file, here and there."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
