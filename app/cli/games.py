"""Games from the files that a command is given: `-` is standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from app.cli.errors import CannotStartError
from app.records.reading import Read, games
from app.tables.shapes import GameRecord


def games_in(name: str) -> Iterator[Read]:
    """Every game of a file, one at a time. Raises: CannotStartError if it cannot be opened."""
    if name == "-":
        yield from games(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as lines:
            yield from games(lines)
    except OSError as error:
        raise CannotStartError(f"{name} cannot be read: {error.strerror}") from None


def game_in(name: str, table: str | None) -> GameRecord:
    """The first game of a file, or that of a table. Raises: CannotStartError if there is none, or it is unreadable."""
    for read in games_in(name):
        if read.wrong:
            raise CannotStartError(f"{name}, line {read.line}: {read.wrong[0]}")
        if read.record is not None and table in (None, read.record.table):
            return read.record
    raise CannotStartError(f"{name} has no game" + (f" of table {table}" if table else ""))
