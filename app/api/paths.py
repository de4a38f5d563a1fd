"""What a path may hold, and how one is named in a problem."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from app.tables.refusals import Refusal

ID_LENGTH = 200
"""Characters; ours are shorter."""
INSTANCE_LENGTH = 300
"""Characters of a path that are told back."""

_UNREADABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")


def check(parts: Mapping[str, object]) -> None:
    """Refuse ids that cannot be one. Raises: Refusal `malformed`."""
    for name, part in parts.items():
        if not isinstance(part, str):
            continue
        if len(part) > ID_LENGTH:
            raise Refusal("malformed", f"The path's {name} may have {ID_LENGTH} characters.", params={"name": name})
        if _UNREADABLE.search(part):
            raise Refusal(
                "malformed", f"The path's {name} holds control characters or is not UTF-8.", params={"name": name}
            )


def instance(path: str) -> str:
    """The path as a URI reference, short enough to log."""
    return quote(path[:INSTANCE_LENGTH], safe="/-._~", errors="replace")
