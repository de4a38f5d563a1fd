"""What goes from hand to hand in the second verifier, and its way to say what is wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Complaint(Exception):
    """What is wrong."""


def check(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise Complaint(f"{what}: {expected} != {found}")


class PlainGame:
    """What goes from hand to hand."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.rules: Any = SimpleNamespace(**record["rules"])
        self.players: int = record["players"]
        self.pairs = record["seating"] == "pairs"
        self.sides = 2 if self.pairs else self.players
        self.scores = [0] * self.sides
        self.went_out: int | None = None
        self.result: tuple[object, ...] | None = None

    def side(self, seat: int) -> int:
        return seat % 2 if self.pairs else seat

    def end(self, reason: str) -> None:
        """The game ends: who won, and who is where."""
        best = [side for side, score in enumerate(self.scores) if score == max(self.scores)]
        places = [1 + sum(other > score for other in self.scores) for score in self.scores]
        self.result = (best[0] if len(best) == 1 else None, list(self.scores), places, reason)
