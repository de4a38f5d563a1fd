"""Endings with every tile known: the best play of both sides, exactly.

Alpha-beta over the difference of points, with a memory of positions that are the same for play. Two sides only, each
alone or in pairs; a boneyard may still be drawn from, in its known order.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.bots.options import OPTIONS_AT
from app.bots.shapes import SHAPE
from app.engine.ends import FITTING_AT, LAYING, PLAIN, End, Way
from app.engine.hand import Hand
from app.engine.legality import Placing, plays
from app.engine.rules import Rules, way_laid
from app.engine.scoring import settle
from app.engine.tiles import BIT, IS_DOUBLE, SPOTS, Tile, TileSet

Holdings = tuple[TileSet, ...]

FAR = 1 << 20
"""Above every difference of points."""
HIGHEST = 35
"""Most points of one play with one spinner; more ends count more."""
_AS_FOUND, _AT_LEAST, _AT_MOST = range(3)


class TooManyPositions(Exception):
    """The ending has more positions than may be looked at."""


class Solved(Struct, frozen=True):
    """What every play of the seat on turn is worth when both sides go on as well as they can."""

    plays: tuple[Placing, ...]
    worth: tuple[int, ...]
    """Points of the mover's side less the other's from here to the end of the hand, for every play."""
    positions: int
    """Positions looked at."""


def solve(rules: Rules, hand: Hand, most: int, *, winning: int = 0) -> Solved | None:
    """Solve a hand whose tiles are all known; None: more than `most` positions would have to be looked at.

    `winning`: points that reaching the target is worth besides; 0: points alone count.

    Raises:
        ValueError: there are more than two sides, or the seat on turn has no choice.
    """
    if rules.sides != 2:
        raise ValueError(f"{rules.sides} sides play; only two can be solved")
    found = plays(rules, hand)
    if not found:
        raise ValueError("the seat on turn has no tile to play")
    ending = Ending(rules, hand, most, winning)
    try:
        worth = tuple(ending.worth(placing) for placing in found)
    except TooManyPositions:
        return None
    return Solved(tuple(found), worth, ending.positions)


class Ending:
    """One ending being solved; positions met once are remembered."""

    def __init__(self, rules: Rules, hand: Hand, most: int, winning: int) -> None:
        self._rules = rules
        self._hand = hand
        self._boneyard = hand.boneyard[: max(0, len(hand.boneyard) - rules.kept)]
        self._most = most
        self._winning = winning
        self._highest = HIGHEST * (3 if rules.ruleset.spinner == "every_double" else 1)
        self._memory: dict[tuple[object, ...], tuple[int, int]] = {}
        self.positions = 0

    def worth(self, placing: Placing) -> int:
        """The worth of one play for the mover's side."""
        hand, rules = self._hand, self._rules
        tile, end, lengthwise = placing
        way = way_laid(rules, tile, hand.layout.has_double, lengthwise)
        scores = (hand.scores[0], hand.scores[1])
        sign = 1 if rules.side[hand.turn] == 0 else -1
        found = self._laid(
            hand.layout.ends,
            hand.layout.count,
            hand.layout.has_double,
            hand.holdings,
            0,
            hand.turn,
            scores,
            tile,
            end,
            way,
            -FAR,
            FAR,
        )
        return sign * found

    def _laid(  # noqa: PLR0917 - called millions of times: a keyword costs more than the look at a position
        self,
        ends: Sequence[End],
        count: int,
        has_double: bool,
        holdings: Holdings,
        drawn: int,
        turn: int,
        scores: tuple[int, ...],
        tile: Tile,
        end: End,
        way: Way,
        alpha: int,
        beta: int,
    ) -> int:
        """What side 0 gets more than side 1 from this play on."""
        rules = self._rules
        laying = LAYING[way][end][tile]
        assert laying is not None
        twin, appearing, change = laying
        count += change
        gained = rules.points[count]
        side = rules.side[turn]
        sign = 1 - 2 * side
        if gained:
            scores = (scores[0] + gained, scores[1]) if side == 0 else (scores[0], scores[1] + gained)
            if scores[side] >= rules.target:
                return sign * (gained + self._winning)
        held = holdings[turn] ^ BIT[tile]
        holdings = (*holdings[:turn], held, *holdings[turn + 1 :])
        if not held:
            return sign * gained + self._settled(holdings, turn, scores)
        left = [*ends, *appearing]
        left.remove(end)
        if twin >= 0:
            left.remove(twin)
        more = sign * gained
        return more + self._best(
            left,
            count,
            has_double or IS_DOUBLE[tile],
            holdings,
            drawn,
            rules.next_seat[turn],
            scores,
            alpha - more,
            beta - more,
        )

    def _best(  # noqa: C901, PLR0912, PLR0917 - one loop on purpose: a call for each part would cost a third more
        self,
        ends: Sequence[End],
        count: int,
        has_double: bool,
        holdings: Holdings,
        drawn: int,
        turn: int,
        scores: tuple[int, ...],
        alpha: int,
        beta: int,
    ) -> int:
        rules, boneyard = self._rules, self._boneyard
        fits = 0
        for end in ends:
            fits |= FITTING_AT[end]
        fitting = holdings[turn] & fits
        while not fitting:
            if drawn < len(boneyard):
                held = holdings[turn]
                while drawn < len(boneyard) and not held & fits:
                    held |= BIT[boneyard[drawn]]
                    drawn += 1
                holdings = (*holdings[:turn], held, *holdings[turn + 1 :])
            elif not any(held & fits for held in holdings):
                return self._settled(holdings, None, scores)
            else:
                turn = rules.next_seat[turn]
            fitting = holdings[turn] & fits
        if drawn >= len(boneyard) and not any(held & fits for held in holdings):
            return self._settled(holdings, None, scores)
        key = (
            tuple(sorted([SHAPE[end] for end in ends])),
            holdings,
            drawn,
            turn,
            self._in_reach(holdings, drawn, scores),
        )
        known = self._memory.get(key)
        if known is not None:
            kind, worth = known
            if kind == _AS_FOUND or (kind == _AT_LEAST and worth >= beta) or (kind == _AT_MOST and worth <= alpha):
                return worth
        self.positions += 1
        if self.positions > self._most:
            raise TooManyPositions
        side = rules.side[turn]
        low, high = alpha, beta
        best = -FAR if side == 0 else FAR
        for _, tile, end, way in self._ordered(ends, count, has_double, fitting):
            worth = self._laid(ends, count, has_double, holdings, drawn, turn, scores, tile, end, way, alpha, beta)
            if side == 0:
                if worth > best:
                    best = worth
                    alpha = max(alpha, best)
            elif worth < best:
                best = worth
                beta = min(beta, best)
            if alpha >= beta:
                break
        kind = _AT_MOST if best <= low else _AT_LEAST if best >= high else _AS_FOUND
        self._memory[key] = (kind, best)
        return best

    def _ordered(
        self, ends: Sequence[End], count: int, has_double: bool, fitting: int
    ) -> list[tuple[int, Tile, End, Way]]:
        """Plays that differ, those with most points first."""
        rules = self._rules
        found: list[tuple[int, Tile, End, Way]] = []
        met: set[int] = set()
        for end in ends:
            here = fitting & FITTING_AT[end]
            shape = SHAPE[end]
            if not here or shape in met:
                continue
            met.add(shape)
            for tile, change in OPTIONS_AT[end][here]:
                if IS_DOUBLE[tile]:
                    way = rules.later_double if has_double else rules.first_double
                    if rules.lengthwise_choice and not has_double:
                        other = LAYING[rules.lengthwise][end][tile]
                        assert other is not None
                        found.append((rules.points[count + other[2]] * 64 + SPOTS[tile], tile, end, rules.lengthwise))
                else:
                    way = PLAIN
                found.append((rules.points[count + change] * 64 + SPOTS[tile], tile, end, way))
        if len(found) > 1:
            found.sort(reverse=True)
        return found

    def _in_reach(self, holdings: Holdings, drawn: int, scores: tuple[int, ...]) -> object:
        """The scores, if one may still reach the target in this hand; None: they cannot matter."""
        rules = self._rules
        left = len(self._boneyard) - drawn
        for side in (0, 1):
            tiles = left + sum(holdings[seat].bit_count() for seat in rules.seats_of[side])
            if scores[side] + tiles * self._highest + 170 >= rules.target:
                return scores
        return None

    def _settled(self, holdings: Holdings, went_out: int | None, scores: tuple[int, ...]) -> int:
        rules = self._rules
        points = settle(rules, holdings, went_out).points
        worth = points[0] - points[1]
        if self._winning:
            ends = (scores[0] + points[0], scores[1] + points[1])
            if max(ends) >= rules.target and ends[0] != ends[1]:
                worth += self._winning if ends[0] > ends[1] else -self._winning
        return worth
