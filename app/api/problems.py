"""Errors as the client sees them (RFC 9457): one table from codes to statuses, one handler per kind of exception.

Nothing here repeats what a client sent, and a bug tells the client no more than its request id.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.api.complaints import SHOWN
from app.api.paths import instance
from app.engine.errors import FieldProblem, InvalidRules, RuleViolation
from app.engine.moves import Move
from app.tables.ports import StoreUnavailable, TableNotFound
from app.tables.refusals import Refusal, not_found

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "/docs/problems#"
"""A problem's `type` is this and its code: a page of this server that explains it."""

log = logging.getLogger(__name__)


class Kind(NamedTuple):
    status: int
    title: str
    """The same for every occurrence."""


KINDS = {
    "malformed": Kind(400, "The request cannot be read"),
    "unauthenticated": Kind(401, "A valid token is needed"),
    "not_seated": Kind(403, "You do not sit there"),
    "not_host": Kind(403, "Only the host may do this"),
    "not_found": Kind(404, "There is no such thing"),
    "method_not_allowed": Kind(405, "This path does not take this method"),
    "not_your_turn": Kind(409, "It is not your turn"),
    "not_in_holding": Kind(409, "You do not hold that tile"),
    "does_not_fit": Kind(409, "The tile does not fit that end"),
    "end_closed": Kind(409, "That end cannot be played on now"),
    "end_required": Kind(409, "Say which end to play on"),
    "lengthwise_not_allowed": Kind(409, "This tile cannot be laid lengthwise"),
    "must_play": Kind(409, "You hold a tile that fits and must play"),
    "must_draw": Kind(409, "You must draw before you may pass"),
    "must_play_drawn_tile": Kind(409, "The tile just drawn fits and must be played"),
    "must_lead": Kind(409, "This hand is led with a certain tile"),
    "nothing_to_draw": Kind(409, "Nothing can be drawn"),
    "nothing_to_call": Kind(409, "There is nothing to call"),
    "already_called": Kind(409, "You have called already"),
    "version_conflict": Kind(409, "The table has moved on"),
    "cursor_ahead": Kind(409, "The cursor is ahead of the log"),
    "request_in_progress": Kind(409, "The first request with this key is still running"),
    "seat_taken": Kind(409, "That seat is taken"),
    "table_full": Kind(409, "Every seat is taken"),
    "already_seated": Kind(409, "You sit at this table already"),
    "stand_in_plays": Kind(409, "A stand-in plays for you; take the seat back first"),
    "table_not_open": Kind(409, "The table is no longer open"),
    "game_not_started": Kind(409, "The game has not started"),
    "hand_over": Kind(409, "The hand is over"),
    "table_finished": Kind(409, "The game is over"),
    "table_not_finished": Kind(409, "The game is not over yet"),
    "no_more_time": Kind(409, "No time can be added now"),
    "premove_not_allowed": Kind(409, "No move can be made ahead now"),
    "ticket_matched": Kind(409, "The ticket has a table already"),
    "hand_not_finished": Kind(409, "The hand is not finished"),
    "too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body must be JSON"),
    "invalid": Kind(422, "Some fields cannot be accepted"),
    "idempotency_key_reused": Kind(422, "The idempotency key was used for another request"),
    "rate_limited": Kind(429, "Too many requests"),
    "internal": Kind(500, "The server made a mistake"),
    "not_ready": Kind(503, "The service is not ready"),
    "store_unavailable": Kind(503, "The store cannot be reached"),
}
"""Every code of API.md. 405 and 500 have codes too, so that a client can switch on `code` alone."""

RULES = Kind(409, "The rules do not allow this now")
"""A code of the engine that has no row of its own."""


class FieldComplaint(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    code: str
    params: dict[str, object]
    detail: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every error."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    params: dict[str, object]
    request_id: str
    version: int | None
    legal_moves: tuple[Move, ...] | None
    errors: tuple[FieldComplaint, ...]


def problem(
    code: str,
    detail: str,
    *,
    params: dict[str, object] | None = None,
    version: int | None = None,
    legal_moves: Sequence[Move] | None = None,
    errors: Sequence[FieldProblem] = (),
    headers: dict[str, str] | None = None,
    kind: Kind | None = None,
) -> Response:
    """The answer that tells a client what went wrong and what would be right."""
    status, title = kind or KINDS.get(code, RULES)
    body = Problem(
        type=TYPE_PREFIX + code,
        title=title,
        status=status,
        detail=detail,
        instance=instance(request.path),
        code=code,
        params=params or {},
        request_id=g.get("request_id", ""),
        version=version,
        legal_moves=None if legal_moves is None else tuple(legal_moves),
        errors=tuple(
            FieldComplaint(path=error.path, code=error.code, params=error.params, detail=error.detail)
            for error in errors
        ),
    )
    return Response(msgspec.json.encode(body), status, headers, content_type=MEDIA_TYPE)


def refused(error: Refusal) -> Response:
    headers: dict[str, str] = {}
    if error.code == "unauthenticated":
        invalid_token = ', error="invalid_token"' if request.authorization is not None else ""
        headers["WWW-Authenticate"] = f'Bearer realm="allfives"{invalid_token}'
    if error.code == "rate_limited":
        headers["Retry-After"] = str(error.params.get("retry_after", 1))
    return problem(
        error.code,
        error.detail,
        params=error.params,
        version=error.version,
        legal_moves=error.legal_moves,
        errors=error.errors,
        headers=headers,
    )


def rule_violated(error: RuleViolation) -> Response:
    return problem(error.code, error.detail, params=error.params)


def rules_invalid(error: InvalidRules) -> Response:
    """Rules that cannot be played; the engine names each field from the body's root."""
    told = error.problems[:SHOWN]
    return problem("invalid", " ".join(found.detail for found in told), errors=told)


def table_gone(_error: TableNotFound) -> Response:
    return refused(not_found())


def store_down(error: StoreUnavailable) -> Response:
    wait = max(1, math.ceil(error.retry_after))
    return problem(
        "store_unavailable",
        f"The store cannot be reached or cannot take writes; nothing has changed. Try again in {wait} s.",
        params={"retry_after": wait},
        headers={"Retry-After": str(wait)},
    )


def http_error(error: HTTPException) -> Response:
    """Whatever Flask or Werkzeug refuse by themselves."""
    status = error.code or 500
    match status:
        case 404:
            return problem("not_found", "There is nothing at this path.")
        case 405:
            allowed = sorted(error.valid_methods or ()) if isinstance(error, MethodNotAllowed) else []
            return problem(
                "method_not_allowed",
                f"This path takes {', '.join(allowed)}.",
                params={"allowed": allowed},
                headers={"Allow": ", ".join(allowed)},
            )
        case 413:
            return too_large()
        case 415:
            return problem("unsupported_media_type", "Send the body as application/json.")
        case _ if status < 500:
            kind = Kind(status, KINDS["malformed"].title if status == 400 else HTTPStatus(status).phrase)
            return problem("malformed", "The request cannot be read.", kind=kind)
        case _:
            return problem("internal", "The server could not answer.", kind=Kind(status, KINDS["internal"].title))


def too_large() -> Response:
    limit = request.max_content_length or 0
    return problem("too_large", f"A body may hold {limit} bytes.", params={"limit": limit})


def bug(error: Exception) -> Response:
    """Outermost: logged with the request's id; the client learns only that id."""
    log.error("request %s failed", g.get("request_id", ""), exc_info=error)
    return problem("internal", "The server made a mistake. Please report the request id.")


def register(app: Flask) -> None:
    app.register_error_handler(Refusal, refused)
    app.register_error_handler(RuleViolation, rule_violated)
    app.register_error_handler(InvalidRules, rules_invalid)
    app.register_error_handler(TableNotFound, table_gone)
    app.register_error_handler(StoreUnavailable, store_down)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, bug)
