"""Games from lines of any of the three kinds: JSON documents, NDJSON (a record a line), the notation.

One game at a time is held in memory, so a file may be as long as it likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder
from msgspec.structs import replace

from app.records import parsing
from app.records.findings import Finding, Report
from app.records.notation import NOTATION
from app.records.verify import verify
from app.tables.shapes import GameRecord

_records = Decoder(GameRecord)
_anything = Decoder()


class Read(Struct, frozen=True, kw_only=True):
    """One game that was read, or why it could not be."""

    line: int
    """Where it begins, from 1."""
    record: GameRecord | None
    wrong: tuple[Finding, ...] = ()
    """Why there is no record, or which hands of a text could not be played."""

    def report(self) -> Report:
        """The judgement of this game."""
        if self.record is None:
            return Report(table="", findings=self.wrong)
        judged = verify(self.record)
        unplayed = {finding.hand for finding in self.wrong}
        rest = tuple(finding for finding in judged.findings if finding.hand not in unplayed)
        return replace(judged, findings=self.wrong + rest)


def games(lines: Iterable[bytes]) -> Iterator[Read]:
    """Every game in these lines, in order."""
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    for number, line in numbered:
        rest = chain([(number, line)], numbered)
        if line.strip().startswith(b"{"):
            yield from _from_json(rest)
        elif line.strip() == NOTATION.encode():
            yield from _from_text(rest)
        else:
            expected = f"a JSON object, or the line {NOTATION}"
            yield _unreadable(number, expected, line[:60].decode(errors="replace").strip())
            return


def _from_json(numbered: Iterator[tuple[int, bytes]]) -> Iterator[Read]:
    """A record in each line, or one record in all of them."""
    number, first = next(numbered)
    if not _is_whole(first):
        yield _decoded(number, b"".join(chain([first], (line for _, line in numbered))))
        return
    yield _decoded(number, first)
    for later, line in numbered:
        yield _decoded(later, line)


def _is_whole(line: bytes) -> bool:
    try:
        _anything.decode(line)
    except DecodeError:
        return False
    return True


def _decoded(number: int, document: bytes) -> Read:
    try:
        return Read(line=number, record=_records.decode(document))
    except ValidationError as error:
        return _unreadable(number, f"what docs/records.md says ({error})", "another object")
    except (DecodeError, UnicodeDecodeError) as error:
        return _unreadable(number, f"JSON ({error})", document[:60].decode(errors="replace").strip())


def _from_text(numbered: Iterator[tuple[int, bytes]]) -> Iterator[Read]:
    """Games one after the other, each beginning with the notation's own line."""
    begun, game = 0, list[str]()
    for number, line in numbered:
        text = line.decode(errors="replace")
        if text.strip() == NOTATION and game:
            yield _parsed(begun, game)
            game = []
        begun = begun if game else number
        game.append(text)
    yield _parsed(begun, game)


def _parsed(number: int, game: list[str]) -> Read:
    try:
        record, wrong = parsing.read(game)
    except parsing.Unreadable as error:
        return _unreadable(number, f"a game in the notation ({error})", "another text")
    return Read(line=number, record=record, wrong=wrong)


def _unreadable(number: int, expected: str, found: str) -> Read:
    return Read(line=number, record=None, wrong=(Finding(what="record", expected=expected, found=found),))
