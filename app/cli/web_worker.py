"""gunicorn's gevent worker with two habits of ours: refusals are problem+json, and idle connections end at once."""

from __future__ import annotations

import json
import logging
import select
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket
from typing import Any

import gevent
from gunicorn import util
from gunicorn.http.errors import (
    LimitRequestHeaders,
    LimitRequestLine,
    NoMoreData,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.workers.ggevent import GeventWorker

log = logging.getLogger(__name__)

REFUSALS: dict[type[Exception], tuple[int, str, str, str]] = {
    LimitRequestLine: (414, "URI Too Long", "too_large", "The address is longer than 8,190 bytes."),
    LimitRequestHeaders: (
        431,
        "Request Header Fields Too Large",
        "too_large",
        "The headers are too many or too large.",
    ),
    UnsupportedTransferCoding: (501, "Not Implemented", "malformed", "This transfer coding is not known here."),
    ParseException: (400, "Bad Request", "malformed", "This is not a request of HTTP/1.1."),
}
"""What the application never sees: status, reason, code and detail; the first type that fits is taken."""


class WebWorker(GeventWorker):
    """Serves each connection in a coroutine."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clients: dict[Any, socket] = {}
        """The connection each coroutine serves."""
        self.idle: set[Any] = set()
        """Coroutines that wait for the next request of their connection."""

    def handle(self, listener: Any, client: socket, addr: Any) -> None:
        """Serve one connection."""
        me = gevent.getcurrent()
        self.clients[me] = client
        try:
            super().handle(listener, client, addr)
        finally:
            del self.clients[me]

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:  # type: ignore[override]  # its stub says None
        """Wait for the next request of a connection, `keepalive` seconds at most."""
        me = gevent.getcurrent()
        self.idle.add(me)
        try:
            with gevent.Timeout(self.cfg.keepalive, False):  # type: ignore[arg-type]  # False: end quietly
                yield
        finally:
            self.idle.discard(me)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop: requests under way may finish, and connections without one are closed."""
        super().handle_exit(sig, frame)
        gevent.spawn(self.close_idle)

    def close_idle(self) -> None:
        """Close the connections that wait for their next request, unless it has just come."""
        for coroutine in self.idle.copy():
            if not select.select([self.clients[coroutine]], [], [], 0)[0]:
                gevent.kill(coroutine, NoMoreData())

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what is not HTTP in the service's own error format; nothing of the request is logged or echoed."""
        refusal = next((refusal for kind, refusal in REFUSALS.items() if isinstance(exc, kind)), None)
        if refusal is None:
            super().handle_error(req, client, addr, exc)
            return
        status, reason, code, detail = refusal
        log.debug("refused a request that is not HTTP: %s", type(exc).__name__)
        body = problem(status, reason, code, detail)
        head = (
            f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
            f"Cache-Control: private, no-store\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            util.write_nonblock(client, head.encode("latin-1") + body)
        except OSError:
            log.debug("the client was gone already")


def problem(status: int, title: str, code: str, detail: str) -> bytes:
    """Write a problem of RFC 9457 with the fields that every refusal of the service has."""
    fields = {"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": None}
    fields |= {"code": code, "params": {}, "request_id": uuid.uuid4().hex, "version": None, "legal_moves": None}
    return json.dumps(fields | {"errors": []}).encode()
