"""gunicorn's gevent worker with habits of ours: refusals are problem+json, stopping awaits no idle connection."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from http import HTTPStatus
from socket import AF_INET, AF_INET6, IPPROTO_TCP, socket
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

if sys.platform == "linux":
    from socket import TCP_USER_TIMEOUT

log = logging.getLogger(__name__)

UNHEARD_MS = 15_000
"""Milliseconds after which a client that acknowledges nothing of what it was sent is taken for gone."""
UNREADABLE = "The request cannot be read"
REFUSALS: dict[type[Exception], tuple[int, str, str, str]] = {
    LimitRequestLine: (414, "too_large", "The address is too long", "An address has at most 8,190 bytes."),
    LimitRequestHeaders: (431, "too_large", "The headers are too large", "At most 64 headers of 8,190 bytes each."),
    UnsupportedTransferCoding: (400, "malformed", UNREADABLE, "The only transfer coding known here is chunked."),
    ParseException: (400, "malformed", UNREADABLE, "This is not a request of HTTP/1.1."),
}
"""What the application never sees: status, code, title and detail; the first type that fits is taken."""


class Body:
    """A request's body as the application reads it; what is wrong with its chunks is an `OSError`, as a lost client is.

    So the application refuses it in its own words; gunicorn closes the connection after the answer.
    """

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def read(self, size: int = -1) -> bytes:
        with _readable():
            return bytes(self._raw.read(None if size < 0 else size))

    def readline(self, size: int = -1) -> bytes:
        with _readable():
            return bytes(self._raw.readline(None if size < 0 else size))

    def readlines(self, _hint: int = -1) -> list[bytes]:
        return list(self)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except ParseException as error:
        raise OSError(f"the body cannot be read: {type(error).__name__}") from None


Application = Callable[[MutableMapping[str, Any], Any], Iterable[bytes]]


def with_readable_body(application: Application) -> Application:
    """The application, given each request's body as a `Body`."""

    def served(environ: MutableMapping[str, Any], start_response: Any) -> Iterable[bytes]:
        environ["wsgi.input"] = Body(environ["wsgi.input"])
        return application(environ, start_response)

    return served


class WebWorker(GeventWorker):
    """Serves each connection in a coroutine."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clients: dict[Any, socket] = {}
        """The connection each coroutine serves."""
        self.answered: dict[Any, Any] = {}
        """The request each coroutine answered last."""
        self.idle: set[Any] = set()
        """Coroutines that wait for the next request of their connection."""
        self.extensions: dict[str, Any] = {}
        """What the application offers its server, once it is loaded."""
        self.milliseconds: Callable[[], int] = lambda: time.time_ns() // 1_000_000
        """The time that goes with every answer: the application's, once it is loaded."""

    def load_wsgi(self) -> None:
        """Load the application."""
        super().load_wsgi()
        application: Any = self.wsgi
        self.extensions = getattr(application, "extensions", {})
        clock = self.extensions.get("server_clock")
        if clock is not None:
            self.milliseconds = clock.milliseconds
        self.wsgi = with_readable_body(application)

    def handle(self, listener: Any, client: socket, addr: Any) -> None:
        """Serve one connection."""
        me = gevent.getcurrent()
        self.clients[me] = client
        notice_silence(client)
        try:
            super().handle(listener, client, addr)
        finally:
            del self.clients[me]
            self.answered.pop(me, None)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer one request."""
        self.answered[gevent.getcurrent()] = req
        return super().handle_request(listener_name, req, sock, addr)

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

    def notify(self) -> None:
        """Tell the master that we live; without a master, finish what is under way and end."""
        if self.ppid == os.getppid():
            super().notify()
        elif self.alive:
            self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop: requests under way may finish, and connections without one are closed."""
        super().handle_exit(sig, frame)
        gevent.spawn(self.stop_waiting)
        gevent.spawn(self.close_idle)

    def stop_waiting(self) -> None:
        """Tell the application, if it wants to know, to answer what waits and to end its streams."""
        stop = self.extensions.get("stop_waiting")
        if stop is not None:
            stop()

    def close_idle(self) -> None:
        """Close the connections that wait for their next request, unless it has just come."""
        for coroutine in self.idle.copy():
            just_come = select.poll()  # not select(): it knows no more than 1,024 connections
            just_come.register(self.clients[coroutine], select.POLLIN)
            if not just_come.poll(0):
                gevent.kill(coroutine, NoMoreData())

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what is not HTTP in the service's own error format; nothing of the request is logged or echoed."""
        last = self.answered.get(gevent.getcurrent())
        if req is None and last is not None and last.body.failed:
            return  # not a new request but what an answered one left unread: it has its answer
        refusal = next((refusal for kind, refusal in REFUSALS.items() if isinstance(exc, kind)), None)
        if refusal is None:
            super().handle_error(req, client, addr, exc)
            return
        status, code, title, detail = refusal
        log.debug("refused a request that is not HTTP: %s", type(exc).__name__)
        try:
            util.write_nonblock(client, answer(status, code, title, detail, self.milliseconds()))
        except OSError:
            log.debug("the client was gone already")


def notice_silence(client: socket) -> None:
    """Have the kernel give up a client that acknowledges nothing: else a stream's writes to it succeed for minutes."""
    if sys.platform == "linux" and client.family in (AF_INET, AF_INET6):
        client.setsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT, UNHEARD_MS)


def answer(status: int, code: str, title: str, detail: str, milliseconds: int) -> bytes:
    """Write a whole response whose body is a problem with the fields that every refusal of the service has."""
    request_id = uuid.uuid4().hex
    problem = {
        "type": f"/docs/problems#{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": "",
        "code": code,
        "params": {},
        "request_id": request_id,
        "version": None,
        "legal_moves": None,
        "errors": [],
    }
    body = json.dumps(problem)
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "Content-Type: application/problem+json",
        f"Content-Length: {len(body)}",
        "Cache-Control: private, no-store",
        f"X-Request-Id: {request_id}",
        f"X-Server-Time: {milliseconds}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", body]).encode("latin-1")
