"""Fields of answers, for the document and for the test that holds real answers against it.

Every field is required and null where it has no value; an answer may carry more than is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate

SET_NAME = "x-closed-set"
"""Marks a field whose values are a closed set: the document makes one named component of it."""
CONST = "x-const"
"""Marks a field that has one value only."""


ANY_EVENT = "x-any-event"
"""Marks where any event may stand."""


class Answered(Schema):
    """An object of an answer."""

    class Meta:
        unknown = INCLUDE


def text(about: str, *, null: bool = False, example: str | None = None, **more: object) -> fields.String:
    if example is not None:
        more["examples"] = [example]
    return fields.String(required=True, allow_none=null, metadata={"description": about, **more})


def whole(about: str, *, null: bool = False, **more: object) -> fields.Integer:
    return fields.Integer(required=True, allow_none=null, strict=True, metadata={"description": about, **more})


def number(about: str, *, null: bool = False, **more: object) -> fields.Float:
    return fields.Float(required=True, allow_none=null, metadata={"description": about, **more})


def flag(about: str, *, null: bool = False) -> fields.Boolean:
    return fields.Boolean(required=True, allow_none=null, metadata={"description": about})


def moment(about: str, *, null: bool = False) -> fields.DateTime:
    return fields.DateTime(required=True, allow_none=null, metadata={"description": about})


def constant(value: str) -> fields.String:
    return fields.String(required=True, validate=validate.Equal(value), metadata={CONST: value})


def closed(name: str, values: Sequence[str], about: str, *, null: bool = False) -> fields.String:
    """One value of a closed set; `name` is its component."""
    return fields.String(
        required=True, allow_none=null, validate=validate.OneOf(values), metadata={"description": about, SET_NAME: name}
    )


def inside(schema: type[Schema], about: str, *, null: bool = False) -> fields.Nested:
    return fields.Nested(schema, required=True, allow_none=null, metadata={"description": about})


def list_of(inner: fields.Field[Any], about: str, *, null: bool = False, **more: object) -> fields.List[Any]:
    return fields.List(inner, required=True, allow_none=null, metadata={"description": about, **more})


def map_of(inner: fields.Field[Any], about: str, *, null: bool = False, **more: object) -> fields.Dict:
    return fields.Dict(
        keys=fields.String(), values=inner, required=True, allow_none=null, metadata={"description": about, **more}
    )


def free_map(about: str, *, null: bool = False, **more: object) -> fields.Dict:
    return fields.Dict(required=True, allow_none=null, metadata={"description": about, **more})


def tile(about: str = "A tile, high half first: `64`.", *, null: bool = False) -> fields.String:
    return text(about, null=null, example="64")


def tiles(about: str, *, null: bool = False) -> fields.List[Any]:
    return list_of(tile(), about, null=null)
