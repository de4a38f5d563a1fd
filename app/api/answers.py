"""Answers as bytes: msgspec writes what the use cases return. The shapes here are those no use case has."""

from __future__ import annotations

from datetime import datetime

import msgspec
from flask import Response

from app.tables.register import Player, Token
from app.tables.shapes import Answer, TableView

_encoder = msgspec.json.Encoder()


class Registered(msgspec.Struct, frozen=True, kw_only=True):
    """A new player and the only copy of the token."""

    player: Player
    token: str


class PracticeStarted(msgspec.Struct, frozen=True, kw_only=True):
    player: Player
    token: str | None
    """None: the caller has one."""
    table: TableView


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    label: str | None
    created_at: datetime
    token: str
    """The only copy."""


class LinkCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code that lets another device in, once."""

    code: str
    expires_at: datetime


class TokenList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Token, ...]
    next_cursor: str | None = None


def answered(value: object, status: int) -> Response:
    """The response for what a view returned; a Response stays as it is, None has no body."""
    match value:
        case Response():
            return value
        case None:
            response = Response(status=204)
            del response.headers["Content-Type"]
            return response
        case Answer(value=inner, replayed=replayed):
            return _marked(answered(inner, status), replayed=replayed)
        case _:
            return Response(_encoder.encode(value), status, content_type="application/json")


def located(value: object, status: int, location: str, *, replayed: bool = False) -> Response:
    """An answer that says where the new thing is."""
    response = _marked(answered(value, status), replayed=replayed)
    response.headers["Location"] = location
    return response


def _marked(response: Response, *, replayed: bool) -> Response:
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response
