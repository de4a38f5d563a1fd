"""Points now against the best reply of unseen tiles, and what the move leaves in hand: a value for every play.

Values are in points of one spot, the mover's side against the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.bots.known import Choice, Known
from app.bots.replies import NONE_OF, best_points, expected_best
from app.engine.ends import FITTING_AT
from app.engine.layout import Layout, lay
from app.engine.tiles import BIT, DOUBLES, SHOWING, SPOTS, TileSet, spots_in


class Weights(Struct, frozen=True):
    """How much each thing is worth beside one point now; fitted to how the choices of 3,000 positions were played out.

    They are fitted together: what `control` says too much about tiles that fit, `mobility` and `no_fit` take back.
    """

    reply: float = 0.88
    """The expected best reply of the opponent who is next."""
    later_reply: float = 0.3
    """The expected best reply of the seat after him (a partner's counts for, an opponent's against)."""
    stuck: float = 10.5
    """The next opponent has no fitting tile."""
    later_stuck: float = 1.0
    """The seat after him has none (a partner's counts against, an opponent's for)."""
    spots: float = 0.11
    """A spot laid down."""
    double: float = 2.9
    """A double laid down."""
    mobility: float = -0.45
    """Each number shown by the tiles kept."""
    control: float = 1.1
    """Each open end that more of one's own tiles fit than of the unseen tiles an opponent is expected to hold."""
    no_fit: float = -1.1
    """No tile kept fits the layout."""


WEIGHTS = Weights()


def values(now: Known, options: Sequence[Choice], weights: Weights = WEIGHTS) -> list[float]:
    """The value of each of these plays."""
    return [_value(now, option, weights) for option in options]


def _value(now: Known, option: Choice, weights: Weights) -> float:
    rules = now.rules
    unit = rules.ruleset.points_unit
    after = lay(now.layout, option.tile, option.end, option.way)
    points = rules.points[after.count]
    side = rules.side[now.seat]
    if now.scores[side] + points >= rules.target:
        return 1000.0 + points
    kept = TileSet(now.holding ^ BIT[option.tile])
    if not kept:
        return points * unit + _going_out(now)
    value = points * unit - weights.reply * unit * _expected_reply(now, after, rules.next_seat[now.seat])
    second = rules.next_seat[rules.next_seat[now.seat]]
    if second != now.seat:
        mine = 1 if rules.side[second] == side else -1
        value += mine * weights.later_reply * unit * _expected_reply(now, after, second)
        value -= mine * weights.later_stuck * _stuck(now, after, second)
    fit = kept & after.fits
    if not fit:
        value -= weights.no_fit
    value += weights.spots * SPOTS[option.tile]
    if DOUBLES & BIT[option.tile]:
        value += weights.double
    value += weights.mobility * sum(1 for number in range(7) if kept & SHOWING[number])
    value += weights.stuck * _stuck(now, after, rules.next_seat[now.seat])
    share = now.tiles_left[rules.next_seat[now.seat]] / max(1, now.unseen.bit_count())
    for end in after.ends:
        fitting = FITTING_AT[end]
        value += weights.control * ((kept & fitting).bit_count() - share * (now.unseen & fitting).bit_count())
    return value


def _expected_reply(now: Known, after: Layout, seat: int) -> float:
    could_hold = now.unseen & ~now.cannot_hold[seat]
    gains = best_points(now.rules.points, after.count, after.ends, could_hold)
    if not gains:
        return 0.0
    unseen = could_hold.bit_count()
    return expected_best(gains.values(), unseen, min(unseen, now.tiles_left[seat]))


def _stuck(now: Known, after: Layout, seat: int) -> float:
    could_hold = now.unseen & ~now.cannot_hold[seat]
    unseen = could_hold.bit_count()
    return NONE_OF[unseen][min(unseen, now.tiles_left[seat])][(could_hold & after.fits).bit_count()]


def _going_out(now: Known) -> float:
    """What going out is expected to bring, in points."""
    rules = now.rules
    unseen = max(1, now.unseen.bit_count())
    each = spots_in(now.unseen) / unseen
    side = rules.side[now.seat]
    return sum(each * now.tiles_left[seat] for seat in range(rules.players) if rules.side[seat] != side)
