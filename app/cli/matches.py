"""A contest played by many processes at once. Which process plays what changes no game."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Collection, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from ctypes import c_byte
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess

from msgspec import Struct

from app.arena.contest import Contest
from app.arena.match import Played, play_series
from app.arena.umpire import Clock, Stopped
from app.bots.named import Choose, named
from app.cli.guards import Guard

AHEAD = 3
"""Series given to every process beforehand, so that none waits for the next."""
LOOKS = 0.2
"""Seconds between two looks at whether somebody pressed Ctrl-C."""
GRACE = 2.0
"""Seconds a process has to break off its move after that; then it is killed."""

STDOUT, STDERR = 1, 2


class Patience(Struct, frozen=True):
    """How long a move may take."""

    slow: float = 1.0
    """Seconds after which a move is counted as slow."""
    cut_off: float = 10.0
    """Seconds after which it is broken off."""


class ProcessDied(Exception):
    """A playing process ended in the middle of a game, most likely through a bot; the message says how."""


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
        ProcessDied: a process ended in the middle of a game, or a bot would not let go of a move.
    """
    # Not forked: every process brings the bots' files in anew, as it would anywhere.
    context = get_context("spawn")
    # Without locks: nobody can die, or be interrupted, while holding one.
    stop, clinging = context.RawValue("b", 0), context.RawValue("b", 0)
    before = signal.signal(signal.SIGINT, lambda _number, _frame: setattr(stop, "value", 1))
    pool = ProcessPoolExecutor(processes, context, _begin, (contest, names, patience, stop, clinging))
    series = iter(range(contest.series))
    waiting: set[Future[list[Played]]] = set()
    try:
        waiting = _submitted(pool, islice(series, AHEAD * processes))
        while waiting and not stop.value:
            done, waiting = wait(waiting, timeout=LOOKS, return_when=FIRST_COMPLETED)
            waiting |= _submitted(pool, islice(series, len(done)))
            yield from filter(None, (one.result() for one in done))
        if stop.value:
            raise KeyboardInterrupt
    except BrokenProcessPool:
        if stop.value:
            raise KeyboardInterrupt from None
        raise ProcessDied(_how_it_died(names, clinging)) from None
    finally:
        stop.value = 1
        _break_off(waiting)
        pool.shutdown(cancel_futures=True)
        signal.signal(signal.SIGINT, before)


def _submitted(pool: ProcessPoolExecutor, series: Iterable[int]) -> set[Future[list[Played]]]:
    """Series given to the pool. A process may start for them, and must not hear Ctrl-C from its first breath."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return {pool.submit(_series, number) for number in series}
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _how_it_died(names: tuple[str, str], clinging: c_byte) -> str:
    if clinging.value:
        return f"{names[clinging.value - 1]} clung to a move that was broken off again and again, and was ended with it"
    return "a process that played ended in the middle of a game"


def _break_off(waiting: Collection[Future[list[Played]]]) -> None:
    """End the moves that are being made, if need be by killing whoever makes them."""
    if not waiting:
        return
    for child in active_children():
        _send(child, signal.SIGALRM)
    if wait(waiting, timeout=GRACE).not_done:
        for child in active_children():
            _send(child, signal.SIGKILL)


def _send(child: BaseProcess, number: signal.Signals) -> None:
    if child.pid is not None:
        with suppress(ProcessLookupError):
            os.kill(child.pid, number)


def _begin(contest: Contest, names: tuple[str, str], patience: Patience, stop: c_byte, clinging: c_byte) -> None:
    """What a process does first. Ctrl-C reaches every process of a terminal; only the parent heeds it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _print_aside()
    _Playing.contest = contest
    _Playing.players = named(names[0]), named(names[1])
    guard = Guard(patience.cut_off, stop, clinging)
    _Playing.clock = Clock(time.perf_counter, time.process_time, patience.slow, guard)


def _print_aside() -> None:
    """What a bot prints goes to standard error from here on, and that of whatever it starts: the figures stay whole."""
    sys.stdout = sys.stderr
    with suppress(OSError):
        os.dup2(STDERR, STDOUT)


def _series(number: int) -> list[Played]:
    """Its games; none when it was broken off."""
    try:
        return list(play_series(_Playing.contest, number, _Playing.players, _Playing.clock))
    except Stopped:
        return []
