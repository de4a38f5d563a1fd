"""What every choice of a seat is worth: as far as the seat can know, and with all tiles open.

A worth is counted from the play to the end of the hand. As far as the seat can know: the hidden tiles are dealt many
times, as its view allows, and each deal is played out by likely players. With all tiles open: both sides play as well
as can be, exactly, where the ending is small enough. The same position and seed give the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct

from app.bots.chance import Dice
from app.bots.deals import Dealer, Hidden
from app.bots.endings import solve
from app.bots.known import Choice, Known, choices, known
from app.bots.playout import TO_THE_END, Laid, playout
from app.engine.game import Game, rules_of
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.views import seat_view

DEALS = 3
"""Purpose of the numbers that deal the hidden tiles."""
GAME = 300
"""Points of one spot that a game won in the hand counts besides, so that nothing outweighs it."""
_LEXICAL = 1 << 12
"""What a game won counts inside the solver: more than all points of a hand, so that the two can be told apart again."""


class Effort(Struct, frozen=True, kw_only=True):
    """How much is looked at: counts, never a clock."""

    batches: int = 10
    """Batches of deals that know nothing of each other; how far they differ is what the error is made of."""
    deals: int = 30
    """Deals of a batch, at most."""
    playouts: int = 3_000
    """Hands played to their end for one position, about; where there are many choices, fewer deals are made."""
    positions: int = 100_000
    """Positions that solving one ending may look at; 0: it is not tried."""


class Worth(Struct, frozen=True, kw_only=True):
    """What a choice leads to."""

    points: float
    """Points of the mover's side from this play to the end of the hand, less what the other sides get on average."""
    game: float
    """1: the mover's side wins the game in this hand; the other sides' share is as much below 0. 0: it goes on."""
    samples: tuple[float, ...] = ()
    """Points with the game counted in, batch by batch; empty: the worth is exact."""


class Appraisal(Struct, frozen=True, kw_only=True):
    """What the choices of one position are worth."""

    choices: tuple[Choice, ...]
    """Plays that differ; of those alike by symmetry, one."""
    expected: tuple[Worth, ...]
    """As far as the seat can know."""
    open: tuple[Worth, ...] | None
    """With all tiles open; None: more than two sides play, or there was too much to look at."""
    deals: int
    """Deals behind what was expected; 0: nothing was hidden."""
    effort: int
    """Positions and playouts looked at, a playout counting as ten."""


def game_worth(rules: Rules) -> int:
    """Points that winning the game in this hand counts besides."""
    return GAME // rules.ruleset.points_unit


def total(rules: Rules, worth: Worth) -> float:
    """One number for points and game."""
    return worth.points + game_worth(rules) * worth.game


def error(samples: Sequence[float]) -> float:
    """Standard error of the mean of independent batches.

    >>> error([1.0, 3.0])
    1.0
    """
    return stdev(samples) / sqrt(len(samples))


def appraise(game: Game, seat: int, seed: int, effort: Effort) -> Appraisal | None:
    """Every choice of the seat on turn; None: there is nothing to choose."""
    rules, view = rules_of(game), seat_view(game, seat)
    now = known(view)
    options = choices(view, now)
    if len(options) < 2:
        return None
    solved = None
    spent = 0
    if effort.positions and rules.sides == 2:
        assert game.hand is not None
        solved, spent = _solved(rules, game.hand, options, effort.positions)
    if solved is not None and _knows_all(now):
        return Appraisal(choices=tuple(options), expected=solved, open=solved, deals=0, effort=spent)
    deals = min(effort.deals, max(2, effort.playouts // (effort.batches * len(options))))
    dealers = [Dealer(view, now, Dice(seed * effort.batches + batch, DEALS)) for batch in range(effort.batches)]
    expected = _expected(now, options, [[*islice(dealer.likely(), deals)] for dealer in dealers])
    spent += 10 * deals * effort.batches * len(options)
    return Appraisal(choices=tuple(options), expected=expected, open=solved, deals=deals * effort.batches, effort=spent)


def _solved(rules: Rules, hand: Hand, options: Sequence[Choice], most: int) -> tuple[tuple[Worth, ...] | None, int]:
    solved = solve(rules, hand, most, winning=_LEXICAL)
    if solved is None:
        return None, most
    worth = dict(zip(solved.plays, solved.worth, strict=True))
    found = []
    for option in options:
        both = worth[option.tile, option.end, option.lengthwise]
        won = round(both / _LEXICAL)
        found.append(Worth(points=both - won * _LEXICAL, game=won))
    return tuple(found), solved.positions


def _knows_all(now: Known) -> bool:
    """Whether there is one place only where the unseen tiles can be: the other one's hand."""
    return now.rules.players == 2 and now.unseen.bit_count() == now.tiles_left[1 - now.seat]


def _expected(now: Known, options: Sequence[Choice], batches: Sequence[Sequence[Hidden]]) -> tuple[Worth, ...]:
    """Every option played out on every deal, batch by batch."""
    rules = now.rules
    hand = Hand(now.layout, (), (), now.seat, now.scores, 0, 0, ())
    firsts = [(option.tile, option.end, option.way) for option in options]
    points: list[list[float]] = [[] for _ in options]
    games: list[list[float]] = [[] for _ in options]
    for hidden in batches:
        for place, first in enumerate(firsts):
            ends = [_ends(rules, hand, deal, first) for deal in hidden]
            points[place].append(fmean([_lead(now, scores) for scores in ends]))
            games[place].append(fmean([_won(now, scores) for scores in ends]))
    won = game_worth(rules)
    return tuple(
        Worth(
            points=fmean(scored),
            game=fmean(decided),
            samples=tuple(one + won * other for one, other in zip(scored, decided, strict=True)),
        )
        for scored, decided in zip(points, games, strict=True)
    )


def _ends(rules: Rules, hand: Hand, deal: Hidden, first: Laid) -> Sequence[float]:
    """The scores at the end of the hand, if the tiles lie so."""
    return playout(rules, hand, [*deal.holdings], deal.boneyard, first, TO_THE_END, deal.greedy)[0]


def _lead(now: Known, scores: Sequence[float]) -> float:
    """What the mover's side gets, less what the others get on average."""
    gained = [after - before for after, before in zip(scores, now.scores, strict=True)]
    own = gained[now.rules.side[now.seat]]
    return own - (sum(gained) - own) / (len(gained) - 1)


def _won(now: Known, scores: Sequence[float]) -> float:
    """1 for the game won, the others' share of -1 for one lost, 0 if it goes on or nobody wins it."""
    best = max(scores)
    if best < now.rules.target or scores.count(best) > 1:
        return 0.0
    return 1.0 if scores[now.rules.side[now.seat]] == best else -1 / (len(scores) - 1)
