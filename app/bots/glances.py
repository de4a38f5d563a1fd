"""What a hand that is not played out is worth, at a glance at all its tiles.

A playout that is cut short needs far fewer deals for the same certainty: most of what happens in the rest of a hand is
luck, which the glance leaves out. The figures are fitted to how many thousands of playouts ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.bots.options import NO_POINTS, REPLIES_AT
from app.engine.ends import FITTING_AT, End
from app.engine.rules import Rules
from app.engine.tiles import DOUBLES, TileSet, spots_in


class Hope(NamedTuple):
    """What a seat may still win for its side, in points of one spot each: the sum of these."""

    once: float
    tile: float
    """For every tile it holds."""
    spot: float
    """For every spot on them."""
    double: float
    fitting: float
    """For every tile that fits."""
    point: float
    """For every point of the best play on this layout."""
    out_at_once: float
    """For every spot its opponents hold, when it has one tile left."""
    out_soon: float
    """The same when it has two."""


HOPES: dict[tuple[bool, int, str], tuple[Hope, ...]] = {
    (False, 2, "solo"): (
        Hope(-0.59, 1.72, -0.18, -2.74, 2.27, 0.94, 1.03, 0.3),
        Hope(0.59, 2.61, -0.22, -3.59, 1.31, 0.11, 0.42, 0.17),
    ),
    (False, 3, "solo"): (
        Hope(0.69, 0.12, -0.17, -3.15, 2.31, 0.96, 1.02, 0.3),
        Hope(0.25, 0.76, -0.19, -3.97, 2.17, 0.14, 0.46, 0.18),
        Hope(-0.93, 1.19, -0.2, -3.79, 1.68, 0.06, 0.39, 0.15),
    ),
    (False, 4, "solo"): (
        Hope(1.73, -0.53, -0.1, -2.85, 2.32, 0.96, 1.08, 0.26),
        Hope(0.72, 0.18, -0.13, -3.83, 2.75, 0.12, 0.49, 0.17),
        Hope(-0.77, 1.0, -0.13, -4.02, 1.96, 0.05, 0.41, 0.14),
        Hope(-1.68, 0.89, -0.12, -3.43, 1.65, 0.07, 0.34, 0.12),
    ),
    (False, 4, "pairs"): (
        Hope(0.36, -1.1, -0.17, -2.9, 2.29, 0.9, 0.74, 0.14),
        Hope(-0.36, -0.56, -0.21, -3.8, 2.62, 0.11, 0.26, 0.07),
        Hope(0.36, -0.02, -0.21, -3.53, 1.74, 0.02, 0.23, 0.09),
        Hope(-0.36, 0.36, -0.24, -3.74, 1.23, 0.06, 0.22, 0.08),
    ),
    (True, 2, "solo"): (
        Hope(-0.04, 0.89, -0.17, -2.17, 1.79, 0.97, 0.91, 0.25),
        Hope(0.04, 1.64, -0.19, -2.96, 0.88, 0.12, 0.31, 0.11),
    ),
    (True, 3, "solo"): (
        Hope(1.04, 0.04, -0.36, -2.05, 1.18, 0.99, 0.32, 0.08),
        Hope(-0.45, 0.48, -0.39, -2.58, 1.35, 0.08, 0.11, 0.04),
        Hope(-0.59, 0.82, -0.42, -2.58, 0.77, 0.01, 0.1, 0.02),
    ),
    (True, 4, "solo"): (
        Hope(2.17, -0.73, -0.4, -1.37, 0.68, 0.99, 0.17, 0.05),
        Hope(-0.39, -0.27, -0.43, -1.81, 1.24, 0.09, 0.08, 0.03),
        Hope(-0.69, -0.0, -0.45, -1.8, 0.71, 0.03, 0.07, 0.02),
        Hope(-1.09, 0.21, -0.47, -1.81, 0.44, -0.02, 0.07, 0.02),
    ),
    (True, 4, "pairs"): (
        Hope(0.58, -0.31, -0.33, -1.67, 1.51, 0.93, 0.35, 0.1),
        Hope(-0.58, 0.19, -0.35, -2.09, 1.57, 0.08, 0.15, 0.06),
        Hope(0.58, 0.56, -0.4, -2.02, 0.83, 0.04, 0.16, 0.07),
        Hope(-0.58, 0.87, -0.39, -2.25, 0.2, 0.0, 0.14, 0.05),
    ),
}
"""Per seat in order of play, the seat on turn first; by whether a hand's end takes off one's own spots, the number of
players, and the seating."""


def hopes_at(rules: Rules) -> tuple[Hope, ...]:
    """The figures of this table; none where only a hand's end scores: there a hand is played out."""
    if rules.ruleset.scoring == "none":
        return ()
    return HOPES[rules.ruleset.hand_end == "own_subtracted", rules.players, rules.seating]


def add_hopes(  # noqa: PLR0917 - called for every playout: a keyword costs more
    rules: Rules, scores: list[float], holdings: Sequence[TileSet], turn: int, ends: Sequence[End], count: int
) -> None:
    """Add to the score of every side what its seats may hope for; only the differences mean something."""
    fits = 0
    for end in ends:
        fits |= FITTING_AT[end]
    unit, side = rules.ruleset.points_unit, rules.side
    spots = [spots_in(held) for held in holdings]
    for once, tile, spot, double, fitting, point, out_at_once, out_soon in hopes_at(rules):
        held = holdings[turn]
        tiles = held.bit_count()
        hope = once + tile * tiles + spot * spots[turn] + double * (held & DOUBLES).bit_count()
        hope += fitting * (held & fits).bit_count() + point * _best(rules, held, ends, count) * unit
        if tiles <= 2:
            theirs = sum([more for seat, more in enumerate(spots) if side[seat] != side[turn]])
            hope += (out_at_once if tiles == 1 else out_soon) * theirs
        scores[side[turn]] += hope / unit
        turn = rules.next_seat[turn]


def _best(rules: Rules, held: TileSet, ends: Sequence[End], count: int) -> int:
    """The most points these tiles could make now."""
    rest, most = -count % 5, NO_POINTS
    for end in ends:
        change = REPLIES_AT[end][held & FITTING_AT[end]][rest]
        if change > most:  # noqa: PLR1730 - a call of max costs more
            most = change
    return rules.points[count + most] if most > NO_POINTS else 0
