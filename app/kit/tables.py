"""The tables a player sits at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from app.kit.server import Server


class Summary(Struct, frozen=True, kw_only=True):
    id: str


class Summaries(Struct, frozen=True, kw_only=True):
    items: tuple[Summary, ...]
    next_cursor: str | None = None


def running(server: Server) -> Iterator[str]:
    """Ids of those that are not over, page by page. Raises: Refused, NoAnswer."""
    cursor: dict[str, Any] = {}
    while True:
        page = server.ask(Summaries, "GET", "/me/tables", status="active", limit=100, **cursor)
        yield from (table.id for table in page.items)
        if page.next_cursor is None:
            return
        cursor = {"cursor": page.next_cursor}
