"""What RQ workers run. `app.storage.queue.ALLOWED` names each of these functions; nothing else is ever run."""

from __future__ import annotations

from app.wiring import services


def advance(table_id: str, version: int) -> None:
    """Do whatever is due at this table; nothing if it has moved on from `version`."""
    services().tables.advance(table_id, version)


def book(table_id: str) -> None:
    """Book a finished game: counts and ratings of those who played it; nothing if that has been done."""
    services().standing.book(table_id)
