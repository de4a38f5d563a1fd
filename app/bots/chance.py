"""Numbers from a seed, without a source of randomness: the same seed and purpose give the same number."""

from __future__ import annotations

from typing import TypeVar

_WORD = (1 << 64) - 1

Thing = TypeVar("Thing")


def below(seed: int, purpose: int, most: int) -> int:
    """A whole number from 0 to `most - 1`, evenly spread (SplitMix64).

    >>> [below(7, purpose, 10) for purpose in range(5)] == [below(7, purpose, 10) for purpose in range(5)]
    True
    """
    return _mixed(seed, purpose) * most >> 64


def fraction(seed: int, purpose: int) -> float:
    """A number from 0 up to 1."""
    return _mixed(seed, purpose) / (1 << 64)


def _mixed(seed: int, purpose: int) -> int:
    word = (seed + (purpose + 1) * 0x9E3779B97F4A7C15) & _WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    return word ^ (word >> 31)


class Dice:
    """Numbers from a seed, one after another; quick rather than fine (a linear congruence, its high bits).

    >>> one, other = Dice(7, 1), Dice(7, 1)
    >>> [one.below(6) for _ in range(4)] == [other.below(6) for _ in range(4)]
    True
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int, purpose: int) -> None:
        self._state = _mixed(seed, purpose)

    def below(self, most: int) -> int:
        """A whole number from 0 to `most - 1`."""
        self._state = state = (self._state * 6364136223846793005 + 1442695040888963407) & _WORD
        return (state >> 32) * most >> 32

    def fraction(self) -> float:
        """A number from 0 up to 1."""
        return self.below(1 << 32) / (1 << 32)

    def shuffled(self, things: list[Thing]) -> list[Thing]:
        """A copy in random order."""
        order = things.copy()
        state = self._state
        for place in range(len(order) - 1, 0, -1):
            state = (state * 6364136223846793005 + 1442695040888963407) & _WORD
            other = (state >> 32) * (place + 1) >> 32
            order[place], order[other] = order[other], order[place]
        self._state = state
        return order
