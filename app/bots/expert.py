"""Level expert: plays every choice on over many deals that agree with what it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import sqrt

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.deals import Dealer
from app.bots.endings import solve
from app.bots.glances import hopes_at
from app.bots.known import Choice, Known, choices, known, only_move
from app.bots.lookahead import values
from app.bots.playout import TO_THE_END, playout
from app.bots.standing import PER_HAND, SPREAD, chance_in_hand, chance_to_win
from app.engine.hand import Hand
from app.engine.moves import Move
from app.engine.rules import Rules
from app.engine.views import SeatView

DEALS = 3
"""Purpose of the numbers that deal the hidden tiles."""


class Effort(Struct, frozen=True):
    """How much is looked at; counts, never a clock, so that the same view and seed give the same move."""

    rounds: tuple[int, ...] = (24, 48, 96, 192, 400)
    """Deals after which choices are given up, and with one left the search ends."""
    sure: float = 2.0
    """A choice is given up when it is behind by so many standard errors."""
    plays: int = 8
    """Plays of a playout, the choice itself included; what then is left of the hand is worth what it looks like."""
    near: int = 30
    """So few points from the target a hand is played to its end: every point may be the last."""
    trust: float = 0.3
    """How much the look-ahead's value counts beside the playouts'."""
    doubt: float = 5.0
    """How much more it counts while there are few playouts: so many times for each of them."""
    playouts: int = 2000
    """A round of more is not begun: choices that are still alive then are close."""
    positions: int = 6000
    """The most a solver of endings looks at; above, the ending is played like any other position."""


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
    if not now.boneyard and now.rules.players == 2:
        exact = ending(now, options, effort.positions)
        if exact is not None:
            return exact
    deals = Dealer(view, now, Dice(seed, DEALS)).likely()
    hand = Hand(now.layout, (), (), now.seat, now.scores, 0, 0, ())
    slope = chance_per_point(rules, now)
    ahead = [slope * value for value in values(now, options)]
    left = (rules.target - max(now.scores)) * rules.ruleset.points_unit
    plays = effort.plays if left > effort.near and hopes_at(rules) else TO_THE_END
    firsts = [(option.tile, option.end, option.way) for option in options]
    outcomes: list[list[float]] = [[] for _ in options]
    alive = list(range(len(options)))
    found: list[float] = []
    done = 0
    for until in effort.rounds:
        if done and until * len(alive) > effort.playouts:
            break
        for hidden in islice(deals, until - done):
            for place in alive:
                scores, over = playout(
                    rules, hand, [*hidden.holdings], hidden.boneyard, firsts[place], plays, hidden.greedy
                )
                likely = chance_to_win if over else chance_in_hand
                outcomes[place].append(likely(rules, scores, now.hand_number, side))
        done = until
        trust = effort.trust + effort.doubt / done
        found = [sum(won) / len(won) + trust * more for won, more in zip(outcomes, ahead, strict=True)]
        best = max(alive, key=found.__getitem__)
        alive = [
            place
            for place in alive
            if place == best or found[best] - found[place] < effort.sure * _error(outcomes[best], outcomes[place])
        ]
        if len(alive) == 1:
            break
    best = max(alive, key=found.__getitem__)
    return [f if i == best else min(f, found[best] - 1e-9) for i, f in enumerate(found)]


def _error(one: Sequence[float], other: Sequence[float]) -> float:
    """The standard error of the mean difference of two choices on the same deals."""
    differences = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    mean = sum(differences) / len(differences)
    return sqrt(sum([(difference - mean) ** 2 for difference in differences])) / len(differences)


def chance_per_point(rules: Rules, now: Known) -> float:
    """What one point more is worth in chances to win."""
    p = chance_to_win(rules, now.scores, now.hand_number, rules.side[now.seat])
    unit = rules.ruleset.points_unit
    hands = min((rules.target - max(now.scores)) * unit / PER_HAND + 0.5, max(1, rules.max_hands - now.hand_number))
    return max(p * (1 - p), 0.02) / (SPREAD * sqrt(hands))


def ending(now: Known, options: Sequence[Choice], most: int) -> list[float] | None:
    holdings = [now.unseen, now.unseen]
    holdings[now.seat] = now.holding
    hand = Hand(now.layout, tuple(holdings), (), now.seat, now.scores, 0, 0, (0, 0))
    solved = solve(now.rules, hand, most, winning=300)
    if solved is None:
        return None
    worth = dict(zip(solved.plays, solved.worth, strict=True))
    return [
        worth[option.tile, option.end, option.lengthwise] + 1e-6 * value
        for option, value in zip(options, values(now, options), strict=True)
    ]
