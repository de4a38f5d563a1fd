"""A careful bot: its points now, less what the next player can be expected to make of what it leaves.

It uses what everybody knows: which tiles are unseen, how many of them the next player holds, and which numbers the
draws and passes of this hand prove that player not to have.
"""

from app.engine.ends import FITTING_AT
from app.engine.layout import Layout, count_after, lay, open_end
from app.engine.moves import Move
from app.engine.rules import Rules, rules_for, way_laid
from app.engine.tiles import ALL_TILES, BIT, HALVES, Tile, TileSet, parse_tile, parse_tiles, tiles_in
from app.engine.views import SeatView, layout_seen

SPOT = 0.2
"""What it is worth, in points, to be rid of a spot."""


def choose(view: SeatView) -> Move:
    """The play that leaves most; where nothing fits there is one move only, a draw or a pass."""
    plays = [move for move in view.legal_moves if move.action == "play"]
    if len(plays) < 2:
        return view.legal_moves[0]
    rules, layout = rules_for(view.rules, view.players, view.seating), layout_seen(view)
    others = may_be_held(view, rules.next_seat[view.seat])
    return max(plays, key=lambda move: worth(rules, layout, move, others))


def may_be_held(view: SeatView, seat: int) -> dict[Tile, float]:
    """Every unseen tile that the seat may hold, and how likely it does."""
    seen = parse_tiles(view.holding) | parse_tiles(laid.tile for laid in view.layout.tiles)
    unseen = tiles_in(TileSet(ALL_TILES & ~seen))
    possible = [tile for tile in unseen if not set(HALVES[tile]) & set(view.lacks[seat])]
    chance = min(1.0, view.tiles_left[seat] / max(1, len(possible)))
    return dict.fromkeys(possible, chance)


def worth(rules: Rules, layout: Layout, move: Move, others: dict[Tile, float]) -> float:
    """Points of the play, less those of the best reply to expect, and a little for the spots it sheds."""
    tile, end = parse_tile(move.tile or ""), open_end(layout, move.end or "lead")
    assert end is not None
    after = lay(layout, tile, end, way_laid(rules, tile, layout.has_double, move.lengthwise))
    return rules.points[after.count] - expected_reply(rules, after, others) + SPOT * sum(HALVES[tile])


def expected_reply(rules: Rules, layout: Layout, others: dict[Tile, float]) -> float:
    """Points of the best reply, each tile weighed by how likely it is there and every better one is not."""
    replies = sorted(((best_with(rules, layout, tile), chance) for tile, chance in others.items()), reverse=True)
    expected, none_better = 0.0, 1.0
    for points, chance in replies:
        expected += points * chance * none_better
        none_better *= 1 - chance
    return expected


def best_with(rules: Rules, layout: Layout, tile: Tile) -> int:
    """The most points this tile can make on the layout; 0 where it does not fit."""
    way = way_laid(rules, tile, layout.has_double, lengthwise=False)
    fitting = [end for end in layout.ends if FITTING_AT[end] & BIT[tile]]
    return max((rules.points[count_after(layout, tile, end, way)] for end in fitting), default=0)
