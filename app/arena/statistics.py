"""What the games of a contest prove: shares of wins and differences of points, with the intervals they may lie in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from statistics import fmean

from msgspec import Struct

from app.arena.contest import ONE, OTHER, Contest
from app.arena.match import Played
from app.arena.umpire import FAULTS
from app.bots.chance import Dice

RESAMPLES = 1000
"""Times the series are drawn again, with putting back, to see how much the figures would move."""
TAIL = 0.025
"""Of every hundred of them two and a half are left out at each end: what stays is a 95 % interval."""
MOST_DRAWN = 2000
"""Values that are drawn each time; more than that are drawn in groups, or a long contest ends with a minute's wait."""
FEW = 20
"""Series; with fewer than that, how far they lie apart says little of how far others would."""
RESAMPLING = 7
"""Purpose of the numbers that draw."""
SHOWN_NOTES = 5


class Estimate(Struct, frozen=True):
    """A mean, and between which values the true one lies with 95 % confidence; infinite ones: it cannot be told."""

    mean: float
    low: float
    high: float


class Record(Struct, frozen=True, kw_only=True):
    """How one player behaved in all games."""

    moves: int
    faults: dict[str, int]
    slow: int
    choices: int
    """Moves that left it a choice; the times are theirs."""
    mean_seconds: float
    p99_seconds: float
    slowest_seconds: float
    cpu_seconds: float
    """Mean CPU time of a move."""
    notes: tuple[str, ...]


class Summary(Struct, frozen=True, kw_only=True):
    """All games of a contest in figures, from the first player's side."""

    games: int
    series: int
    wins: int
    draws: int
    losses: int
    share: Estimate
    """Wins per game; a draw counts its share (half between two)."""
    difference: Estimate
    """Points a game."""
    hands: int
    marked: int
    """Games in which the first legal move was made in the place of somebody's own."""
    share_unmarked: float | None
    """Wins per game without them; None: there are no others, or none are marked."""
    records: tuple[Record, Record]


def whole_series(contest: Contest, played: Iterable[Played]) -> list[list[Played]]:
    """The games by series, in order; a series that was broken off is left out."""
    found: dict[int, list[Played]] = {}
    for game in played:
        found.setdefault(game.series, []).append(game)
    return [
        sorted(games, key=lambda game: game.place)
        for _, games in sorted(found.items())
        if len(games) == contest.games_a_series
    ]


def bootstrapped(values: Sequence[float], seed: int = 1) -> Estimate:
    """The mean of independent values, with a bootstrapped 95 % interval.

    It is as wide as the values lie apart: too narrow for a few of them, and without any width where all are the same.
    """
    groups, dice = _groups(values), Dice(seed, RESAMPLING)
    number = len(groups)
    means = sorted(sum([groups[dice.below(number)] for _ in range(number)]) / number for _ in range(RESAMPLES))
    cut = round(TAIL * RESAMPLES)
    return Estimate(sum(values) / len(values), means[cut], means[-1 - cut])


def share(values: Sequence[float]) -> Estimate:
    """The mean share of wins; the values are those of series, from 0 to 1.

    The interval comes from drawing with one series more won and one more lost than were played. So it has width even
    when all agree, that of the rule of three, and when they are few about that of Wilson's interval; with many the two
    change nothing.

    >>> share([1.0] * 20)
    Estimate(mean=1.0, low=0.8636363636363636, high=1.0)
    """
    drawn = bootstrapped([*values, 0.0, 1.0])
    return Estimate(sum(values) / len(values), drawn.low, drawn.high)


def difference(values: Sequence[float]) -> Estimate:
    """The mean difference of points; the values are those of series.

    Points have no bounds to reckon with: when the series are few, or all the same, nothing is told of the true value.

    >>> difference([55.0, 80.0])
    Estimate(mean=67.5, low=-inf, high=inf)
    """
    if len(values) < FEW or min(values) == max(values):
        return Estimate(sum(values) / len(values), -inf, inf)
    return bootstrapped(values)


def _groups(values: Sequence[float]) -> Sequence[float]:
    """The values, or the means of equal groups of them: as independent, and their mean moves as much.

    >>> _groups([1.0, 3.0]), len(_groups([1.0, 3.0] * 2500)), set(_groups([1.0, 3.0] * 2000))
    ([1.0, 3.0], 1667, {2.0})
    """
    size = -(-len(values) // MOST_DRAWN)
    if size == 1:
        return values
    return [fmean(values[start : start + size]) for start in range(0, len(values), size)]


def summary(series: Sequence[Sequence[Played]]) -> Summary:
    """The figures of whole series. Raises: ValueError when there is none."""
    if not series:
        raise ValueError("no series has been played to its end")
    games = [game for one in series for game in one]
    unmarked = [game.won for game in games if not game.marked]
    return Summary(
        games=len(games),
        series=len(series),
        wins=sum(game.won == 1 for game in games),
        draws=sum(0 < game.won < 1 for game in games),
        losses=sum(game.won == 0 for game in games),
        share=share([sum(game.won for game in one) / len(one) for one in series]),
        difference=difference([sum(game.difference for game in one) / len(one) for one in series]),
        hands=sum(game.hands for game in games),
        marked=len(games) - len(unmarked),
        share_unmarked=sum(unmarked) / len(unmarked) if 0 < len(unmarked) < len(games) else None,
        records=(_record(games, ONE), _record(games, OTHER)),
    )


def _record(games: Sequence[Played], player: int) -> Record:
    conduct = [game.conduct[player] for game in games]
    seconds = sorted(second for one in conduct for second in one.seconds) or [0.0]
    notes = [
        f"series {game.series + 1}, game {game.place + 1}, {note}" for game in games for note in _notes(game, player)
    ]
    return Record(
        moves=sum(one.moves for one in conduct),
        faults={fault: sum(one.faults[fault] for one in conduct) for fault in FAULTS},
        slow=sum(one.slow for one in conduct),
        choices=sum(len(one.seconds) for one in conduct),
        mean_seconds=sum(seconds) / len(seconds),
        p99_seconds=seconds[len(seconds) * 99 // 100],
        slowest_seconds=seconds[-1],
        cpu_seconds=sum(one.cpu_seconds for one in conduct) / len(seconds),
        notes=tuple(notes[:SHOWN_NOTES]),
    )


def _notes(game: Played, player: int) -> list[str]:
    return game.conduct[player].notes


def running(values: Sequence[float]) -> list[Estimate]:
    """The mean after every value, with the interval that its spread so far allows (normal, for a picture).

    >>> [round(estimate.mean, 1) for estimate in running([1.0, 3.0, 5.0])]
    [1.0, 2.0, 3.0]
    """
    found: list[Estimate] = []
    mean = squares = 0.0
    for number, value in enumerate(values, 1):
        before = value - mean
        mean += before / number
        squares += before * (value - mean)
        margin = 1.96 * (squares / max(1, number - 1) / number) ** 0.5
        found.append(Estimate(mean, mean - margin, mean + margin))
    return found
