"""The rules once more, as plainly as they can be written and from their text alone: slow, and with no table in it.

The engine is held against this. It looks at the tiles on the table one by one, never at what the engine remembers, and
shares nothing with `app.engine` but the `RuleSet` fields and the names of tiles.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.ruleset import RuleSet

SET = [f"{high}{low}" for high in range(7) for low in range(high + 1)]

Step = tuple[str, ...]
"""("play", tile, end, "lengthwise" or "") | ("draw",) | ("pass",)"""


@dataclass
class Lying:
    """A tile on the table."""

    tile: str
    is_lead: bool
    left: int
    right: int
    lengthwise: bool
    spinner: bool
    covered: set[str] = field(default_factory=set)

    @property
    def is_double(self) -> bool:
        return self.tile[0] == self.tile[1]


@dataclass
class NaiveTable:
    """Tiles on a table, and what can be read off them."""

    rules: RuleSet
    tiles: list[Lying] = field(default_factory=list)

    def places(self) -> list[tuple[str, int]]:
        """Every place where a tile may be laid now, with the number it shows."""
        if not self.tiles:
            return [("lead", -1)]
        found = []
        for lying in self.tiles:
            for side in ("left", "right"):
                if side == "left" and not lying.is_lead:
                    continue
                if side not in lying.covered:
                    found.append((f"{lying.tile}.{side}", lying.left if side == "left" else lying.right))
            if lying.spinner and (self.rules.cross_arms_open == "at_once" or self.both_line_sides_covered(lying)):
                found += [(f"{lying.tile}.{side}", lying.left) for side in ("up", "down") if side not in lying.covered]
        return found

    def both_line_sides_covered(self, lying: Lying) -> bool:
        return "right" in lying.covered and (not lying.is_lead or "left" in lying.covered)

    def count(self) -> int:
        return sum(self.share(lying) for lying in self.tiles)

    def share(self, lying: Lying) -> int:
        """What one tile adds to the count."""
        left_free = lying.is_lead and "left" not in lying.covered
        right_free = "right" not in lying.covered
        if not lying.is_double:
            return (lying.left if left_free else 0) + (lying.right if right_free else 0)
        if left_free and right_free:
            return 2 * lying.left
        if left_free or right_free:
            return lying.left if lying.lengthwise else 2 * lying.left
        return 0

    def lay(self, tile: str, place: str, lengthwise: bool) -> None:
        double = tile[0] == tile[1]
        first_double = double and not any(lying.is_double for lying in self.tiles)
        spinner = double and (
            self.rules.spinner == "every_double" or (self.rules.spinner == "first_double" and first_double)
        )
        if place == "lead":
            self.tiles.append(Lying(tile, True, int(tile[0]), int(tile[1]), lengthwise, spinner))
            return
        number = dict(self.places())[place]
        name, side = place.split(".")
        next(lying for lying in self.tiles if lying.tile == name).covered.add(side)
        free = int(tile[1]) if int(tile[0]) == number else int(tile[0])
        self.tiles.append(Lying(tile, False, number, free, lengthwise, spinner))

    def copy(self) -> NaiveTable:
        tiles = [Lying(t.tile, t.is_lead, t.left, t.right, t.lengthwise, t.spinner, set(t.covered)) for t in self.tiles]
        return NaiveTable(self.rules, tiles)


@dataclass
class NaiveHand:
    """A hand under the rules without claims: who may do what, what it scores and how it ends."""

    rules: RuleSet
    seating: str
    holdings: list[list[str]]
    boneyard: list[str]
    turn: int
    target: int
    scores: list[int]
    must_lead: str | None = None
    table: NaiveTable = field(init=False)
    ended: str | None = None

    def __post_init__(self) -> None:
        self.table = NaiveTable(self.rules)

    def side(self, seat: int) -> int:
        return seat % 2 if self.seating == "pairs" else seat

    def can_be_drawn(self) -> bool:
        return self.rules.drawing and len(self.boneyard) > self.rules.boneyard_keep

    def plays_of(self, seat: int) -> list[Step]:
        found: list[Step] = []
        for tile in self.holdings[seat]:
            if not self.table.tiles and self.must_lead not in (None, tile):
                continue
            for place, number in self.table.places():
                if place == "lead" or str(number) in tile:
                    found.append(("play", tile, place, ""))
                    may_choose = self.rules.lengthwise_choice and tile[0] == tile[1]
                    if may_choose and not any(lying.is_double for lying in self.table.tiles):
                        found.append(("play", tile, place, "lengthwise"))
        return found

    def steps(self) -> list[Step]:
        """Everything the seat on turn may do."""
        if self.ended:
            return []
        found = self.plays_of(self.turn)
        if found:
            return found
        return [("draw",)] if self.can_be_drawn() else [("pass",)]

    def take(self, step: Step) -> None:
        seat = self.turn
        if step[0] == "pass":
            self.pass_on()
        elif step[0] == "draw":
            while True:
                self.holdings[seat].append(self.boneyard.pop(0))
                if self.plays_of(seat) or not self.can_be_drawn():
                    break
            self.look_for_block()
        else:
            _, tile, place, lengthwise = step
            self.table.lay(tile, place, bool(lengthwise))
            self.holdings[seat].remove(tile)
            self.pass_on()
            points = self.points()
            self.scores[self.side(seat)] += points
            if points and self.scores[self.side(seat)] >= self.target:
                self.ended = "target"
            elif not self.holdings[seat]:
                self.ended = "went_out"
                self.settle(self.side(seat))
            else:
                self.look_for_block()

    def pass_on(self) -> None:
        step = 1 if self.rules.direction == "clockwise" else -1
        self.turn = (self.turn + step) % len(self.holdings)

    def points(self) -> int:
        count = self.table.count()
        if self.rules.scoring == "none" or count == 0 or count % 5 != 0:
            return 0
        return count // self.rules.points_unit

    def look_for_block(self) -> None:
        if self.can_be_drawn() or any(self.plays_of(seat) for seat in range(len(self.holdings))):
            return
        self.ended = "blocked"
        sides = sorted({self.side(seat) for seat in range(len(self.holdings))})
        held = {side: [t for s, h in enumerate(self.holdings) if self.side(s) == side for t in h] for side in sides}
        low = min(pips(held[side]) for side in sides)
        best = [side for side in sides if pips(held[side]) == low]
        if self.rules.block_tie == "fewer_tiles":
            few = min(len(held[side]) for side in best)
            best = [side for side in best if len(held[side]) == few]
        self.settle(best[0] if len(best) == 1 else None)

    def settle(self, winner: int | None) -> None:
        unit = self.rules.points_unit
        if self.rules.hand_end == "own_subtracted":
            for seat, holding in enumerate(self.holdings):
                self.scores[self.side(seat)] -= self.rounded(pips(holding)) // unit
        elif winner is not None:
            others = [pips(holding) for seat, holding in enumerate(self.holdings) if self.side(seat) != winner]
            if self.rules.hand_end == "each_opponent":
                self.scores[winner] += sum(self.rounded(spots) for spots in others) // unit
            else:
                self.scores[winner] += self.rounded(sum(others)) // unit

    def rounded(self, spots: int) -> int:
        if self.rules.round_to == 1:
            return spots
        return {0: spots, 1: spots - 1, 2: spots - 2, 3: spots + 2, 4: spots + 1}[spots % 5]

    def copy(self) -> NaiveHand:
        twin = NaiveHand(
            self.rules,
            self.seating,
            [list(holding) for holding in self.holdings],
            list(self.boneyard),
            self.turn,
            self.target,
            list(self.scores),
            self.must_lead,
        )
        twin.table = self.table.copy()
        twin.ended = self.ended
        return twin


def pips(tiles: list[str]) -> int:
    return sum(int(half) for tile in tiles for half in tile)


def perft(hand: NaiveHand, depth: int) -> int:
    """How many ways there are to play on for so many steps (or to the hand's end)."""
    if depth == 0 or hand.ended:
        return 1
    total = 0
    for step in hand.steps():
        after = hand.copy()
        after.take(step)
        total += perft(after, depth - 1)
    return total
