"""Headers that go with every response, and the requests browsers send ahead of others (CORS)."""

from __future__ import annotations

import re
import secrets

from flask import Flask, Response, g, request

from app.api.server_clock import ServerClock

ALLOWED = "Authorization, Content-Type, Event-Types, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
"""Request headers that pages of other origins may send."""
EXPOSED = "Allow, ETag, Idempotent-Replayed, Location, Retry-After, WWW-Authenticate, X-Request-Id, X-Server-Time"
"""Response headers that pages of other origins may read."""
METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
API_POLICY = "default-src 'none'; frame-ancestors 'none'"

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def register(app: Flask, clock: ServerClock) -> None:
    def begin() -> Response | None:
        sent = request.headers.get("X-Request-Id", "")
        g.request_id = sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(8)
        return _preflight() if _is_preflight() else None

    def finish(response: Response) -> Response:
        headers = response.headers
        headers["X-Request-Id"] = g.get("request_id") or secrets.token_hex(8)
        headers["X-Server-Time"] = str(clock.milliseconds())
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers.setdefault("Content-Security-Policy", API_POLICY)
        headers.setdefault("Cache-Control", "private, no-store")
        headers.setdefault("Vary", "Authorization, Accept")
        if _is_open_to_all_origins():
            headers["Access-Control-Allow-Origin"] = "*"
            headers["Access-Control-Expose-Headers"] = EXPOSED
        return response

    app.before_request(begin)
    app.after_request(finish)


def _is_open_to_all_origins() -> bool:
    return request.path.startswith("/v1/") or request.path == "/openapi.json"


def _is_preflight() -> bool:
    return (
        request.method == "OPTIONS"
        and _is_open_to_all_origins()
        and "Access-Control-Request-Method" in request.headers
        and request.routing_exception is None
    )


def _preflight() -> Response:
    response = Response(status=204, content_type=None)
    response.headers["Access-Control-Allow-Methods"] = METHODS
    response.headers["Access-Control-Allow-Headers"] = ALLOWED
    response.headers["Access-Control-Max-Age"] = "86400"
    return response
