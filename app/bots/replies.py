"""What unseen tiles can answer: the best points of each, and how likely a seat holds at least one of some tiles."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from app.bots.options import OPTIONS_AT
from app.engine.ends import FITTING_AT, End
from app.engine.tiles import TILES, Tile

MOST = len(TILES)

NONE_OF: tuple[tuple[tuple[float, ...], ...], ...] = tuple(
    tuple(
        tuple(
            comb(unseen - wanted, held) / comb(unseen, held) if held <= unseen else 0.0 for wanted in range(unseen + 1)
        )
        for held in range(MOST + 1)
    )
    for unseen in range(MOST + 1)
)
"""`NONE_OF[unseen][held][wanted]`: how likely a seat holding so many of the unseen tiles has none of those wanted."""


def best_points(points: tuple[int, ...], count: int, ends: Iterable[End], tiles: int) -> dict[Tile, int]:
    """The most each of these tiles would score if it were laid now; tiles that score nothing are left out."""
    best: dict[Tile, int] = {}
    for end in ends:
        here = tiles & FITTING_AT[end]
        if here:
            for tile, change in OPTIONS_AT[end][here]:
                gained = points[count + change]
                if gained and gained > best.get(tile, 0):
                    best[tile] = gained
    return best


def expected_best(gains: Iterable[int], unseen: int, held: int) -> float:
    """The expected best of these gains for a seat that holds so many of the unseen tiles.

    >>> expected_best([10, 5], unseen=2, held=1)
    7.5
    """
    none = NONE_OF[unseen][held]
    expected, before = 0.0, 1.0
    for rank, gain in enumerate(sorted(gains, reverse=True), 1):
        without = none[rank]
        expected += gain * (before - without)
        before = without
    return expected
