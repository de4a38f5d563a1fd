"""A request's body, from bytes to a JSON object. Strict: what two readers could understand differently is refused.

Everything here is judged before the schema sees the body, and says what is wrong and where.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from flask import Request

from app.tables.refusals import Refusal

DEPTH = 32
"""Levels of nesting; ours are fewer than six."""
DIGITS = 1000
"""Digits of a whole number; Python would not read ten times as many."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CHARSETS = frozenset({"utf-8", "utf8", "us-ascii"})


def read(request: Request, *, required: bool) -> dict[str, Any]:
    """The body as an object; no body at all is the empty object unless `required`.

    Raises:
        RequestEntityTooLarge: above `MAX_CONTENT_LENGTH`, also where no length was announced.
        Refusal: `unsupported_media_type`, `malformed`.
    """
    raw = request.get_data()
    # A body without an announced length is cut off at the limit; asking for one byte more raises.
    request.stream.read(1)
    promised = request.content_length
    if promised is not None and len(raw) < promised:
        _malformed(f"The body ends after {len(raw)} of {promised} bytes.", bytes=len(raw), promised=promised)
    if not raw and not required:
        return {}
    _check_media_type(request)
    if not raw:
        _malformed("The body is empty; send a JSON object.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        _malformed(f"The body is not UTF-8: byte {error.start} cannot be read.", byte=error.start)
    return _as_object(text)


def _check_media_type(request: Request) -> None:
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    if not request.is_json or charset not in _CHARSETS or encoding != "identity":
        raise Refusal("unsupported_media_type", "Send the body as application/json in UTF-8, not compressed.")


def _as_object(text: str) -> dict[str, Any]:
    if text.startswith("\ufeff"):
        _malformed("The body starts with a byte order mark; JSON has none.")
    _check_depth(text)
    try:
        body = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        _malformed(
            f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            line=error.lineno,
            column=error.colno,
        )
    if not isinstance(body, dict):
        _malformed("The body must be a JSON object.")
    if "\\u" in text:
        _check_characters(body)
    return body


def _check_depth(text: str) -> None:
    """Count brackets outside strings, so that no parser meets a tower of them."""
    if text.count("[") + text.count("{") <= DEPTH:
        return
    depth = 0
    for bracket in re.finditer(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', text, re.DOTALL):
        if bracket[1]:
            depth += 1
        elif bracket[2]:
            depth -= 1
        if depth > DEPTH:
            _malformed(f"The body is nested deeper than {DEPTH} levels.", limit=DEPTH)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        _malformed(f"The field {_shown(twice)} appears twice in one object.")
    return body


def _no_constant(name: str) -> NoReturn:
    _malformed(f"{name} is not a JSON number.")


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        _malformed(f"A whole number has more than {DIGITS} digits.", limit=DIGITS)
    return int(digits)


def _check_characters(value: object) -> None:
    """`\\u0000` and lone surrogates are valid escapes of text that no store and no reader can hold."""
    if isinstance(value, str):
        if "\x00" in value:
            _malformed("A string holds the character U+0000.")
        if _SURROGATE.search(value):
            _malformed("A string holds half of a surrogate pair.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_characters(name)
            _check_characters(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_characters(inner)


def _shown(name: str) -> str:
    """A field's name as a problem may repeat it."""
    return json.dumps(name[:60])


def _malformed(detail: str, **params: object) -> NoReturn:
    raise Refusal("malformed", detail, params=params)
