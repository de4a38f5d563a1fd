"""Weak ETags: a table's version and who looks, nothing else, so that they tell nothing of what is hidden.

A 304 says that the version is still the client's, and no more: what is no part of it (MAY_HAVE_MOVED) may read
otherwise by now. `deadline` and `X-Server-Time` give the time left. Names are joined on reading, and to know them would
cost every 304 a second look into the store; so a new name shows with the table's next event, or without the tag.
"""

from __future__ import annotations

from flask import Response, request

from app.api.answers import answered
from app.api.services import tables
from app.tables.requests import Asker

MAY_HAVE_MOVED = ("now", "deadline_ms", "bank_ms", "connected", "name")
"""Fields of a view that change without a new version, wherever in it they are."""


def table_if_changed(
    asker: Asker, table_id: str, *, newer_than: int | None, wait: float, until: str | None
) -> Response:
    """The table's view, or 304 where `If-None-Match` names it; without a wait the view is not even made."""
    if request.if_none_match and newer_than is None and until is None:
        version = tables().version(asker, table_id)
        if _client_has(version, asker):
            return _not_modified(version, asker)
    if until is not None and newer_than is None:
        # "When it is my turn" needs no version: now, or when it comes.
        newer_than = 0
    view = tables().view(asker, table_id, newer_than=newer_than, wait=wait, until_my_turn=until == "my_turn")
    if _client_has(view.version, asker):
        return _not_modified(view.version, asker)
    response = answered(view, 200)
    response.set_etag(_tag(view.version, asker), weak=True)
    return response


def _tag(version: int, asker: Asker) -> str:
    return f"{version}-{asker.player_id or 'spectator'}"


def _client_has(version: int, asker: Asker) -> bool:
    return bool(request.if_none_match) and request.if_none_match.contains_weak(_tag(version, asker))


def _not_modified(version: int, asker: Asker) -> Response:
    response = Response(status=304)
    del response.headers["Content-Type"]
    response.set_etag(_tag(version, asker), weak=True)
    return response
