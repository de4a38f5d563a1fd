"""What a schema has to say about a request, field by field: a stable code, the limits, and what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Self

from app.engine.errors import FieldProblem
from app.engine.pointers import step
from app.tables.refusals import Refusal

SHOWN = 20
"""Complaints told at once."""


class Complaint(str):
    """A sentence with its code and limits; marshmallow carries it like any other message."""

    __slots__ = ("code", "params")
    code: str
    params: dict[str, object]

    def __new__(cls, detail: str, code: str, **params: object) -> Self:
        complaint = super().__new__(cls, detail)
        complaint.code = code
        complaint.params = params
        return complaint


def refusal(messages: Mapping[str, object], *, query: bool) -> Refusal:
    """`invalid`, with every complaint as an entry of `errors`. `path` is a JSON pointer; `?name` for the query."""
    errors = [problem for _, problem in zip(range(SHOWN), _complaints(messages, "", query=query), strict=False)]
    detail = " ".join(f"{error.path or 'The body'}: {error.detail}" for error in errors[:3])
    return Refusal("invalid", detail, errors=errors)


def _complaints(messages: object, path: str, *, query: bool) -> Iterator[FieldProblem]:
    match messages:
        case Mapping():
            for name, inner in messages.items():
                # Marshmallow's own words for "the object itself" and for the two halves of a map's entry.
                here = path if name in ("_schema", "key", "value") and path else f"{path}/{step(name)}"
                yield from _complaints(inner, here, query=query)
        case list():
            for inner in messages:
                yield from _complaints(inner, path, query=query)
        case Complaint():
            yield FieldProblem(f"?{path[1:]}" if query else path, messages.code, str(messages), **messages.params)
        case _:
            yield FieldProblem(f"?{path[1:]}" if query else path, "invalid", str(messages))
