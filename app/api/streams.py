"""Streams on the wire: server-sent events, and JSON lines.

Whatever can be refused is refused before the first byte. Nothing here waits: a use case says what there is to send, at
least every few seconds, and each time the stream looks first whether its token is gone, and then whether it has lived
long enough.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
from flask import Response, g, request

from app.api.addresses import household
from app.api.auth import asker
from app.api.schemas.asked import LARGEST
from app.api.services import services
from app.tables.events import TableEvent
from app.tables.following import Presence, StillHere
from app.tables.live import Permit
from app.tables.refusals import Refusal, invalid
from app.tables.shapes import FeedEvent

Sent = TableEvent | FeedEvent | Presence | StillHere

COME_BACK_MS = 1_000
"""Milliseconds after which a client comes back when its connection broke."""
SPREAD_MS = 2_000
"""Milliseconds over which those who are sent away together come back."""
FULL_RETRY_AFTER = 5
"""Seconds to wait where too many streams are open."""
JITTER = 0.1
"""Share of a stream's life by which it may be shorter, so that streams opened together do not end together."""
HEADERS = {
    "Cache-Control": "private, no-store, no-transform",
    "X-Accel-Buffering": "no",
}
"""Tell proxies to pass every piece on at once, as it is."""

_encode = msgspec.json.Encoder().encode
_SEQ = re.compile("[0-9]{1,16}", re.ASCII)


class Form(NamedTuple):
    """How signals are written."""

    media_type: str
    write: Callable[[Sent], bytes]
    hello: bytes
    """Sent at once, so that proxies and clients see that the stream is open."""
    goodbye: Callable[[], bytes]
    """Sent when the stream ends in good order."""


def _as_sse(sent: Sent) -> bytes:
    if isinstance(sent, StillHere):
        return b":\n\n"
    kind = sent.type if isinstance(sent, FeedEvent) else str(sent.__struct_config__.tag)
    number = b"" if sent.seq is None else b"id: %d\n" % sent.seq
    return b"%sevent: %s\ndata: %s\n\n" % (number, kind.encode(), _encode(sent))


def _as_line(sent: Sent) -> bytes:
    return b"\n" if isinstance(sent, StillHere) else _encode(sent) + b"\n"


def _see_you() -> bytes:
    return b": goodbye, come back\nretry: %d\n\n" % random.randint(COME_BACK_MS // 2, COME_BACK_MS // 2 + SPREAD_MS)  # noqa: S311


SSE = Form("text/event-stream", _as_sse, b"retry: %d\n\n" % COME_BACK_MS, _see_you)
LINES = Form("application/x-ndjson", _as_line, b"\n", lambda: b"")


def table_stream(table_id: str, after: int, form: Form) -> Response:
    """Follow a table. Raises: Refusal `not_found`, `cursor_ahead`, `invalid`, `rate_limited`."""
    last = last_event_id()
    followed = services().tables.follow(asker(), table_id, after=after if last is None else last)
    if followed.nothing_left and form is SSE:
        # The one answer that keeps an EventSource from coming back.
        response = Response(status=204)
        del response.headers["Content-Type"]
        return response
    return _streamed(followed.signals, form)


def feed_stream(after: int | None) -> Response:
    """Follow the caller's feed. Raises: Refusal `cursor_ahead`, `invalid`, `rate_limited`."""
    last = last_event_id()
    return _streamed(services().feed.follow(asker(), after=after if last is None else last), SSE)


def last_event_id() -> int | None:
    """What the client had last, as browsers say it when they come back. Raises: Refusal `invalid`."""
    sent = request.headers.get("Last-Event-ID", "").strip()
    if not sent:
        return None
    if not _SEQ.fullmatch(sent) or int(sent) > LARGEST:
        raise invalid("Last-Event-ID", "out_of_range", f"Last-Event-ID must be a whole number from 0 to {LARGEST}.")
    return int(sent)


def _streamed(signals: Iterable[Sent], form: Form) -> Response:
    entered = _enter()
    life = services().stream_terms.life_seconds * random.uniform(1 - JITTER, 1)  # noqa: S311
    response = Response(_pieces(signals, form, entered, time.monotonic() + life), headers=HEADERS)
    response.headers["Content-Type"] = form.media_type
    response.call_on_close(entered.give_back)
    return response


def _enter() -> Permit:
    player_id = asker().player_id
    token = None if player_id is None else (player_id, g.token_id)
    entered = services().turnstile.enter(token, household(request.remote_addr))
    if entered is None:
        raise Refusal(
            "rate_limited",
            "Too many streams are open for this token or from this address: close some first. "
            "`streams` in GET /v1/options tells how many there may be.",
            params={"retry_after": FULL_RETRY_AFTER},
        )
    return entered


def _pieces(signals: Iterable[Sent], form: Form, entered: Permit, until: float) -> Iterator[bytes]:
    yield form.hello
    for signal in signals:
        if entered.revoked:
            break
        yield form.write(signal)
        if time.monotonic() >= until:
            break
    yield form.goodbye()
