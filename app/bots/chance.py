"""Numbers from a seed, without a source of randomness: the same seed and purpose give the same number."""

from __future__ import annotations

_WORD = (1 << 64) - 1


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
