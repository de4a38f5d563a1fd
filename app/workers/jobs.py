"""What RQ workers run. `app.storage.queue.ALLOWED` names each of these functions; nothing else is ever run."""

from __future__ import annotations

from app.wiring import services


def advance(table_id: str, version: int) -> None:
    """Do whatever is due at this table; nothing if it has moved on from `version`."""
    services().tables.advance(table_id, version)
