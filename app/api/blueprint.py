"""What every operation has in common, as one decorator: who may ask, what is read, answered and documented.

The checks run in the contract's order: the path and the body's bytes (400, 413, 415), the token (401), the schema
(422), and then whatever the use case refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from flask import g, request
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from app.api import bodies, paths
from app.api.answers import answered
from app.api.arguments import ArgumentsParser, check_nothing_unasked
from app.api.auth import Asks, authenticate, authenticate_after_waiting
from app.api.locks import heeding_version
from app.api.problems import KINDS, MEDIA_TYPE
from app.api.schemas.locks import LockedSchema
from app.api.schemas.problems import ProblemSchema

View = TypeVar("View", bound=Callable[..., Any])

REFUSALS: dict[Asks, tuple[str, ...]] = {
    Asks.ANYONE: (),
    Asks.SPECTATOR: ("unauthenticated",),
    Asks.PLAYER: ("unauthenticated",),
}
ALWAYS = ("malformed", "invalid", "rate_limited", "store_unavailable")
"""What any operation may be refused with."""
RETRY_AFTER = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
REPLAYED = {
    "Idempotent-Replayed": {
        "description": "`true`: the first answer to this `Idempotency-Key`, given again.",
        "schema": {"type": "string"},
    }
}
LOCATION = {"Location": {"description": "Path of what was made.", "schema": {"type": "string"}}}
KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "Any text of your own, up to 255 visible characters: the same key and body get the first answer "
    "again.",
    "schema": {"type": "string"},
}
KEY_LIMITS = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "required": False,
    "description": "`id` of the last event you have, as browsers send it when they come back; empty: none. "
    "It wins over `after`.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,16}$"},
}


REQUEST_HEADERS = "request_headers"
"""Where an operation's description keeps the headers it reads."""


class Stream(NamedTuple):
    """What a stream is, for the document."""

    media_type: str
    about: str
    """What one piece is."""
    example: str
    resumes: bool = True
    """`Last-Event-ID` is heeded."""
    ends_with_204: bool = False
    """There may be nothing to stream, now and for ever."""


class Noun(Blueprint):  # type: ignore[misc]
    """The operations on one noun."""

    ARGUMENTS_PARSER = ArgumentsParser()

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__, description=description, url_prefix="/v1")
        self._prepare_doc_cbks.append(_with_request_headers)

    def operation(
        self,
        name: str,
        *,
        asks: Asks,
        answer: type[Schema] | None = None,
        stream: Stream | None = None,
        status: int = 200,
        body: type[Schema] | None = None,
        query: type[Schema] | None = None,
        refuses: Sequence[str] = (),
        takes_key: bool = False,
        example: object = None,
        answers_with: str = "",
        or_status: int | None = None,
        or_answers_with: str = "",
    ) -> Callable[[View], View]:
        """Make a view of a method that returns what the use case returned.

        Args:
            name: The `operationId`; generated SDKs name their method after it.
            answer: Schema of the answer; None: no body.
            stream: What is streamed instead of an answer.
            body: Schema of the request's body, given to the view first; None: no field is known.
            query: Schema of the query, given to the view first (after the body); None: no argument is known.
            refuses: Codes it can be refused with, beyond those that follow from the other arguments.
            takes_key: Whether `Idempotency-Key` is documented here.
            example: A body that works.
            answers_with: What the answer is, for the document.
            or_status: Another status of success, for a view that makes its own response and says where the thing is.
            or_answers_with: What the answer is then.
        """
        locked = body is not None and issubclass(body, LockedSchema)
        body_required = body is not None and any(field.required for field in body().fields.values())

        def decorate(view: View) -> View:
            # Without a schema nothing is taken, and what comes all the same is refused as everywhere.
            reads_body = body is not None or view.__name__ in ("post", "put", "patch")
            codes = (
                *ALWAYS,
                *REFUSALS[asks],
                *(("too_large", "unsupported_media_type") if reads_body else ()),
                *(("idempotency_key_reused", "request_in_progress") if takes_key else ()),
                *(("version_conflict",) if locked else ()),
                *refuses,
            )
            inner: Any = heeding_version(view) if locked else view
            if query is not None:
                inner = self.arguments(query, location="query")(inner)
            if body is not None:
                inner = self.arguments(body, required=body_required, example=example)(inner)

            @wraps(view)
            def answering(*arguments: Any, **parts: Any) -> Any:
                paths.check(parts)
                if reads_body:
                    g.body = bodies.read(request, required=body_required)
                authenticate(asks)
                check_nothing_unasked(query=query is None, body=reads_body and body is None)
                answer = inner(*arguments, **parts)
                authenticate_after_waiting(asks)
                return answered(answer, status)

            resumes = stream is not None and stream.resumes
            answering._apidoc = {  # type: ignore[attr-defined]  # noqa: SLF001
                **deepcopy(getattr(inner, "_apidoc", {})),
                REQUEST_HEADERS: _request_headers(asks, takes_key=takes_key, resumes=resumes),
            }
            described = answers_with or None
            documented: Any
            if stream is None:
                documented = self.response(status, answer, description=described)(answering)
            else:
                # The stream comes first: generators take the first media type for the answer.
                documented = self.response(
                    status,
                    {"type": "string", "description": stream.about},
                    content_type=stream.media_type,
                    example=stream.example,
                    description=described,
                )(answering)
                if stream.ends_with_204:
                    documented = self.alt_response(204, description="Nothing is left and nothing will come.")(
                        documented
                    )
            if or_status is not None:
                documented = self.alt_response(or_status, schema=answer, description=or_answers_with, headers=LOCATION)(
                    documented
                )
            for problem_status, problem_codes in sorted(_by_status(codes).items()):
                documented = self.alt_response(
                    problem_status,
                    schema=ProblemSchema,
                    content_type=MEDIA_TYPE,
                    description="; ".join(f"`{code}`: {KINDS[code].title}" for code in problem_codes) + ".",
                    headers=RETRY_AFTER if problem_status in (429, 503) else None,
                )(documented)
            documented = self.doc(
                operationId=name,
                security={Asks.ANYONE: [], Asks.SPECTATOR: [{}, {"bearer": []}], Asks.PLAYER: [{"bearer": []}]}[asks],
                **_answer_headers(status, takes_key=takes_key),
            )(documented)
            made: View = documented
            return made

        return decorate


def _by_status(codes: Sequence[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(KINDS[code].status, []).append(code)
    return found


def _answer_headers(status: int, *, takes_key: bool) -> dict[str, Any]:
    headers = {**(REPLAYED if takes_key else {}), **(LOCATION if status in (201, 202) and takes_key else {})}
    return {"responses": {status: {"headers": headers}}} if headers else {}


def _request_headers(asks: Asks, *, takes_key: bool, resumes: bool) -> list[dict[str, Any]]:
    # Without a token the key is not looked at, so there it has no limits.
    key = {**KEY, "schema": KEY_LIMITS} if asks is Asks.PLAYER else KEY
    return [*([key] if takes_key else []), *([LAST_EVENT_ID] if resumes else [])]


def _with_request_headers(doc: dict[str, Any], doc_info: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Add the headers to the parameters of the query; `doc(parameters=…)` would put them in their place."""
    headers = doc_info.get(REQUEST_HEADERS)
    return {**doc, "parameters": [*doc.get("parameters", []), *headers]} if headers else doc
