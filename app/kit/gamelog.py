"""One file a game, JSON a line: every event this seat was sent, once and in order, and what its bot decided.

A line is an object with one key: `event` (as the API sent it), `decision`, `begin` or `end`. After a crash the file is
taken up where it ended. `troubles.jsonl` beside it has every crash and illegal move with the view the bot was given.
Each player has a folder of his own (`own_folder`): two seats of one table share no file.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from app.engine.views import SeatView
from app.kit.answers import Entry
from app.kit.bot import Decision

TROUBLES = "troubles.jsonl"
LOCK = ".lock"
LOST = ".lost"
"""Ends the name of what a server has forgotten of a game."""


@contextmanager
def own_folder(logs: Path, player: str) -> Iterator[Path]:
    """The player's folder among the logs. Raises: BlockingIOError, while another process has it; OSError."""
    path = logs / player
    path.mkdir(parents=True, exist_ok=True)
    held = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield path
    finally:
        os.close(held)


class GameLog:
    """The log of one game."""

    def __init__(self, folder: Path, table: str) -> None:
        """Take it up, or begin it. Raises: OSError."""
        self.path = folder / f"{table}.jsonl"
        self.last = 0
        """`seq` of the last event in it."""
        self.since_deal: list[Entry] = []
        """Events from the last deal on (before the first deal: all)."""
        self.plays: Counter[int] = Counter()
        """Tiles played in the game, for each seat."""
        self.own_plays: Counter[int] = Counter()
        """Those that its player played himself."""
        self.is_new = True
        """Nothing is in it."""
        self._read_back()
        self._file = self.path.open("ab")
        self._lock = threading.Lock()

    def begin_anew(self) -> None:
        """The server has forgotten some of what is in it: put that aside, as `<table>.lost`. Raises: OSError."""
        with self._lock:
            if self._file.closed:
                return
            self._file.close()
            self.path.replace(self.path.with_suffix(LOST))
            self._file = self.path.open("ab")
        self.last, self.since_deal, self.is_new = 0, [], True
        self.plays, self.own_plays = Counter(), Counter()

    def add(self, events: Iterable[Entry]) -> None:
        """Write what is not in it yet; events come without a gap."""
        fresh = [event for event in events if event["seq"] > self.last]
        for event in fresh:
            self._remember(event)
        self._write(*({"event": event} for event in fresh))

    def decided(self, version: int, decision: Decision) -> None:
        """Write what is about to be played, from which version of the table."""
        told = msgspec.to_builtins(decision)
        del told["traceback"]
        self._write({"decision": {"version": version, **told}})

    def mark(self, kind: str, told: dict[str, object]) -> None:
        """Write a line of another kind."""
        self._write({kind: told})

    def close(self) -> None:
        """Nothing more is written, whoever still tries."""
        with self._lock:
            self._file.close()

    def _remember(self, event: Entry) -> None:
        if event["type"] == "hand_dealt":
            self.since_deal = []
        if event["type"] == "tile_played":
            self.plays[event["seat"]] += 1
            self.own_plays[event["seat"]] += event["by"] == "player"
        self.since_deal.append(event)
        self.last = event["seq"]

    def _write(self, *lines: dict[str, Any]) -> None:
        written = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        self.is_new = False
        with self._lock:
            if not self._file.closed:
                self._file.write(written)
                self._file.flush()

    def _read_back(self) -> None:
        """A line that a crash has left unfinished is cut off."""
        if not self.path.exists():
            return
        whole = 0
        with self.path.open("r+b") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                self.is_new = False
                read = msgspec.json.decode(line)
                if "event" in read:
                    self._remember(read["event"])
            file.truncate(whole)


class Troubles:
    """Everything a bot did that could not be played."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / TROUBLES
        self._lock = threading.Lock()

    def add(self, table: str, version: int, view: SeatView, decision: Decision) -> None:
        """Write it down with all that is needed to ask the bot again."""
        line = {
            "table": table,
            "version": version,
            "trouble": decision.trouble,
            "why": decision.why,
            "traceback": decision.traceback,
            "played": decision.move,
            "seed": decision.seed,
            "view": view,
        }
        with self._lock, self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
