"""One hand played to its end, quickly: the engine's rules once more over the same tables, without a value per play.

It repeats `turns.play`, `draw` and `skip` for speed and is held against them, play by play, in the tests. Everybody
takes the most points, less the best reply, and prefers heavy tiles and doubles; nobody lays a double lengthwise.
"""

from __future__ import annotations

from functools import lru_cache

from app.engine.ends import FITTING_AT, LAYING, NO_END, NUMBER, PLAIN, End, Way
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.scoring import settle
from app.engine.tiles import BIT, IS_DOUBLE, SPOTS, TILE_OF_BIT, TILES, Tile, TileSet, tiles_in, spots_in, DOUBLES

First = tuple[Tile, End, Way]

_SCALE = 100
_FOR_SPOT = 15
_FOR_DOUBLE = 225
STATIC: tuple[int, ...] = tuple(_FOR_SPOT * SPOTS[tile] + _FOR_DOUBLE * IS_DOUBLE[tile] for tile in TILES)


class _OptionsAt(dict[int, tuple[tuple[Tile, int, int], ...]]):
    """Tile, change of the count and liking for every set of tiles that fit one end; made when first asked for."""

    def __init__(self, end: End) -> None:
        super().__init__()
        self.end = end

    def __missing__(self, here: int) -> tuple[tuple[Tile, int, int], ...]:
        layings = ((tile, LAYING[PLAIN][self.end][tile]) for tile in tiles_in(TileSet(here)))
        made = tuple((tile, laying[2], STATIC[tile]) for tile, laying in layings if laying is not None)
        self[here] = made
        return made


OPTIONS_AT = tuple(_OptionsAt(End(end)) for end in range(len(NUMBER)))
FITTING_DICT = FITTING_AT


@lru_cache(maxsize=256)
def _keys(points: tuple[int, ...], unit: int) -> tuple[int, ...]:
    return tuple(gained * unit * _SCALE for gained in points)


def playout(
    rules: Rules,
    ends: tuple[End, ...],
    count: int,
    has_double: bool,
    holdings: list[int],
    boneyard: list[int],
    turn: int,
    scores: list[int],
    first: First | None,
    reply: int = 0,
    depth: int = 99,
) -> list[float]:
    """The scores when the hand is over; `holdings` and `scores` are changed on the way. `first`: the play to begin with."""
    points, kept, target = rules.points, rules.kept, rules.target
    keys = _keys(points, rules.ruleset.points_unit)
    next_seat, side = rules.next_seat, rules.side
    later, options_at, fitting_at = rules.later_double, OPTIONS_AT, FITTING_AT
    is_double, bits = IS_DOUBLE, BIT
    open_now = list(ends)
    drawn_to, stock = 0, len(boneyard) - kept
    fits = 0
    for end in open_now:
        fits |= fitting_at[end]
    while True:
        held = holdings[turn]
        if first is not None:
            tile, place, way = first
            first = None
        else:
            fitting = held & fits
            if not fitting:
                if drawn_to < stock:
                    while True:
                        drawn = bits[boneyard[drawn_to]]
                        drawn_to += 1
                        held |= drawn
                        if drawn & fits or drawn_to >= stock:
                            break
                    holdings[turn] = held
                    fitting = held & fits
                if not fitting:
                    if drawn_to >= stock and not any(one & fits for one in holdings):
                        return _settled(rules, holdings, None, scores)
                    turn = next_seat[turn]
                    continue
            best = -1 << 40
            tile, place = -1, -1
            if reply:
                theirs = holdings[next_seat[turn]]
                for end in open_now:
                    here = fitting & fitting_at[end]
                    if here:
                        for one, change, liking in options_at[end][here]:
                            then = count + change
                            worth = keys[then] + liking
                            if worth <= best:
                                continue
                            way = PLAIN if not is_double[one] else later if has_double else rules.first_double
                            twin, appearing, _ = LAYING[way][end][one]
                            answer = 0
                            for other in open_now:
                                if other != end and other != twin:
                                    there = theirs & fitting_at[other]
                                    if there:
                                        for _, more, _ in options_at[other][there]:
                                            if keys[then + more] > answer:
                                                answer = keys[then + more]
                            for other in appearing:
                                there = theirs & fitting_at[other]
                                if there:
                                    for _, more, _ in options_at[other][there]:
                                        if keys[then + more] > answer:
                                            answer = keys[then + more]
                            worth -= answer * reply >> 3
                            if worth > best:
                                best, tile, place = worth, one, end
            else:
                for end in open_now:
                    here = fitting & fitting_at[end]
                    if here:
                        for one, change, liking in options_at[end][here]:
                            worth = keys[count + change] + liking
                            if worth > best:
                                best, tile, place = worth, one, end
            way = PLAIN if not is_double[tile] else later if has_double else rules.first_double
        twin, appearing, change = LAYING[way][place][tile]
        if is_double[tile]:
            has_double = True
        count += change
        open_now.remove(place)
        if twin >= 0:
            open_now.remove(twin)
        open_now += appearing
        fits = 0
        for end in open_now:
            fits |= fitting_at[end]
        held ^= bits[tile]
        holdings[turn] = held
        gained = points[count]
        if gained:
            one = side[turn]
            scores[one] += gained
            if scores[one] >= target:
                return scores
        if not held:
            return _settled(rules, holdings, turn, scores)
        if drawn_to >= stock and not any(one & fits for one in holdings):
            return _settled(rules, holdings, None, scores)
        turn = next_seat[turn]
        depth -= 1
        if not depth:
            return _guessed(rules, holdings, open_now, count, fits, turn, scores)


def _guessed(rules, holdings, open_now, count, fits, turn, scores):
    u = 1 / rules.ruleset.points_unit
    for seat, held in enumerate(holdings):
        n = held.bit_count()
        e = -0.283 * spots_in(held) + 2.07 * n + 17 / n + 2.3 * (held & fits).bit_count() - 3.5 * (held & DOUBLES).bit_count()
        scores[rules.side[seat]] += e * u
    held = holdings[turn] & fits
    best = 0
    for end in open_now:
        here = held & FITTING_AT[end]
        if here:
            for _, change, _ in OPTIONS_AT[end][here]:
                g = rules.points[count + change]
                if g > best: best = g
    scores[rules.side[turn]] += best
    return scores


def _settled(rules: Rules, holdings: list[int], went_out: int | None, scores: list[int]) -> list[int]:
    for one, gained in enumerate(settle(rules, holdings, went_out).points):
        scores[one] += gained
    return scores
