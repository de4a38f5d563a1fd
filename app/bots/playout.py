"""One hand played to its end, quickly: the engine's rules once more over the same tables, without a value per play.

It repeats `turns.play`, `draw` and `skip` for speed and is held against them, play by play, in the tests. Everybody
takes points and fears the best reply of whoever is next, lays heavy tiles and doubles early, and lays nothing
lengthwise. All tiles are open to all of them: whoever plays here has guessed the hidden ones.
"""

from __future__ import annotations

from functools import lru_cache

from app.bots.options import LAID, OPTIONS_AT
from app.engine.ends import FITTING_AT, NO_END, PLAIN, End, Way
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.scoring import settle
from app.engine.tiles import BIT, IS_DOUBLE, SPOTS, TILES, Tile, TileSet

Laid = tuple[Tile, End, Way]

POINT = 16
"""Likings are sixteenths of a point."""
REPLY = 12
"""Of every point the next seat can score in reply."""
STUCK = 80
"""The next seat has no fitting tile."""
LIKING: tuple[int, ...] = tuple(5 * SPOTS[tile] // 2 + 36 * IS_DOUBLE[tile] for tile in TILES)
"""For having laid each tile: spots and doubles are best gone."""


@lru_cache(maxsize=256)
def gains(points: tuple[int, ...], unit: int) -> tuple[int, ...]:
    """The liking for every count."""
    return tuple(scored * unit * POINT for scored in points)


def playout(  # noqa: C901, PLR0912, PLR0915 - one loop, because calls are what costs
    rules: Rules, hand: Hand, holdings: list[TileSet], boneyard: tuple[Tile, ...], first: Laid | None
) -> list[int]:
    """The scores at the end of the hand, from this hand on with these tiles in place of its own; `holdings` is used up.

    `first`: what the seat on turn lays now; None: as it likes.
    """
    points, target, kept = rules.points, rules.target, rules.kept
    next_seat, side = rules.next_seat, rules.side
    gain_at = gains(points, rules.ruleset.points_unit)
    options_at, fitting_at, laid, is_double = OPTIONS_AT, FITTING_AT, LAID, IS_DOUBLE
    turn, scores = hand.turn, [*hand.scores]
    ends, count, has_double = [*hand.layout.ends], hand.layout.count, hand.layout.has_double
    fits: int = hand.layout.fits
    drawn, stock = 0, len(boneyard) - kept
    while True:
        held: int = holdings[turn]
        if first is None:
            fitting = held & fits
            if not fitting:
                while drawn < stock and not held & fits:
                    held |= BIT[boneyard[drawn]]
                    drawn += 1
                holdings[turn] = TileSet(held)
                fitting = held & fits
                if not fitting:
                    if _nobody_fits(holdings, fits):
                        return _settled(rules, holdings, None, scores)
                    turn = next_seat[turn]
                    continue
            theirs = holdings[next_seat[turn]]
            best = -(1 << 30)
            chosen: tuple[Tile, End] | None = None
            for end in ends:
                here = fitting & fitting_at[end]
                if not here:
                    continue
                for tile, change in options_at[end][here]:
                    then = count + change
                    liking = gain_at[then] + LIKING[tile]
                    if liking + STUCK <= best:
                        continue
                    way = PLAIN if not is_double[tile] else rules.later_double if has_double else rules.first_double
                    twin, appearing, _ = laid[way][end][tile]
                    reply = -STUCK
                    for other in (*ends, *appearing):
                        there = theirs & fitting_at[other]
                        if there and other != end and other != twin:  # noqa: PLR1714 - the quicker way
                            if reply < 0:  # noqa: PLR1730 - a call of max costs more
                                reply = 0
                            for _, more in options_at[other][there]:
                                reply = max(reply, gain_at[then + more])
                    liking -= reply if reply < 0 else reply * REPLY >> 4
                    if liking > best:
                        best, chosen = liking, (tile, end)
            assert chosen is not None
            tile, end = chosen
            way = PLAIN if not is_double[tile] else rules.later_double if has_double else rules.first_double
        else:
            tile, end, way = first
            first = None
        twin, appearing, change = laid[way][end][tile]
        has_double = has_double or is_double[tile]
        count += change
        ends.remove(end)
        if twin != NO_END:
            ends.remove(twin)
        ends += appearing
        fits = 0
        for end in ends:
            fits |= fitting_at[end]
        held ^= BIT[tile]
        holdings[turn] = TileSet(held)
        if points[count]:
            scores[side[turn]] += points[count]
            if scores[side[turn]] >= target:
                return scores
        if not held:
            return _settled(rules, holdings, turn, scores)
        if drawn >= stock and _nobody_fits(holdings, fits):
            return _settled(rules, holdings, None, scores)
        turn = next_seat[turn]


def _nobody_fits(holdings: list[TileSet], fits: int) -> bool:
    for held in holdings:  # noqa: SIM110 - a generator costs more
        if held & fits:
            return False
    return True


def _settled(rules: Rules, holdings: list[TileSet], went_out: int | None, scores: list[int]) -> list[int]:
    for one, more in enumerate(settle(rules, holdings, went_out).points):
        scores[one] += more
    return scores
