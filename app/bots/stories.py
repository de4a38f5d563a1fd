"""What a seat's past tells about the tiles it still holds: when it got each of them, and what it can not be.

Whoever draws or passes shows that nothing it holds then fits. That binds the tiles it held at that moment, not those it
drew later; so a seat's hidden tiles lie in batches (the deal, then every draw), each with the tiles it cannot contain.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.known import Known
from app.bots.wishes import OFTEN, Table, Wish, wishes
from app.engine.game import Drew, Laid
from app.engine.layout import NO_TILE_YET, lay, open_end
from app.engine.rules import Rules, way_laid
from app.engine.tiles import BIT, DOUBLES, IS_DOUBLE, NO_TILES, SPOTS, TILES, Tile, TileSet, parse_tile
from app.engine.views import SeatView


class Laying(Struct, frozen=True, gc=False):
    """A tile a seat laid by choice, and how much it wanted each tile then."""

    tile: Tile
    after_batches: int
    """Batches it had by then."""
    barred: tuple[TileSet, ...]
    """Per batch the tiles that draws and passes had excluded by then."""
    wishes: tuple[Wish, ...]
    """For every kind of player how readily it would have laid each tile."""


class Past(Struct, frozen=True, gc=False):
    """What everybody saw one seat do in this hand."""

    seat: int
    batches: tuple[int, ...]
    """How many tiles it got each time, without those that were drawn and laid at once."""
    barred: tuple[TileSet, ...]
    """Per batch the tiles that cannot be left of it."""
    layings: tuple[Laying, ...]
    remembered: dict[tuple[int, ...], list[tuple[float, ...]]]
    """Per story what is worked out once."""


class Story(Struct, frozen=True, gc=False):
    """One way in which a seat's past may have been: from which batch each tile came."""

    left: tuple[int, ...]
    """Tiles still held, per batch."""
    came_from: tuple[int, ...]
    """Batch of every laying."""


def pasts(view: SeatView, now: Known) -> list[Past]:
    """The past of every other seat."""
    rules, history = now.rules, view.history
    barred_by_lead = _barred_by_lead(view, rules)
    batches = [[rules.tiles_each] for _ in range(view.players)]
    barred = [[barred_by_lead] for _ in range(view.players)]
    layings: list[list[Laying]] = [[] for _ in range(view.players)]
    lacks = [NO_TILES] * view.players
    tiles_left = [rules.tiles_each] * view.players
    layout, laid = NO_TILE_YET, NO_TILES
    forced = _lead_forced(view, rules)
    for place, event in enumerate(history):
        seat = event.seat
        if isinstance(event, Laid):
            tile, end = parse_tile(event.tile), open_end(layout, event.end)
            assert end is not None
            if seat != view.seat and not forced:
                table = Table(rules, layout, laid, tuple(tiles_left), tuple(lacks))
                layings[seat].append(Laying(tile, len(batches[seat]), tuple(barred[seat]), wishes(table, seat)))
            elif forced and not place:
                batches[seat][0] -= 1
            forced = False
            layout = lay(layout, tile, end, way_laid(rules, tile, layout.has_double, event.lengthwise))
            laid = TileSet(laid | BIT[tile])
            tiles_left[seat] -= 1
            continue
        barred[seat] = [TileSet(before | layout.fits) for before in barred[seat]]
        if isinstance(event, Drew):
            forced = place + 1 < len(history) and isinstance(history[place + 1], Laid)
            batches[seat].append(event.number - forced)
            barred[seat].append(layout.fits)
            lacks[seat] = TileSet(layout.fits | (lacks[seat] if event.number == 1 and forced else NO_TILES))
            tiles_left[seat] += event.number
        else:
            lacks[seat] = TileSet(lacks[seat] | layout.fits)
    return [
        Past(seat, tuple(batches[seat]), tuple(barred[seat]), tuple(layings[seat]), {})
        for seat in range(view.players)
        if seat != view.seat
    ]


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
    by_then: list[list[Tile]] = [[]]
    for tiles in held:
        by_then.append([*by_then[-1], *tiles])
    likely = [*OFTEN]
    for laying, later in zip(past.layings, laid_later(past, told), strict=True):
        tiles = by_then[laying.after_batches]
        for kind, wish in enumerate(laying.wishes):
            likely[kind] *= wish[laying.tile] / (later[kind] + sum([wish[tile] for tile in tiles]))
    # It may be any kind of player, all through the hand.
    return sum(likely)


def laid_later(past: Past, told: Story) -> list[tuple[float, ...]]:
    """For every laying the wishes, per kind, for the tiles that were held then and have been laid since."""
    known = past.remembered.get(told.came_from)
    if known is None:
        known = []
        for place, laying in enumerate(past.layings):
            tiles = [
                other.tile
                for other, batch in zip(past.layings[place:], told.came_from[place:], strict=True)
                if batch < laying.after_batches
            ]
            known.append(tuple(sum(wish[tile] for tile in tiles) for wish in laying.wishes))
        past.remembered[told.came_from] = known
    return known
