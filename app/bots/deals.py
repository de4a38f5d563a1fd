"""Deals of the hidden tiles that agree with everything public, drawn so that likely ones come more often."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.known import Known
from app.bots.stories import Past, Story, likelihood, pasts, story
from app.engine.tiles import BIT, NO_TILES, Tile, TileSet, tiles_in
from app.engine.views import SeatView

TRIES = 12
"""Deals tried before only the proofs of the last draw and pass are kept."""


class Hidden(Struct, frozen=True, gc=False):
    """Where the hidden tiles may lie."""

    holdings: tuple[TileSet, ...]
    """Per seat, the viewer's own as it is."""
    boneyard: tuple[Tile, ...]
    """In drawing order."""


Group = tuple[int, int, TileSet, int]
"""Seat, batch, tiles it cannot contain, and how many tiles are wanted."""


class Dealer:
    """Deals hidden tiles for one view."""

    def __init__(self, view: SeatView, now: Known, dice: Dice) -> None:
        self._now, self._dice = now, dice
        self._unseen: list[int] = list(tiles_in(now.unseen))
        self._pasts = pasts(view, now)

    def likely(self, number: int, tried: int) -> list[Hidden]:
        """So many deals out of `tried`, chosen by how well they explain what the others laid."""
        found = [self._deal() for _ in range(tried)]
        together = sum(weight for _, weight in found)
        if together <= 0 or tried <= number:
            return [hidden for hidden, _ in found[:number]]
        step = together / number
        at = self._dice.fraction() * step
        chosen: list[Hidden] = []
        passed = 0.0
        for hidden, weight in found:
            passed += weight
            while passed > at and len(chosen) < number:
                chosen.append(hidden)
                at += step
        return chosen

    def _deal(self) -> tuple[Hidden, float]:
        for _ in range(TRIES):
            stories = [story(past, self._dice) for past in self._pasts]
            dealt = self._dealt(stories)
            if dealt is not None:
                return dealt
        return self._loosely(), 1e-9

    def _dealt(self, stories: Sequence[Story | None]) -> tuple[Hidden, float] | None:
        groups: list[Group] = []
        for past, told in zip(self._pasts, stories, strict=True):
            if told is None:
                return None
            groups += [
                (past.seat, batch, past.barred[batch], wanted) for batch, wanted in enumerate(told.left) if wanted
            ]
        if len(groups) > 1:
            groups.sort(key=lambda group: -group[2].bit_count())
        rest = self._dice.shuffled(self._unseen)
        held: list[list[list[Tile]]] = [[[] for _ in past.batches] for past in self._pasts]
        place = {past.seat: index for index, past in enumerate(self._pasts)}
        for seat, batch, barred, wanted in groups:
            if barred:
                got = [tile for tile in rest if not barred >> tile & 1][:wanted]
                if len(got) < wanted:
                    return None
                rest = [tile for tile in rest if tile not in got]
            else:
                got, rest = rest[:wanted], rest[wanted:]
            held[place[seat]][batch] = got
        weight = 1.0
        for past, told, tiles in zip(self._pasts, stories, held, strict=True):
            assert told is not None
            weight *= likelihood(past, told, tiles)
        holdings = [NO_TILES] * len(self._now.tiles_left)
        holdings[self._now.seat] = self._now.holding
        for past, batches in zip(self._pasts, held, strict=True):
            holdings[past.seat] = TileSet(sum(BIT[tile] for tiles in batches for tile in tiles))
        return Hidden(tuple(holdings), tuple(rest)), weight

    def _loosely(self) -> Hidden:
        """A deal that keeps to what each seat is proved to lack now; there is one, for the real deal is one."""
        now = self._now
        seats = [seat for seat in range(len(now.tiles_left)) if seat != now.seat for _ in range(now.tiles_left[seat])]
        slot_of: dict[int, int] = {}
        order = self._dice.shuffled(self._unseen)

        def place(slot: int, seen: set[int]) -> bool:
            for tile in order:
                if now.cannot_hold[seats[slot]] >> tile & 1 or tile in seen:
                    continue
                seen.add(tile)
                if tile not in slot_of or place(slot_of[tile], seen):
                    slot_of[tile] = slot
                    return True
            return False

        for slot in range(len(seats)):
            place(slot, set())
        holdings = [NO_TILES] * len(now.tiles_left)
        holdings[now.seat] = now.holding
        for tile, slot in slot_of.items():
            holdings[seats[slot]] = TileSet(holdings[seats[slot]] | BIT[tile])
        return Hidden(tuple(holdings), tuple(tile for tile in order if tile not in slot_of))
