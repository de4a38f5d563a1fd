"""Finished games that no worker has booked in time: a chore of the clock, which asks for them again.

It never books a game itself: nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.standing.ports import PendingGames

LOOK_EVERY = 2.0
"""Seconds between two looks."""
TAKEN = 100
"""Games asked for in one look."""
BACKLOG = 200
"""Waiting jobs above which nothing is asked for twice: the first job is still in the queue."""


class Bookings(Protocol):
    """Queue `books`."""

    def book_many(self, table_ids: Sequence[str]) -> bool:
        """False: the queue store cannot be reached. Never raises."""

    def books_backlog(self) -> int | None:
        """Jobs that wait; None: the queue store cannot be reached. Never raises."""


class Overlooked:
    """Sees to it that every finished game is booked one day."""

    def __init__(self, pending: PendingGames, jobs: Bookings) -> None:
        self._pending = pending
        self._jobs = jobs
        self._look_at = 0.0

    def look(self, now: float) -> None:
        """Ask again for what has waited too long. `now`: monotonic. Raises: StoreUnavailable."""
        if now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY
        waiting = self._pending.take(TAKEN)
        if not waiting:  # the queue store, which may be slow to say that it is away, is then left alone
            return
        backlog = self._jobs.books_backlog()
        if backlog is not None and backlog <= BACKLOG:
            self._jobs.book_many(waiting)
