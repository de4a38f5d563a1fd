"""Tables at which nobody ever moves: every turn runs out, and the log says when that was acted on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from tests.whole.client import Client

TURN_SECONDS = 1
MOST_TIMEOUTS = 20
"""A seat's timeouts before its stand-in sits down: so long nobody plays faster than the clock."""


class Expired(NamedTuple):
    """One turn that ran out; times in seconds since 1970, of the store's clock."""

    table: str
    deadline: float
    acted_at: float


class SilentTables:
    """So many tables for two, full and playing."""

    def __init__(self, url: str, number: int) -> None:
        self._ann, self._bob = Client(url, "Ann"), Client(url, "Bob")
        clock = {"turn_seconds": TURN_SECONDS, "timeouts_before_takeover": MOST_TIMEOUTS, "hand_break_seconds": 0}
        self.ids = []
        for _ in range(number):
            table_id = self._ann.call("POST", "/tables", {"players": 2, "clock": clock})["id"]
            self._bob.call("POST", f"/tables/{table_id}/seats", {})
            self.ids.append(table_id)

    def expired(self) -> list[Expired]:
        """Every turn that ran out so far. Raises: AssertionError, when one ran out twice."""
        found: list[Expired] = []
        for table_id in self.ids:
            deadline: float | None = None
            for event in self._events(table_id):
                if event["type"] == "turn_started":
                    deadline = moment(event["deadline"])
                elif event["type"] == "turn_timed_out":
                    assert deadline is not None, f"{table_id}: a turn ran out twice, or was none: {event}"
                    found.append(Expired(table_id, deadline, moment(event["at"])))
                    deadline = None
        return found

    def _events(self, table_id: str) -> Iterator[dict[str, Any]]:
        after = 0
        while True:
            page = self._ann.call("GET", f"/tables/{table_id}/events", None, after=after)
            yield from page["events"]
            if page["next_after"] >= page["version"]:
                return
            after = page["next_after"]


def moment(text: str) -> float:
    """Seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()
