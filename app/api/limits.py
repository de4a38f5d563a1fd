"""Limits of what a client may ask, said once: the schemas hold to them and `GET /options` tells them."""

from __future__ import annotations

from typing import NamedTuple

from app.tables.terms import Clock

BODY_BYTES = 64 * 1024
WAIT_SECONDS = 25
"""A long-poll waits at most this long."""
EVENTS = 1000
"""Events in one answer."""
EVENTS_DEFAULT = 200
PAGE = 100
"""Items in one page of a list."""
PAGE_DEFAULT = 20


class Limit(NamedTuple):
    """A number a client may choose."""

    min: float
    max: float
    default: float | None


_CLOCK = Clock()

CLOCK = {
    "turn_seconds": Limit(1, 86_400, _CLOCK.turn_seconds),
    "bank_seconds": Limit(0, 86_400, _CLOCK.bank_seconds),
    "timeouts_before_takeover": Limit(1, 100, _CLOCK.timeouts_before_takeover),
    "hand_break_seconds": Limit(0, 600, _CLOCK.hand_break_seconds),
    "bot_pace_seconds": Limit(0, 60, _CLOCK.bot_pace_seconds),
    "claim_seconds": Limit(1, 60, _CLOCK.claim_seconds),
}
FILL_WITH_BOTS = Limit(0, 600, None)
"""Seconds until bots take the seats nobody came for."""
PLAYERS = Limit(2, 4, 2)
FORGETFULNESS = Limit(0, 1, 0)
