"""Level expert: plays every choice to the hand's end on many deals that agree with what it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.deals import Dealer
from app.bots.known import Choice, Known, choices, known, only_move
from app.bots.lookahead import values
from app.bots.playout import playout
from app.bots.standing import PER_HAND, SPREAD, chance_to_win
from app.engine.moves import Move
from app.engine.views import SeatView

DEALS = 3
"""Purpose of the numbers that deal the hidden tiles."""


class Effort(Struct, frozen=True):
    """How much is looked at; counts, never a clock, so that the same view and seed give the same move."""

    deals: int = 60
    tried: int = 240
    trust: float = 0.3
    """How much the look-ahead's value counts beside the playouts'."""
    reply: int = 6
    depth: int = 99


EFFORT = Effort()


def choose(view: SeatView, seed: int) -> Move:
    """The move that wins most. Raises: ValueError when the seat is not on turn."""
    move = only_move(view)
    if move is not None:
        return move
    now = known(view)
    options = choices(view, now)
    if len(options) == 1:
        return options[0].move
    valued = estimate(view, now, options, seed, EFFORT)
    return options[valued.index(max(valued))].move


def estimate(view: SeatView, now: Known, options: Sequence[Choice], seed: int, effort: Effort) -> list[float]:
    rules, side = now.rules, now.rules.side[now.seat]
    dealer = Dealer(view, now, Dice(seed, DEALS))
    deals = dealer.likely(effort.deals, effort.tried)
    layout = now.layout
    totals = [0.0] * len(options)
    for hidden in deals:
        for place, option in enumerate(options):
            scores = playout(
                rules,
                layout.ends,
                layout.count,
                layout.has_double,
                list(hidden.holdings),
                list(hidden.boneyard),
                now.seat,
                list(now.scores),
                (option.tile, option.end, option.way),
                effort.reply,
                effort.depth,
            )
            totals[place] += chance_to_win(rules, scores, now.hand_number, side)
    slope = chance_per_point(rules, now)
    ahead = values(now, options)
    return [total / len(deals) + effort.trust * slope * value for total, value in zip(totals, ahead, strict=True)]


def chance_per_point(rules, now):
    p = chance_to_win(rules, now.scores, now.hand_number, rules.side[now.seat])
    unit = rules.ruleset.points_unit
    hands = min((rules.target - max(now.scores)) * unit / PER_HAND + 0.5, max(1, rules.max_hands - now.hand_number))
    return max(p * (1 - p), 0.02) / (SPREAD * sqrt(hands))
