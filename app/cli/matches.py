"""A contest played by many processes at once. Which process plays what changes no game."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_byte
from itertools import islice
from multiprocessing import get_context
from types import FrameType, TracebackType

from msgspec import Struct

from app.arena.contest import Contest
from app.arena.match import Played, play_series
from app.arena.players import Choose, player
from app.arena.umpire import Clock, CutOff

AHEAD = 3
"""Series given to every process beforehand, so that none waits for the next."""


class Patience(Struct, frozen=True):
    """How long a move may take."""

    slow: float = 1.0
    """Seconds after which a move is counted as slow."""
    cut_off: float = 10.0
    """Seconds after which it is broken off."""


class ProcessDied(Exception):
    """A playing process ended in the middle of a game, most likely through a bot."""


class _Stopped(BaseException):
    """The contest is broken off."""


class _Guard:
    """A block that is broken off after so long, again and again if the bot goes on all the same; POSIX only."""

    def __init__(self, seconds: float, stop: c_byte) -> None:
        self._seconds, self._stop = seconds, stop
        self._armed = False
        signal.signal(signal.SIGALRM, self._ring)

    def __enter__(self) -> None:
        if self._stop.value:
            raise _Stopped
        self._armed = True
        signal.setitimer(signal.ITIMER_REAL, self._seconds, self._seconds / 4)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # Disarmed first: an alarm on its way must not ring in what comes after.
        self._armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            raise CutOff


class _Playing:
    """What one process plays with, from its start to its end."""

    contest: Contest
    players: tuple[Choose, Choose]
    clock: Clock


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def matches(
    contest: Contest, names: tuple[str, str], patience: Patience, processes: int
) -> Generator[list[Played], None, None]:
    """The games of every series, series by series as they are finished.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; all that was being played is broken off by then.
        ProcessDied: a process ended in the middle of a game.
    """
    # Not forked: every process brings the bots' files in anew, as it would anywhere.
    context = get_context("spawn")
    # Without a lock: nobody can die, or be interrupted, while holding it.
    stop = context.RawValue("b", 0)
    before = signal.signal(signal.SIGINT, lambda _number, _frame: setattr(stop, "value", 1))
    pool = ProcessPoolExecutor(processes, context, _begin, (contest, names, patience, stop))
    series = iter(range(contest.series))
    try:
        waiting = {pool.submit(_series, number) for number in islice(series, AHEAD * processes)}
        while waiting and not stop.value:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(_series, number) for number in islice(series, len(done))}
            yield from filter(None, (one.result() for one in done))
        if stop.value:
            raise KeyboardInterrupt
    except BrokenProcessPool:
        raise ProcessDied("a process that played ended in the middle of a game") from None
    finally:
        stop.value = 1
        pool.shutdown(cancel_futures=True)
        signal.signal(signal.SIGINT, before)


def _begin(contest: Contest, names: tuple[str, str], patience: Patience, stop: c_byte) -> None:
    """What a process does first. Ctrl-C reaches every process of a terminal; only the parent heeds it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Playing.contest = contest
    _Playing.players = player(names[0]), player(names[1])
    guard = _Guard(patience.cut_off, stop)
    _Playing.clock = Clock(time.perf_counter, time.process_time, patience.slow, lambda: guard)


def _series(number: int) -> list[Played]:
    """Its games; none when it was broken off."""
    try:
        return list(play_series(_Playing.contest, number, _Playing.players, _Playing.clock))
    except _Stopped:
        return []
