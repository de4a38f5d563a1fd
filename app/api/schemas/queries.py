"""Query arguments that several nouns share."""

from __future__ import annotations

from typing import Any

from app.api import limits
from app.api.schemas.asked import LARGEST, Asked, Between, Like, QueryWhole, Text, about


class CursorSchema(Asked):
    """A page of a list."""

    limit = QueryWhole(
        load_default=limits.PAGE_DEFAULT,
        validate=Between(1, limits.PAGE),
        metadata=about("Items on a page at most; a page may be short."),
    )
    cursor = Text(
        load_default=None,
        validate=Like("^[!-~]{1,200}$", "This must be the `next_cursor` of an earlier answer."),
        metadata=about("`next_cursor` of the page before."),
    )


class SeenVersion(QueryWhole):
    """A version a client has."""

    def __init__(self, **options: Any) -> None:
        super().__init__(validate=Between(0, LARGEST), **options)
