"""The document and the page to read and try it; everything the page loads is served from here."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as WerkzeugResponse

from app.api.document import openapi_document
from app.api.problems import KINDS

STATIC = Path(__file__).parent / "static"
ASSETS = {
    "swagger-ui-bundle.js": ("swagger-ui", "text/javascript; charset=utf-8"),
    "swagger-ui.css": ("swagger-ui", "text/css; charset=utf-8"),
    "docs.js": ("docs", "text/javascript; charset=utf-8"),
    "docs.css": ("docs", "text/css; charset=utf-8"),
    "icon.svg": ("docs", "image/svg+xml"),
}
"""Everything under /docs/assets, with its folder and type; there is nothing else to find."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SHORT = "public, max-age=300"

blueprint = Blueprint("docs", __name__)


@blueprint.get("/openapi.json")
def openapi_json() -> Response:
    """The OpenAPI document; `?events=flat` for generators that cannot read a union."""
    flat = request.args.get("events") == "flat"
    return _cached(_document("flat" if flat else "typed"), "application/json")


@blueprint.get("/")
def front_door() -> WerkzeugResponse:
    """Whoever types the bare address into a browser comes to the page."""
    response = redirect("/docs", 302)
    response.headers["Cache-Control"] = SHORT
    response.headers["Vary"] = "Accept-Encoding"
    return response


@blueprint.get("/docs")
def page() -> Response:
    return _html(_text("docs", "index.html"))


@blueprint.get("/docs/problems")
def problems_page() -> Response:
    """What every problem's `type` points to."""
    rows = "".join(
        f'<tr id="{code}"><td><code>{code.replace("_", "_<wbr>")}</code></td>'
        f"<td>{kind.status}</td><td>{escape(kind.title)}</td></tr>"
        for code, kind in KINDS.items()
    )
    return _html(_text("docs", "problems.html").replace("<!-- rows -->", rows))


@blueprint.get("/docs/assets/<name>")
def asset(name: str) -> Response:
    if name not in ASSETS:
        abort(404)
    folder, media_type = ASSETS[name]
    return _cached(_bytes(folder, name), media_type)


def _html(text: str) -> Response:
    response = _cached(text.encode(), "text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


def _cached(body: bytes, media_type: str) -> Response:
    response = Response(body, content_type=media_type)
    response.headers["Cache-Control"] = SHORT
    response.headers["Vary"] = "Accept-Encoding"
    response.add_etag()
    response.make_conditional(request)
    return response


@cache
def _document(events: str) -> bytes:
    return json.dumps(openapi_document(events), ensure_ascii=False, separators=(",", ":")).encode()


@cache
def _bytes(folder: str, name: str) -> bytes:
    return (STATIC / folder / name).read_bytes()


def _text(folder: str, name: str) -> str:
    return _bytes(folder, name).decode()
