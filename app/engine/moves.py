"""A move as clients, bots and the log write it: one flat shape both ways."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Move(Struct, frozen=True, kw_only=True):
    """Something a seat may do now; as it stands it is a valid body for `POST …/moves`.

    >>> Move(action="play", tile="50", end="55.left", count=10, points=10).tile
    '50'
    """

    action: Literal["play", "draw", "pass", "muggins"]
    tile: str | None = None
    end: str | None = None
    """`<tile>.<side>` or `lead`."""
    lengthwise: bool = False
    announce: int | None = None
    """Points announced on a claim table; None and 0 both mean nothing."""
    count: int | None = None
    """The count after this play; None for other actions and on claim tables."""
    points: int | None = None
    """What this play scores; None as for `count`."""
