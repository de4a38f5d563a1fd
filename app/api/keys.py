"""`Idempotency-Key`: the same key with the same request gets the first answer again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

import msgspec
from flask import request

from app.api.auth import asker
from app.tables.refusals import Refusal
from app.tables.requests import Key

LENGTH = 255
"""Characters."""

_VISIBLE = re.compile(rf"[\x21-\x7e]{{1,{LENGTH}}}", re.ASCII)


def idempotency_key(body: Mapping[str, object]) -> Key | None:
    """This request's key with the digest of method, path and parsed body; None without a key or a token.

    The digest is made of what the schema read, so neither the order of fields nor `46` for `64` makes a difference.

    Raises: Refusal `malformed` for a key that is no key.
    """
    value = request.headers.get("Idempotency-Key")
    if value is None or asker().player_id is None:
        return None
    if not _VISIBLE.fullmatch(value):
        raise Refusal("malformed", f"Idempotency-Key must have 1 to {LENGTH} visible ASCII characters.")
    said = msgspec.json.encode([request.method, request.path, body], order="deterministic")
    return Key(value=value, digest=hashlib.sha256(said).hexdigest())
