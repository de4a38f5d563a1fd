"""Players and a clock for matches in tests: nothing here measures time."""

from __future__ import annotations

from itertools import count

from app.arena.contest import Contest
from app.arena.match import Played, play_series
from app.arena.umpire import Clock
from app.bots.named import Choose, named

MEDIUM, EASY = named("medium"), named("easy")


def ticking(step: float = 0.0) -> Clock:
    """A clock on which every move takes `step` seconds."""
    ticks = count()
    return Clock(lambda: step * next(ticks), lambda: 0.0)


def games_of(contest: Contest, one: Choose, other: Choose, clock: Clock | None = None) -> list[Played]:
    """All games of a contest."""
    clock = clock or ticking()
    return [game for series in range(contest.series) for game in play_series(contest, series, (one, other), clock)]
