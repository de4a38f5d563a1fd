"""A server that says what a test wrote down, one answer after the other, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def key(self) -> str | None:
        return self.headers.get("Idempotency-Key")


class Says(NamedTuple):
    """An answer."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012
    only: int | None = None
    """Bytes of the body after which the line breaks."""


class Hangs(NamedTuple):
    """No answer: the line breaks."""


Answer = Says | Hangs


class StandIn:
    """The server; `with` it."""

    def __init__(self, *answers: Answer, rest: Callable[[Asked], Answer] | None = None) -> None:
        self.asked: list[Asked] = []
        self._answers = list(answers)
        self._rest = rest
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                stand_in.answer(self, Asked(self.command, self.path, dict(self.headers.items()), body))

            do_GET = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)
            said = self._answers.pop(0) if self._answers else self._rest(asked) if self._rest else Hangs()
        if isinstance(said, Hangs):
            handler.close_connection = True
            return
        body = (
            said.body if isinstance(said.body, bytes) else b"" if said.body is None else json.dumps(said.body).encode()
        )
        handler.send_response(said.status)
        for name, value in said.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: said.only])
        if said.only is not None:
            handler.close_connection = True


def problem(status: int, code: str, *, retry_after: int | None = None, **params: Any) -> Says:
    """A refusal as the API writes it."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Says(status, {"code": code, "detail": f"It is {code}.", "params": params}, headers)
