"""What a seat's past tells about the tiles it still holds: when it got each of them, and what it can not be.

Whoever draws or passes shows that nothing it holds then fits. That binds the tiles it held at that moment, not those it
drew later; so a seat's hidden tiles lie in batches (the deal, then every draw), each with the tiles it cannot contain.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.known import Known
from app.bots.replies import best_points
from app.engine.game import Drew, Laid, Passed
from app.engine.layout import NO_TILE_YET, Layout, lay, open_end
from app.engine.rules import Rules, way_laid
from app.engine.tiles import ALL_TILES, BIT, DOUBLES, IS_DOUBLE, NO_TILES, SPOTS, TILES, Tile, TileSet, parse_tile
from app.engine.views import SeatView


class Laying(Struct, frozen=True, gc=False):
    """A tile a seat laid by choice, and how much it wanted each tile then."""

    tile: Tile
    after_batches: int
    """Batches it had by then."""
    barred: tuple[TileSet, ...]
    """Per batch the tiles that draws and passes had excluded by then."""
    wish: tuple[float, ...]
    """Per tile how readily it would have been laid; 0: it did not fit."""


class Past(Struct, frozen=True, gc=False):
    """What everybody saw one seat do in this hand."""

    seat: int
    batches: tuple[int, ...]
    """How many tiles it got each time, without those that were drawn and laid at once."""
    barred: tuple[TileSet, ...]
    """Per batch the tiles that cannot be left of it."""
    layings: tuple[Laying, ...]


class Story(Struct, frozen=True, gc=False):
    """One way in which a seat's past may have been: from which batch each tile came."""

    left: tuple[int, ...]
    """Tiles still held, per batch."""
    came_from: tuple[int, ...]
    """Batch of every laying."""


class Willing(Struct, frozen=True):
    """How players choose, as far as it helps to guess their tiles."""

    per_point: float = 0.2
    per_spot: float = 0.08
    double: float = 0.9


WILLING = Willing()


def pasts(view: SeatView, now: Known, willing: Willing = WILLING) -> list[Past]:
    """The past of every other seat."""
    return [_past(view, now, seat, willing) for seat in range(view.players) if seat != view.seat]


def _past(view: SeatView, now: Known, seat: int, willing: Willing) -> Past:
    rules, history = now.rules, view.history
    layout = NO_TILE_YET
    batches = [rules.tiles_each]
    barred = [_barred_by_lead(view, rules)]
    layings: list[Laying] = []
    drawn_now = False
    for place, event in enumerate(history):
        if isinstance(event, Laid):
            tile, end = parse_tile(event.tile), open_end(layout, event.end)
            assert end is not None
            if event.seat == seat and not drawn_now:
                wish = _wish(rules, layout, willing) if place or not _lead_forced(view, rules) else _indifferent(tile)
                layings.append(Laying(tile, len(batches), tuple(barred), wish))
            drawn_now = False
            layout = lay(layout, tile, end, way_laid(rules, tile, layout.has_double, event.lengthwise))
        elif event.seat == seat:
            barred = [TileSet(before | layout.fits) for before in barred]
            if isinstance(event, Drew):
                following = history[place + 1] if place + 1 < len(history) else None
                drawn_now = isinstance(following, Laid)
                batches.append(event.number - drawn_now)
                barred.append(layout.fits)
    return Past(seat, tuple(batches), tuple(barred), tuple(layings))


def _lead_forced(view: SeatView, rules: Rules) -> bool:
    return (rules.ruleset.first_lead if view.hand_number == 1 else rules.ruleset.next_lead) == "highest_double"


def _barred_by_lead(view: SeatView, rules: Rules) -> TileSet:
    """Tiles nobody was dealt, because whoever held the highest double had to lead it."""
    lead = view.history[0] if view.history else None
    if not isinstance(lead, Laid) or not _lead_forced(view, rules):
        return NO_TILES
    led = parse_tile(lead.tile)
    if IS_DOUBLE[led]:
        return TileSet(sum(BIT[tile] for tile in TILES if IS_DOUBLE[tile] and tile > led))
    heavier = (tile for tile in TILES if (SPOTS[tile], tile) > (SPOTS[led], led))
    return TileSet(DOUBLES | sum(BIT[tile] for tile in heavier if not IS_DOUBLE[tile]))


def _wish(rules: Rules, layout: Layout, willing: Willing) -> tuple[float, ...]:
    gains = best_points(rules.points, layout.count, layout.ends, ALL_TILES)
    unit = rules.ruleset.points_unit
    return tuple(
        2.718281828459045
        ** (
            willing.per_point * unit * gains.get(tile, 0)
            + willing.per_spot * SPOTS[tile]
            + willing.double * IS_DOUBLE[tile]
        )
        if layout.fits & BIT[tile]
        else 0.0
        for tile in TILES
    )


def _indifferent(tile: Tile) -> tuple[float, ...]:
    return tuple(float(one == tile) for one in TILES)


def story(past: Past, dice: Dice) -> Story | None:
    """One way in which it may have been, each about as likely as it is; None: this try led nowhere."""
    left = list(past.batches)
    if len(left) == 1:
        return Story((left[0] - len(past.layings),), (0,) * len(past.layings))
    came_from = []
    for laying in past.layings:
        weights = [
            left[batch] if not laying.barred[batch] & BIT[laying.tile] else 0 for batch in range(laying.after_batches)
        ]
        together = sum(weights)
        if not together:
            return None
        pick, batch = dice.below(together), 0
        while pick >= weights[batch]:
            pick -= weights[batch]
            batch += 1
        left[batch] -= 1
        came_from.append(batch)
    return Story(tuple(left), tuple(came_from))


def likelihood(past: Past, told: Story, held: Sequence[Sequence[Tile]]) -> float:
    """How likely the seat would have laid what it laid, if these are the tiles it still holds, per batch."""
    likely = 1.0
    layings = past.layings
    for place, laying in enumerate(layings):
        wish = laying.wish
        wanted = 0.0
        for later in range(place, len(layings)):
            if told.came_from[later] < laying.after_batches:
                wanted += wish[layings[later].tile]
        for tiles in held[: laying.after_batches]:
            for tile in tiles:
                wanted += wish[tile]
        likely *= wish[laying.tile] / wanted
    return likely
