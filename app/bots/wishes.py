"""How readily a player lays each tile: two kinds of players, so that what somebody laid tells about what he holds.

The figures are fitted to many plays of levels medium and hard. A wish is a weight: a tile of twice the wish is laid
twice as often.
"""

from __future__ import annotations

from math import exp

from msgspec import Struct

from app.bots.replies import NONE_OF, best_points, expected_best
from app.engine.ends import FITTING_AT
from app.engine.layout import Layout, lay
from app.engine.rules import Rules, way_laid
from app.engine.tiles import ALL_TILES, BIT, IS_DOUBLE, SPOTS, TILES, Tile, TileSet, tiles_in

WIDEST = 14.0
"""A wish is at most e to this power times another."""
Wish = tuple[float, ...]
"""Per tile; 0: it does not fit."""


class Table(Struct, frozen=True, gc=False):
    """What everybody saw lie when a tile was laid."""

    rules: Rules
    layout: Layout
    laid: TileSet
    tiles_left: tuple[int, ...]
    lacks: tuple[TileSet, ...]
    """Per seat the tiles it was proved not to hold."""


class Greedy(Struct, frozen=True):
    """Weights of a player who looks at his own points: e to the power of their sum."""

    point: float = 1.2
    spot: float = 0.4
    double: float = 4.0


class Careful(Struct, frozen=True):
    """Weights of a player who fears the next one's best reply."""

    point: float = 0.8
    reply: float = 0.7
    stuck: float = 4.5
    spot: float = 0.12
    double: float = 2.2


GREEDY = Greedy()
CAREFUL = Careful()


def greedy_wish(table: Table, weights: Greedy = GREEDY) -> Wish:
    """The wishes of a player who takes points."""
    layout, rules = table.layout, table.rules
    gains = best_points(rules.points, layout.count, layout.ends, ALL_TILES)
    unit = rules.ruleset.points_unit
    return _wish(
        {
            tile: weights.point * unit * gains.get(tile, 0)
            + weights.spot * SPOTS[tile]
            + weights.double * IS_DOUBLE[tile]
            for tile in tiles_in(TileSet(layout.fits & ~table.laid))
        }
    )


def careful_wish(table: Table, mover: int, weights: Careful = CAREFUL) -> Wish:
    """The wishes of a player who weighs points against the reply of whoever is next."""
    rules, layout = table.rules, table.layout
    unit = rules.ruleset.points_unit
    following = rules.next_seat[mover]
    against = -1 if rules.side[following] != rules.side[mover] else 0
    liking: dict[Tile, float] = {}
    others = ALL_TILES & ~table.laid & ~table.lacks[following]
    for tile in tiles_in(TileSet(layout.fits & ~table.laid)):
        hidden = TileSet(others & ~BIT[tile])
        number = hidden.bit_count()
        held = min(number, table.tiles_left[following])
        way = way_laid(rules, tile, layout.has_double, False)
        best = -1e9
        for end in layout.ends:
            if not FITTING_AT[end] & BIT[tile]:
                continue
            after = lay(layout, tile, end, way)
            gains = best_points(rules.points, after.count, after.ends, hidden)
            reply = expected_best(gains.values(), number, held) if gains else 0.0
            stuck = NONE_OF[number][held][(hidden & after.fits).bit_count()]
            worth = weights.point * unit * rules.points[after.count]
            worth += against * (weights.reply * unit * reply - weights.stuck * stuck)
            best = max(best, worth)
        liking[tile] = best + weights.spot * SPOTS[tile] + weights.double * IS_DOUBLE[tile]
    return _wish(liking)


def _wish(liking: dict[Tile, float]) -> Wish:
    """Sums of wishes are kept up to date by adding and taking away: a range that is too wide would lose the small."""
    wish = [0.0] * len(TILES)
    least = min(liking.values())
    for tile, liked in liking.items():
        wish[tile] = exp(min(liked - least, WIDEST))
    return tuple(wish)


OFTEN = (1.0, 1.0, 0.2)
"""How common each kind of player is: greedy, careful, and one who lays anything."""
KINDS = len(OFTEN)
GREEDY_KIND = 0


def wishes(table: Table, mover: int) -> tuple[Wish, ...]:
    """The wishes of every kind of player, in the order of `OFTEN`."""
    anything = tuple(float(table.layout.fits >> tile & 1) for tile in TILES)
    return greedy_wish(table), careful_wish(table, mover), anything
