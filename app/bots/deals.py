"""Deals of the hidden tiles that agree with everything public, drawn so that likely ones come more often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.known import Known
from app.bots.stories import Story, likelihood, pasts, story
from app.bots.walks import Walk
from app.engine.tiles import BIT, NO_TILES, Tile, TileSet, tiles_in
from app.engine.views import SeatView

TRIES = 12
"""Stories tried before only the proofs of the last draw and pass are kept."""
PICKS = 400
"""Picks after which a deal is given up: what is left of the tiles cannot be shared out like that."""


STARTS = 40
"""Deals made blindly, to begin with."""
WALKS = 10
STEPS = 6
"""Steps of a walk from one deal that is used to the next."""


class Hidden(Struct, frozen=True, gc=False):
    """Where the hidden tiles may lie."""

    holdings: tuple[TileSet, ...]
    """Per seat, the viewer's own as it is."""
    boneyard: tuple[Tile, ...]
    """In drawing order."""
    greedy: int
    """Seats, as bits, that seem to look at their own points only."""


Start = tuple[list[Story], list[list[list[Tile]]]]
"""For every other seat its story and its tiles, per batch."""


class Dealer:
    """Deals hidden tiles for one view."""

    def __init__(self, view: SeatView, now: Known, dice: Dice) -> None:
        self._now, self._dice = now, dice
        self._pasts = pasts(view, now)
        self._unseen = list(tiles_in(now.unseen))
        self._could_be = [
            [list(tiles_in(TileSet(now.unseen & ~barred))) for barred in past.barred] for past in self._pasts
        ]

    def likely(self) -> Iterator[Hidden]:
        """Deals without end, found on walks that start from the likeliest of some blind ones."""
        starts = [start for start in (self._start() for _ in range(STARTS)) if start is not None]
        walks = [Walk(self._dice, self._unseen, self._pasts, stories, held) for stories, held in self._chosen(starts)]
        while True:
            for walk in walks:
                walk.steps(STEPS)
                yield self._with_boneyard(self._holdings(walk), self._greedy(walk))
            if not walks:
                yield self._with_boneyard(self._loose(), 0)

    def _chosen(self, starts: list[Start]) -> list[Start]:
        """`WALKS` of the starts, each as often as it is likely; none if there are none."""
        if not starts:
            return []
        weights = [
            prod(
                likelihood(past, told, batches) for past, told, batches in zip(self._pasts, stories, held, strict=True)
            )
            for stories, held in starts
        ]
        step = sum(weights) / WALKS
        at = self._dice.fraction() * step
        chosen: list[Start] = []
        passed = 0.0
        for start, weight in zip(starts, weights, strict=True):
            passed += weight
            while passed > at and len(chosen) < WALKS:
                chosen.append(start)
                at += step
        # Rounding may leave all out.
        return chosen or starts[:1]

    def _start(self) -> Start | None:
        for _ in range(TRIES):
            stories = [told for told in (story(past, self._dice) for past in self._pasts) if told is not None]
            held = self._held(stories)
            if held is not None:
                return stories, held
        return None

    def _holdings(self, walk: Walk) -> tuple[TileSet, ...]:
        holdings = [self._now.holding] * len(self._now.tiles_left)
        for place, past in enumerate(self._pasts):
            holdings[past.seat] = walk.held_by(place)
        return tuple(holdings)

    def _held(self, stories: Sequence[Story]) -> list[list[list[Tile]]] | None:
        """Tiles for every batch of every other seat; None: this try led nowhere."""
        if len(stories) < len(self._pasts):
            return None
        wanted = [
            (len(self._could_be[place][batch]), place, batch, number)
            for place, told in enumerate(stories)
            for batch, number in enumerate(told.left)
            if number
        ]
        if len(wanted) > 1:
            wanted.sort()
        held: list[list[list[Tile]]] = [[[] for _ in past.batches] for past in self._pasts]
        used, picks, below = 0, 0, self._dice.below
        for most, place, batch, number in wanted:
            tiles, could_be = held[place][batch], self._could_be[place][batch]
            while len(tiles) < number:
                picks += 1
                if picks > PICKS or not most:
                    return None
                tile = could_be[below(most)]
                if not used >> tile & 1:
                    used |= BIT[tile]
                    tiles.append(tile)
        return held

    def _greedy(self, walk: Walk) -> int:
        """Opponents that seem to look at their own points only; a partner is trusted to play better."""
        rules, greedy = self._now.rules, 0
        for place, past in enumerate(self._pasts):
            if rules.side[past.seat] != rules.side[self._now.seat] and walk.takes_points(place):
                greedy |= 1 << past.seat
        return greedy

    def _with_boneyard(self, holdings: tuple[TileSet, ...], greedy: int) -> Hidden:
        held = 0
        for one in holdings:
            held |= one
        return Hidden(
            holdings, tuple(self._dice.shuffled([tile for tile in self._unseen if not held >> tile & 1])), greedy
        )

    def _loose(self) -> tuple[TileSet, ...]:
        """Holdings that keep to what each seat is proved to lack now; there are some, for the real ones do."""
        now = self._now
        slots = [seat for seat in range(len(now.tiles_left)) if seat != now.seat for _ in range(now.tiles_left[seat])]
        order = self._dice.shuffled(list(tiles_in(now.unseen)))
        slot_of: dict[Tile, int] = {}

        def place(slot: int, asked: set[Tile]) -> bool:
            for tile in order:
                if tile not in asked and not now.cannot_hold[slots[slot]] & BIT[tile]:
                    asked.add(tile)
                    if tile not in slot_of or place(slot_of[tile], asked):
                        slot_of[tile] = slot
                        return True
            return False

        for slot in range(len(slots)):
            place(slot, set())
        holdings = [NO_TILES] * len(now.tiles_left)
        holdings[now.seat] = now.holding
        for tile, slot in slot_of.items():
            holdings[slots[slot]] |= BIT[tile]
        return tuple(holdings)
