"""Breaks off a move that takes too long, and ends the process of a bot that clings to it all the same; POSIX only."""

from __future__ import annotations

import os
import signal
from ctypes import c_byte
from types import FrameType, TracebackType

from app.arena import umpire
from app.arena.umpire import CutOff, Stopped

RINGS = 8
"""Times one move is broken off: a bot that caught so many catches the next one, too."""
AGAIN = 0.1
"""Seconds from one ring to the next, at least: a bot needs a moment to let go."""


class Guard:
    """A block in which a bot moves: it is broken off after so long, and again if the bot goes on all the same."""

    def __init__(self, seconds: float, stop: c_byte, clinging: c_byte) -> None:
        self._seconds, self._again = seconds, max(seconds / 4, AGAIN)
        self._stop, self._clinging = stop, clinging
        self._player = self._rings = 0
        self._armed = False
        signal.signal(signal.SIGALRM, self._ring)

    def __call__(self, player: int) -> Guard:
        """The same guard, for this player."""
        self._player = player
        return self

    def __enter__(self) -> None:
        self._rings = 0
        self._armed = True
        signal.setitimer(signal.ITIMER_REAL, self._seconds, self._again)
        # Asked only now: whoever says stop later rings, and finds the bell armed.
        if self._stop.value:
            self._disarm()
            raise Stopped

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._disarm()

    def _disarm(self) -> None:
        self._armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        """Raise in the bot's code and nowhere else; where it is not the bot's, the next ring is soon enough."""
        if not self._armed:
            return
        if self._stop.value:
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        if frame is None or frame.f_globals is globals() or frame.f_globals is vars(umpire):
            return
        self._rings += 1
        if self._rings > RINGS:
            self._clinging.value = 1 + self._player
            os._exit(1)
        raise Stopped if self._stop.value else CutOff
