"""What is wrong with a record, and where: one finding for each thing that is not as it must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import asdict


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong."""

    what: str
    """The field or the fact: `count`, `points`, `move`, `event`, `seq`, `link`, `holdings[1]`, `rules.target`, …"""
    expected: object
    """What the rules, the chain or the rest of the record say it must be; None: nothing should be here."""
    found: object
    hand: int | None = None
    """Number of the hand; None: the record as a whole."""
    move: int | None = None
    """Number of the move in the hand, from 1, counting plays, draws, passes and calls; None: before the first."""
    event: int | None = None
    """Place in the hand's `events`, from 0; None: the hand as a whole."""
    seq: int | None = None
    """The event's own number in the table's log; None where it has none."""
    type: str | None = None
    """The event's type."""

    @property
    def where(self) -> str:
        """As a person reads it.

        >>> Finding(what="count", expected=10, found=15, hand=3, move=5, event=12, seq=57, type="tile_played").where
        'hand 3, move 5 (tile_played, event 12, seq 57)'
        """
        if self.hand is None:
            return "record"
        inside = [self.type] if self.type else []
        inside += [] if self.event is None else [f"event {self.event}"]
        inside += [f"seq {self.seq}"] if self.seq else []
        move = f", move {self.move}" if self.move else ""
        return f"hand {self.hand}{move}" + (f" ({', '.join(inside)})" if inside else "")

    def __str__(self) -> str:
        where = self.where if self.where == self.what else f"{self.where}: {self.what}"
        return f"{where}: expected {shown(self.expected)}, found {shown(self.found)}"


class Report(Struct, frozen=True, kw_only=True):
    """What came of looking at one record."""

    table: str
    hands: int = 0
    """Hands judged."""
    moves: int = 0
    """Plays, draws, passes and calls judged."""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be looked at, and why."""

    @property
    def is_right(self) -> bool:
        return not self.findings


def differences(expected: object, found: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Every place where two values of one shape differ: (path, expected, found).

    >>> list(differences({"a": (1, 2)}, {"a": (1, 3)}))
    [('a[1]', 2, 3)]
    """
    if isinstance(expected, Struct) and type(expected) is type(found):
        yield from differences(asdict(expected), asdict(found), path)
    elif isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found}:
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(expected.get(key), found.get(key), inner)
    elif _is_list(expected) and _is_list(found) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif expected != found:
        yield path, expected, found


def shown(value: object) -> str:
    """A value in a sentence: tiles in a row, nothing as `nothing`."""
    if value is None:
        return "nothing"
    if _is_list(value):
        return " ".join(shown(item) for item in value) or "none"
    if isinstance(value, Struct):
        return " ".join(f"{name}={shown(inner)}" for name, inner in asdict(value).items())
    return str(value)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, (tuple, list))
