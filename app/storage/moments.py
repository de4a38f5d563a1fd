"""Moments as the store keeps them: its clock's answer, milliseconds, microseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment_of(time: tuple[int, int]) -> datetime:
    """The store's answer to TIME.

    >>> moment_of((1, 500_000))
    datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=datetime.timezone.utc)
    """
    seconds, microseconds = time
    return EPOCH + timedelta(seconds=seconds, microseconds=microseconds)


def from_ms(ms: bytes | int) -> datetime:
    """A moment kept in milliseconds.

    >>> from_ms(b"1500") == moment_of((1, 500_000))
    True
    """
    return EPOCH + timedelta(milliseconds=int(ms))


def in_ms(moment: datetime) -> int:
    """Milliseconds since 1970, rounded up: an entry that came a moment early would find nothing to do.

    >>> in_ms(datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC))
    1001
    """
    return -((EPOCH - moment) // timedelta(milliseconds=1))
