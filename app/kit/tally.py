"""What a session has come to: how its games ended, and what went wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any

FIGURES = (
    "won",
    "lost",
    "drawn",
    "abandoned",
    "left",
    "given up",
    "not seated",
    "closed",
    "moves",
    "crash",
    "illegal",
    "timed out",
    "moved on",
    "refused",
)


class Tally(Counter[str]):
    """`FIGURES`, counted as they are heard of."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(FIGURES, 0))
        self.left: list[str] = []
        """Tables where a stand-in plays on for us."""

    def hear(self, kind: str, table: str, told: dict[str, Any]) -> None:
        """Count it, if it is among the figures."""
        match kind:
            case "moved":
                self["moves"] += 1
            case "trouble":
                self[told["trouble"]] += 1
            case "moved on" | "refused":
                self[kind] += 1
            case "turn timed out" if told["ours"]:
                self["timed out"] += 1
            case "ended":
                self[told["outcome"]] += 1
                if told["outcome"] == "left":
                    self.left.append(table)
