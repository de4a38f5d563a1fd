"""Ctrl-C and SIGTERM while a bot plays: they are counted, and at last nothing is waited for any more."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Self

AT_ONCE = 3
"""Times somebody asks for the end until it is not even waited for that the seats are left."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class AtOnceError(BaseException):
    """Somebody does not want to wait for anything any more."""


class Interrupts:
    """A block that is not ended by the first of them; the last that counts leaves it, wherever it is."""

    def __init__(self) -> None:
        self.number = 0

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._interrupt) for number in SIGNALS}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        return kind is AtOnceError

    def ignore(self) -> None:
        """No more of them count: what is left to do in the block is short."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.number += 1
        if self.number == AT_ONCE:
            raise AtOnceError
