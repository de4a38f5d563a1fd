"""One hand played to its end, quickly: the engine's rules once more over the same tables, without a value per play.

It repeats `turns.play`, `draw` and `skip` for speed and is held against them, play by play, in the tests. Everybody
takes points and fears the best reply of whoever is next, lays heavy tiles and doubles early, and lays nothing
lengthwise. All tiles are open to all of them: whoever plays here has guessed the hidden ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from app.bots.glances import add_hopes
from app.bots.options import LAID, NO_POINTS, NO_REPLY, OPTIONS_AT, REPLIES_AT
from app.engine.ends import FITTING_AT, NO_END, PLAIN, End, Way
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.scoring import settle
from app.engine.tiles import BIT, IS_DOUBLE, SPOTS, TILES, Tile, TileSet

Laid = tuple[Tile, End, Way]

TO_THE_END = 1000
"""More plays than any hand has."""
POINT = 16
"""Likings are sixteenths of a point."""
REPLY = 12
"""Of every point the next seat can score in reply."""
STUCK = 80
"""The next seat has no fitting tile."""
LIKING: tuple[int, ...] = tuple(5 * SPOTS[tile] // 2 + 36 * IS_DOUBLE[tile] for tile in TILES)
"""For having laid each tile: spots and doubles are best gone."""

GREED = 128
"""Of a greedy player for every point: more than anything he sees in a tile."""
GREEDY: tuple[int, ...] = tuple(SPOTS[tile] + 64 * IS_DOUBLE[tile] for tile in TILES)
"""His liking for having laid each tile, as level medium's."""


@lru_cache(maxsize=256)
def gains(points: tuple[int, ...], unit: int) -> tuple[int, ...]:
    """The liking for every count."""
    return tuple(scored * unit * POINT for scored in points)


def playout(  # noqa: C901, PLR0912, PLR0915, PLR0917 - one loop, because calls are what costs
    rules: Rules,
    hand: Hand,
    holdings: list[TileSet],
    boneyard: tuple[Tile, ...],
    first: Laid | None,
    plays: int = TO_THE_END,
    greedy: int = 0,
) -> tuple[list[float], bool]:
    """The scores at the end of the hand, from this hand on with these tiles in place of its own, and that it is over.

    `holdings` is used up. `first`: what the seat on turn lays now; None: as it likes. `plays`: after so many, the first
    included, the hand is not played on; the scores are then with what each side may hope for, and it is not over.
    `greedy`: seats, as bits, that take the most points and fear nothing.
    """
    points, target, kept = rules.points, rules.target, rules.kept
    next_seat, side = rules.next_seat, rules.side
    gain_at = gains(points, rules.ruleset.points_unit)
    options_at, fitting_at, laid, is_double, replies_at = OPTIONS_AT, FITTING_AT, LAID, IS_DOUBLE, REPLIES_AT
    turn, scores = hand.turn, cast("list[float]", [*hand.scores])
    ends, count, has_double = [*hand.layout.ends], hand.layout.count, hand.layout.has_double
    fits: int = hand.layout.fits
    drawn, stock = 0, len(boneyard) - kept
    while True:
        held = holdings[turn]
        if first is None:
            fitting = held & fits
            if not fitting:
                while drawn < stock and not held & fits:
                    held |= BIT[boneyard[drawn]]
                    drawn += 1
                holdings[turn] = held
                fitting = held & fits
                if not fitting:
                    if _nobody_fits(holdings, fits):
                        return _settled(rules, holdings, None, scores), True
                    turn = next_seat[turn]
                    continue
            if not plays:
                add_hopes(rules, scores, holdings, turn, ends, count)
                return scores, False
            open_to_it = [
                (end, tile, change)
                for end in ends
                if (here := fitting & fitting_at[end])
                for tile, change in options_at[end][here]
            ]
            end, tile, change = open_to_it[0]
            if len(open_to_it) > 1 and greedy >> turn & 1:
                best = -1
                for one, other_tile, change in open_to_it:
                    liking = points[count + change] * GREED + GREEDY[other_tile]
                    if liking > best:
                        best, end, tile = liking, one, other_tile
            elif len(open_to_it) > 1:
                theirs = holdings[next_seat[turn]]
                replies = [(other, replies_at[other][theirs & fitting_at[other]]) for other in ends]
                best = -(1 << 30)
                for one, other_tile, change in open_to_it:
                    then = count + change
                    liking = gain_at[then] + LIKING[other_tile]
                    if liking + STUCK <= best:
                        continue
                    way = PLAIN
                    if is_double[other_tile]:
                        way = rules.later_double if has_double else rules.first_double
                    twin, appearing, _ = laid[way][one][other_tile]
                    rest = -then % 5
                    most = NO_REPLY
                    for other, changes in replies:
                        if changes[rest] > most and other != one and other != twin:  # noqa: PLR1714 - the quicker way
                            most = changes[rest]
                    for other in appearing:
                        changes = replies_at[other][theirs & fitting_at[other]]
                        if changes[rest] > most:  # noqa: PLR1730 - a call of max costs more
                            most = changes[rest]
                    if most > NO_POINTS:
                        liking -= gain_at[then + most] * REPLY >> 4
                    elif most == NO_REPLY:
                        liking += STUCK
                    if liking > best:
                        best, end, tile = liking, one, other_tile
            way = PLAIN if not is_double[tile] else rules.later_double if has_double else rules.first_double
        else:
            tile, end, way = first
            first = None
        plays -= 1
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
        holdings[turn] = held
        if points[count]:
            scores[side[turn]] += points[count]
            if scores[side[turn]] >= target:
                return scores, True
        if not held:
            return _settled(rules, holdings, turn, scores), True
        if drawn >= stock and _nobody_fits(holdings, fits):
            return _settled(rules, holdings, None, scores), True
        turn = next_seat[turn]


def _nobody_fits(holdings: list[TileSet], fits: int) -> bool:
    for held in holdings:  # noqa: SIM110 - a generator costs more
        if held & fits:
            return False
    return True


def _settled(rules: Rules, holdings: list[TileSet], went_out: int | None, scores: list[float]) -> list[float]:
    for one, more in enumerate(settle(rules, holdings, went_out).points):
        scores[one] += more
    return scores
