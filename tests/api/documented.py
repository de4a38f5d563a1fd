"""What the document says an operation may be refused with."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
ANYWHERE = frozenset({"method_not_allowed", "internal"})
"""Codes that are no operation's own."""


@cache
def refusals() -> list[tuple[str, re.Pattern[str], frozenset[str]]]:
    """Method, path and codes of every operation; paths without a part of the client's come first."""
    document = json.loads(COMMITTED.read_text(encoding="utf-8"))
    found = [
        (
            method.upper(),
            re.compile(re.sub(r"\{\w+\}", "[^/]+", path)),
            frozenset(
                code
                for response in operation["responses"].values()
                for code in re.findall(r"`(\w+)`:", response["description"])
            ),
        )
        for path, item in sorted(document["paths"].items(), key=lambda place: place[0].count("{"))
        for method, operation in item.items()
        if "responses" in operation
    ]
    assert len(found) > 40
    return found


def codes_of(method: str, path: str) -> frozenset[str] | None:
    """The codes of the operation at this path, those of any operation among them; None: there is no operation."""
    for of_method, pattern, codes in refusals():
        if of_method == method and pattern.fullmatch(path):
            return codes | ANYWHERE
    return None
