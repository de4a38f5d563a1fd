"""Where webargs takes bodies and queries from, and what becomes of its complaints."""

from __future__ import annotations

from typing import Any, NoReturn

from flask import Request, g, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from app.api import complaints


class ArgumentsParser(FlaskParser):
    """Bodies were read by `bodies`; a query argument may appear once; unknown names are refused."""

    # None: as the schema has it.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}  # noqa: RUF012

    def load_json(self, req: Request, schema: Schema) -> Any:
        return g.body

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        twice = {name: _twice() for name, values in req.args.lists() if len(values) > 1}
        if twice:
            raise complaints.refusal(twice, query=True)
        return req.args.to_dict()

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_options: Any) -> NoReturn:
        (location,) = error.messages_dict
        raise complaints.refusal(error.messages_dict[location], query=location == "query")


def check_nothing_unasked(*, query: bool, body: bool) -> None:
    """Where an operation has no query (`query`) or no body (`body`), every name is unknown.

    Raises: Refusal `invalid`, with each of them.
    """
    if query and request.args:
        raise complaints.refusal({name: _unknown() for name in request.args}, query=True)
    if body and g.body:
        raise complaints.refusal({name: _unknown() for name in g.body}, query=False)


def _unknown() -> list[complaints.Complaint]:
    return [complaints.Complaint("There is no such field here; none is known.", "unknown_field", allowed=[])]


def _twice() -> list[complaints.Complaint]:
    return [complaints.Complaint("This may appear only once.", "repeated")]
