"""The store's time without a round trip per response: an offset to this process's clock, renewed every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from app.tables.ports import StoreUnavailable

RENEW_AFTER = 5.0
"""Seconds."""


class ServerClock:
    """Milliseconds since 1970 by the store's clock; by the machine's own as long as the store has never answered."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._offset = time.time() - time.monotonic()
        """Seconds to add to the monotonic clock."""
        self._renew_at = 0.0
        """Monotonic seconds."""

    def milliseconds(self) -> int:
        if time.monotonic() >= self._renew_at:
            self._renew()
        return int((time.monotonic() + self._offset) * 1000)

    def _renew(self) -> None:
        self._renew_at = time.monotonic() + RENEW_AFTER
        try:
            store_time = self._now().timestamp()
        except StoreUnavailable:
            return
        self._offset = store_time - time.monotonic()
