"""`expected_version`: the one place where the version in a write's body comes to stand beside who asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from flask import g
from msgspec.structs import replace

from app.api.auth import asker
from app.tables.requests import Expected


def heeding_version(view: Callable[..., Any]) -> Callable[..., Any]:
    """The view of a write whose body is a `LockedSchema` and whose path names the table."""

    @wraps(view)
    def heeding(resource: object, body: Mapping[str, Any], *, table_id: str, **parts: Any) -> Any:
        if body["expected_version"] is not None:
            g.asker = replace(asker(), expected=Expected(table=table_id, version=body["expected_version"]))
        return view(resource, body, table_id=table_id, **parts)

    return heeding
