"""Every operation of the API, registered: what the application serves and the document describes."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]
from werkzeug.routing import BaseConverter, IntegerConverter

from app.api.routes import NOUNS
from app.api.schemas.events import AnyEvent


class Number(IntegerConverter):
    """A seat's or a hand's number in a path: few digits, so that none is too long to read, and no second spelling."""

    regex = "(?:0|[1-9][0-9]{0,5})"


class PlayerId(BaseConverter):
    """A player's id in a path; `link` is no id but an operation on players."""

    regex = r"(?!link\Z)[^/]+"


def _player_id_schema(_converter: PlayerId) -> dict[str, object]:
    return {"type": "string", "minLength": 1}


def _number_schema(_converter: Number) -> dict[str, object]:
    return {"type": "integer", "minimum": 0, "maximum": 999_999}


class Operations(Api):  # type: ignore[misc]
    """The operations of the API, and the document flask-smorest collects of them."""

    DEFAULT_ERROR_RESPONSE_NAME: ClassVar[None] = None

    def _register_error_handlers(self) -> None:
        """Errors are `problems`' matter."""


def register_operations(app: Flask) -> Any:
    """Register every noun; the returned object holds the collected document."""
    app.config.update(API_TITLE="All Fives", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    app.url_map.converters["number"] = Number
    app.url_map.converters["player"] = PlayerId
    operations = Operations(app)
    operations.register_converter(Number, _number_schema)
    operations.register_converter(PlayerId, _player_id_schema)
    operations.register_field(AnyEvent, "object", None)
    for noun in NOUNS:
        operations.register_blueprint(noun)
    return operations
