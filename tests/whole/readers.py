"""Clients that follow a table or a feed as an app would: they come back with their cursor whenever they are cut off."""

from __future__ import annotations

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import requests


class Reader(ABC, threading.Thread):
    """Reads until it is told that it has everything; what it has is `events`, each as it came."""

    media_type: ClassVar[str]

    def __init__(self, url: str, path: str, token: str | None, *, after: str | int = 0) -> None:
        super().__init__(daemon=True)
        self.address = f"{url}/v1{path}"
        self.headers = {} if token is None else {"Authorization": token}
        self.events: list[dict[str, Any]] = []
        self.presence: list[dict[str, Any]] = []
        self.connections = 0
        self.refusals: list[tuple[int, str]] = []
        self.enough = threading.Event()
        self.ended = False
        """The server said that nothing more will come."""
        self._first = after

    @property
    def after(self) -> str | int:
        return self.events[-1]["seq"] if self.events else self._first

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for event in self.events]

    def run(self) -> None:
        while not self.enough.is_set():
            try:
                self.connect()
            except (requests.RequestException, ValueError):
                # Cut off in the middle.
                time.sleep(0.02)

    def connect(self) -> None:
        """One connection, read to its end."""
        self.connections += 1
        with requests.get(
            self.address, params=self.query(), headers=self.headers | self.more_headers(), stream=True, timeout=(5, 30)
        ) as answer:
            if answer.status_code == 204:
                self.ended = True
                self.enough.set()
            elif answer.status_code != 200:
                self.refusals.append((answer.status_code, answer.json()["code"]))
                time.sleep(0.05)
            else:
                assert answer.headers["Content-Type"] == self.media_type
                for event in self.read(answer):
                    if event["seq"] is None:
                        self.presence.append(event)
                    else:
                        self.events.append(event)

    def query(self) -> dict[str, str | int]:
        return {"after": self.after}

    def more_headers(self) -> dict[str, str]:
        return {}

    @abstractmethod
    def read(self, answer: requests.Response) -> Iterator[dict[str, Any]]:
        """Events of one answer."""

    def lines(self, answer: requests.Response) -> Iterator[str]:
        """Lines whose end has come, until there is enough; what a cut leaves without its end is no line."""
        rest = b""
        for piece in answer.iter_content(None):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.decode()
            if self.enough.is_set():
                return

    def wait_for(self, seq: int, seconds: float = 60) -> None:
        """Wait until it has this event."""
        ends = time.monotonic() + seconds
        while not (self.events and self.events[-1]["seq"] >= seq):
            assert time.monotonic() < ends, f"{type(self).__name__} is at {self.seqs[-5:]}, not at {seq}"
            time.sleep(0.02)


class SseReader(Reader):
    """As an EventSource: a frame counts when its empty line has come, and it comes back with Last-Event-ID."""

    media_type = "text/event-stream"

    def query(self) -> dict[str, str | int]:
        return {} if self.events or not self._first else {"after": self._first}

    def more_headers(self) -> dict[str, str]:
        return {"Last-Event-ID": str(self.after)} if self.events else {}

    def read(self, answer: requests.Response) -> Iterator[dict[str, Any]]:
        fields: dict[str, str] = {}
        for line in self.lines(answer):
            if line:
                name, _, value = line.partition(": ")
                if name:
                    fields[name] = value
                continue
            if "data" in fields:
                event = json.loads(fields["data"])
                assert fields["event"] == event["type"]
                assert fields.get("id") == (None if event["seq"] is None else str(event["seq"]))
                yield event
            fields = {}


class LineReader(Reader):
    """Lines of JSON; empty ones are skipped."""

    media_type = "application/x-ndjson"

    def read(self, answer: requests.Response) -> Iterator[dict[str, Any]]:
        for line in self.lines(answer):
            if line:
                yield json.loads(line)


class PollReader(Reader):
    """Long-polls, page by page."""

    media_type = "application/json"

    def query(self) -> dict[str, str | int]:
        return {"after": self.after, "wait": 10, "limit": 50}

    def read(self, answer: requests.Response) -> Iterator[dict[str, Any]]:
        yield from answer.json()["events"]


def finish(*readers: Reader, seconds: float = 30) -> None:
    """They have everything: end, all of them with the next sign of life."""
    for reader in readers:
        reader.enough.set()
    for reader in readers:
        reader.join(seconds)
