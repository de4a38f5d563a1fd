"""What happens, in words and lines for people, and as JSON for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from app.kit.answers import Entry
from app.plain import plain

QUIET = ("moved", "moved on")
"""Too many to be told to people."""


ENOUGH = 3
"""Times people are told of the same trouble."""


class Repeats:
    """Whether people have heard enough of a trouble: a bot that breaks once mostly breaks at every move."""

    def __init__(self) -> None:
        self._told: Counter[str] = Counter()

    def told(self, trouble: dict[str, Any]) -> dict[str, Any] | None:
        """The trouble as it is told now; None: no more. Crashes are the same by their kind of error, others all."""
        what = trouble["why"].partition(":")[0] if trouble["trouble"] == "crash" else ""
        same = f"{trouble['trouble']} {what}"
        self._told[same] += 1
        if self._told[same] > ENOUGH:
            return None
        return {**trouble, "and_so_on": self._told[same] == ENOUGH}


def line(kind: str, table: str, told: dict[str, Any]) -> str:
    """One thing in a line.

    >>> line("ended", "T9", {"outcome": "won", "scores": [140, 255], "side": 1})
    'T9: won, 255:140'
    """
    where = f"{table}: " if table else ""
    return plain(where + _words(kind, told))


def _words(kind: str, told: dict[str, Any]) -> str:
    event = told.get("event", {})
    words: dict[str, Callable[[], str]] = {
        "sat down": lambda: f"sat down at seat {told['seat']}",
        "ended": lambda: f"{told['outcome']}, {_scores(told['scores'], told['side'])}",
        "hand ended": lambda: (
            f"hand {event['hand']} ended ({_said(event['reason'])}), {_scores(event['scores'], told['side'])}"
        ),
        "trouble": lambda: (
            f"{told['trouble']}: {told['why']}; the first legal move was played ({told['file']})"
            + (", and so on" if told.get("and_so_on") else "")
        ),
        "invited": lambda: "invited, " + (f"declined ({told['declined']})" if told["declined"] else "accepted"),
        "came back": lambda: "a stand-in sat in our seat: taken back",
        "turn timed out": lambda: f"seat {event['seat']} ran out of time",
        "stand in seated": lambda: f"a stand-in plays for seat {event['seat']} ({event['reason']})",
        "no answer": lambda: f"{told['why']}; try {told['tries']}, going on",
        "refused": lambda: f"refused: {told['why']}",
    }
    return words[kind]() if kind in words else str(told.get("text", kind))


def _said(word: str) -> str:
    return word.replace("_", " ")


def _scores(scores: Sequence[int], side: int | None) -> str:
    """Ours first."""
    own = () if side is None else (scores[side],)
    return ":".join(str(score) for score in (*own, *(score for other, score in enumerate(scores) if other != side)))


def machine_line(kind: str, table: str, told: dict[str, Any]) -> str:
    """The same as a JSON object, names in snake case: `at` (RFC 3339, UTC), `kind`, `table`, and what belongs to it."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    head = {"at": now.replace("+00:00", "Z"), "kind": kind.replace(" ", "_"), "table": table or None}
    return msgspec.json.encode({**head, **{name.replace(" ", "_"): value for name, value in told.items()}}).decode()


def in_words(event: Entry, names: Sequence[str]) -> str:
    """An event in few words; `names` are those of the seats.

    >>> in_words({"type": "tile_played", "seat": 1, "tile": "64", "end": "66.left"}, ["we", "Ann"])
    'Ann: 64 on 66.left'
    >>> in_words({"type": "turn_passed", "seat": 0}, ["we", "Ann"])
    'we: pass'
    """
    seat = event.get("seat")
    who = "" if seat is None or seat >= len(names) else f"{names[seat]}: "
    match event["type"]:
        case "tile_played":
            return f"{who}{event['tile']}" + ("" if event["end"] == "lead" else f" on {event['end']}")
        case "tiles_drawn":
            return f"{who}draws {event['number']}"
        case "turn_passed":
            return f"{who}pass"
        case "hand_ended":
            return f"hand {event['hand']} ended ({event['reason'].replace('_', ' ')})"
        case kind:
            return who + str(kind).replace("_", " ")
