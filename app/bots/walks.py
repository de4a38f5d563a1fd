"""A walk from deal to deal: two hidden tiles change places, and likely deals are visited more often (Metropolis).

A step costs a tenth of a new deal, and the walk keeps to the few deals that explain what was laid; new deals made
blindly mostly do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from operator import truediv

from app.bots.chance import Dice
from app.bots.stories import Past, Story, laid_later
from app.bots.wishes import GREEDY_KIND, KINDS, OFTEN
from app.engine.tiles import NO_TILES, Tile, TileSet


class _Mind:
    """How well one seat's hidden tiles explain what it laid, kept up to date tile by tile."""

    def __init__(self, past: Past, told: Story, batches: Sequence[Sequence[Tile]]) -> None:
        self._wishes = [[laying.wishes[kind] for laying in past.layings] for kind in range(KINDS)]
        later = laid_later(past, told)
        self.wanted = [[one[kind] for one in later] for kind in range(KINDS)]
        self._laid = [
            often * prod(laying.wishes[kind][laying.tile] for laying in past.layings)
            for kind, often in enumerate(OFTEN)
        ]
        self.since = [
            next(
                (place for place, laying in enumerate(past.layings) if laying.after_batches > batch), len(past.layings)
            )
            for batch in range(len(batches))
        ]
        """Per batch the first laying at which its tiles were held."""
        for batch, tiles in enumerate(batches):
            for tile in tiles:
                self.wanted = self.swapped(batch, None, tile)
        self.likely = self.likelihood(self.wanted)

    def swapped(self, batch: int, out: Tile | None, into: Tile) -> list[list[float]]:
        """What the seat wanted at every laying, if one tile of the batch were another."""
        since = self.since[batch]
        changed = []
        for wanted, wishes in zip(self.wanted, self._wishes, strict=True):
            rest = zip(wanted[since:], wishes[since:], strict=True)
            if out is None:
                changed.append(wanted[:since] + [before + wish[into] for before, wish in rest])
            else:
                changed.append(wanted[:since] + [before - wish[out] + wish[into] for before, wish in rest])
        return changed

    def likelihood(self, wanted: list[list[float]]) -> float:
        """Of the layings, if that is what was wanted at each; it may be either kind of player, all through the hand."""
        together = 0.0
        for likely, of_kind in zip(self._laid, wanted, strict=True):
            together += reduce(truediv, of_kind, likely)
        return together

    def takes_points(self) -> float:
        """How likely the seat is a player who looks at his own points only, if these are its tiles."""
        return reduce(truediv, self.wanted[GREEDY_KIND], self._laid[GREEDY_KIND]) / self.likely


class Walk:
    """Hidden tiles on the move; `holdings` is where they are now."""

    def __init__(
        self,
        dice: Dice,
        unseen: list[Tile],
        pasts: Sequence[Past],
        stories: Sequence[Story],
        held: Sequence[Sequence[Sequence[Tile]]],
    ) -> None:
        self._dice, self._unseen = dice, unseen
        self._minds = [_Mind(past, told, batches) for past, told, batches in zip(pasts, stories, held, strict=True)]
        self._places = [(place, batch) for place, past in enumerate(pasts) for batch in range(len(past.batches))]
        self._barred = [barred for past in pasts for barred in past.barred] + [NO_TILES]
        boneyard = len(self._places)
        self._place_of = dict.fromkeys(unseen, boneyard)
        for number, (place, batch) in enumerate(self._places):
            for tile in held[place][batch]:
                self._place_of[tile] = number
        self._boneyard = boneyard
        self._held = [tile for tile in unseen if self._place_of[tile] != boneyard]

    def steps(self, number: int) -> None:
        """So many tries to change two tiles."""
        unseen, place_of, barred, dice, held = self._unseen, self._place_of, self._barred, self._dice, self._held
        most = len(unseen)
        for _ in range(number):
            # One of them is held by somebody: two tiles of the boneyard need not change.
            slot = dice.below(len(held))
            one, other = held[slot], unseen[dice.below(most)]
            here, there = place_of[one], place_of[other]
            if here == there or barred[here] >> other & 1 or barred[there] >> one & 1:
                continue
            if self._change(one, here, other, there):
                place_of[one], place_of[other] = there, here
                if there == self._boneyard:
                    held[slot] = other

    def _change(self, one: Tile, here: int, other: Tile, there: int) -> bool:
        before = after = 1.0
        changes: list[tuple[_Mind, list[list[float]], float]] = []
        for number, out, into in ((here, one, other), (there, other, one)):
            if number == self._boneyard:
                continue
            place, batch = self._places[number]
            mind = self._minds[place]
            if changes and changes[0][0] is mind:
                # Two batches of one seat: the second change starts from the first.
                kept, mind.wanted = mind.wanted, changes[0][1]
                wanted = mind.swapped(batch, out, into)
                mind.wanted = kept
                changes.clear()
                before = after = 1.0
            else:
                wanted = mind.swapped(batch, out, into)
            likely = mind.likelihood(wanted)
            before *= mind.likely
            after *= likely
            changes.append((mind, wanted, likely))
        if after < before and self._dice.fraction() * before > after:
            return False
        for mind, wanted, likely in changes:
            mind.wanted, mind.likely = wanted, likely
        return True

    def takes_points(self, place: int) -> bool:
        """Whether the seat of this place looks at its own points only, drawn as often as it is likely."""
        return self._dice.fraction() < self._minds[place].takes_points()

    def held_by(self, place: int) -> TileSet:
        """What the seat of this place holds now."""
        held = NO_TILES
        for tile, number in self._place_of.items():
            if number != self._boneyard and self._places[number][0] == place:
                held |= 1 << tile
        return held
