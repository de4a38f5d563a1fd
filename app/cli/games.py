"""Games from the files that a command is given: `-` is standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from app.cli.errors import CannotStartError
from app.plain import plain
from app.records.findings import Report
from app.records.reading import Read, games
from app.tables.shapes import GameRecord


def games_in(name: str) -> Iterator[Read]:
    """Every game of a file, one at a time. Raises: CannotStartError if it cannot be opened, or there is none in it."""
    read: Read | None = None
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as lines:
            for read in games(lines):
                yield read
    except OSError as error:
        raise CannotStartError(f"{plain(name)} cannot be read: {error.strerror}") from None
    if read is None:
        raise CannotStartError(f"{_called(name)} has no game")


def game_in(name: str, table: str | None) -> GameRecord:
    """The first game of a file, or that of a table. Raises: CannotStartError if there is none, or it is unreadable."""
    for read in games_in(name):
        if read.wrong:
            raise CannotStartError(plain(f"{name}, line {read.line}: {read.wrong[0]}"))
        if read.record is not None and table in (None, read.record.table):
            return read.record
    raise CannotStartError(plain(f"{_called(name)} has no game of table {table}"))


def _called(name: str) -> str:
    return "standard input" if name == "-" else plain(name)


def wrong_in(name: str, read: Read, report: Report) -> Iterator[str]:
    """A line for each thing that is wrong with a game of a file."""
    return (told_of(name, read, report, str(finding)) for finding in report.findings)


def told_of(name: str, read: Read, report: Report, what: str) -> str:
    """A line that says something of a game of a file."""
    game = f" table {report.table}" if report.table else ""
    return plain(f"{name}:{read.line}{game}: {what}")
