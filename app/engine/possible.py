"""The few questions about a hand on which all legality rests: what fits, what can be drawn, who may call."""

from __future__ import annotations

from app.engine.ends import FITTING_AT, End
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.tiles import DOUBLES, Tile, TileSet, tiles_in

Placing = tuple[Tile, End, bool]
"""A tile, the open end it is laid on, and whether lengthwise."""


class _PlacingsAt(dict[int, tuple[Placing, ...]]):
    """Placings on one end for every set of tiles that fit there, each made when it is first asked for."""

    def __init__(self, end: End) -> None:
        super().__init__()
        self.end = end

    def __missing__(self, here: int) -> tuple[Placing, ...]:
        made = tuple((tile, self.end, False) for tile in tiles_in(TileSet(here)))
        self[here] = made
        return made


_PLACINGS = tuple(_PlacingsAt(End(end)) for end in range(len(FITTING_AT)))


def plays(rules: Rules, hand: Hand) -> list[Placing]:
    """Every way in which the seat on turn can lay a tile; empty when none fits.

    Ends that differ only by symmetry are all listed. The order is that of the open ends, and means nothing.
    """
    layout = hand.layout
    held = hand.holdings[hand.turn] & layout.fits
    found: list[Placing] = []
    if not held:
        return found
    for end in layout.ends:
        here = held & FITTING_AT[end]
        if here:
            found += _PLACINGS[end][here]
    if rules.lengthwise_choice and not layout.has_double and held & DOUBLES:
        found += [(tile, end, True) for tile, end, _ in found if DOUBLES >> tile & 1]
    return found


def can_draw(rules: Rules, hand: Hand) -> bool:
    """Whether the boneyard has a tile that may be drawn."""
    return len(hand.boneyard) > rules.kept


def is_blocked(rules: Rules, hand: Hand) -> bool:
    """Whether nothing can be drawn and nobody, the mover included, holds a tile that fits (RULES.md, "A turn")."""
    if len(hand.boneyard) > rules.kept:
        return False
    fits = hand.layout.fits
    return not any(held & fits for held in hand.holdings)


def may_call(rules: Rules, hand: Hand, seat: int) -> bool:
    """Whether a seat is an opponent of the last play's maker, in its window, and has not called yet."""
    window = hand.window
    return (
        window is not None
        and 0 <= seat < rules.players
        and rules.side[seat] != rules.side[window.seat]
        and not window.called >> seat & 1
    )
