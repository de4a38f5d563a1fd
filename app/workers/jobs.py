"""What RQ workers run. `app.storage.queue.ALLOWED` names each of these functions; nothing else is ever run."""

from __future__ import annotations

from app.wiring import services


def advance(table_id: str, version: int) -> None:
    """Do whatever is due at this table; nothing if it has moved on from `version`."""
    services().tables.advance(table_id, version)


def book(table_id: str) -> None:
    """Book a finished game: counts and ratings of those who played it; nothing if that has been done."""
    services().standing.book(table_id)


def analyse(table_id: str, hand: int) -> None:
    """Do a piece of the analysis of a finished hand; nothing if nobody has asked for it, or it is done."""
    services().analyses.work(table_id, hand)
