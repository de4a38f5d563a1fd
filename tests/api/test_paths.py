"""Every path with every method, and paths nobody wrote: always a problem, with `Allow` where it is due."""

from __future__ import annotations

from typing import Any

import pytest

from app.api import openapi_document
from tests.api.cast import Caller, House, refused
from tests.api.test_bodies import filled

PATHS = openapi_document()["paths"]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "BREW")
OUTSIDE = ("/", "/livez", "/readyz", "/openapi.json", "/docs", "/docs/problems", "/docs/assets/docs.js")


def concrete(path: str) -> str:
    return filled(path).replace("{token_id}", "t").replace("{number}", "1").replace("{code}", "x")


@pytest.mark.parametrize("path", [*PATHS, *OUTSIDE])
def test_a_method_a_path_does_not_take_is_405_with_allow(spectator: Caller, path: str) -> None:
    documented = {
        name.upper() for name, operation in PATHS.get(path, {"get": {}}).items() if isinstance(operation, dict)
    }
    for method in METHODS:
        if method in documented:
            continue
        answer = spectator.ask(method, concrete(path))
        refused(answer, 405, "method_not_allowed")
        allowed = set(answer.headers["Allow"].split(", "))
        assert allowed == documented | {"OPTIONS"} | ({"HEAD"} if "GET" in documented else set())


@pytest.mark.parametrize("path", [*PATHS, *OUTSIDE])
def test_head_is_get_without_a_body(house: House, ann: Caller, path: str) -> None:
    if "get" not in PATHS.get(path, {"get": {}}):
        return
    got, head = ann.get(concrete(path)), ann.ask("HEAD", concrete(path))
    assert head.status_code == got.status_code
    assert head.data == b""
    assert head.content_type == got.content_type


@pytest.mark.parametrize("path", [*PATHS, *OUTSIDE])
def test_options_tells_the_methods(spectator: Caller, path: str) -> None:
    answer = spectator.ask("OPTIONS", concrete(path))
    assert answer.status_code == 200
    assert "OPTIONS" in answer.headers["Allow"]
    assert "html" not in (answer.content_type or "") or answer.data == b""


UNKNOWN = [
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v2/me",
    "/v1/me/",
    "/v1//me",
    "//v1/me",
    "/v1/tables/",
    "/v1/tables/a/b",
    "/v1/tables/a%2Fb",
    "/V1/me",
    "/v1/%2e%2e/docs",
    "/docs/",
    "/docs/assets/",
    "/docs/assets/../docs.py",
    "/docs/assets/%2e%2e%2fdocs.py",
    "/static/x",
    "/favicon.ico",
    "/%00",
    "/v1/nothing%00",
    "/v1/%ff",
    "/v1/;",
    "/v1/me;x=1",
]


@pytest.mark.parametrize("path", UNKNOWN)
def test_a_path_that_is_not_there_is_a_problem(house: House, path: str) -> None:
    for method in ("GET", "POST", "PUT", "DELETE", "TRACE", "OPTIONS"):
        answer = house.client.open(path, method=method)
        refused(answer, 404, "not_found")


TABLE_PATHS: list[tuple[str, str, Any]] = [
    ("GET", "/tables/{}", None),
    ("GET", "/tables/{}/events", None),
    ("GET", "/tables/{}/hands/1", None),
    ("GET", "/tables/{}/record", None),
    ("POST", "/tables/{}/moves", {"action": "pass"}),
    ("POST", "/tables/{}/seats", {}),
    ("POST", "/tables/{}/rematch", None),
    ("POST", "/tables/{}/invite", None),
    ("GET", "/invites/{}", None),
    ("GET", "/tickets/{}", None),
    ("POST", "/tables/{}/more-time", None),
    ("PUT", "/tables/{}/premove", {"tile": "55"}),
    ("DELETE", "/tables/{}/premove", None),
    ("DELETE", "/tickets/{}", None),
    ("POST", "/tables/{}/invitations", {"player": "x"}),
    ("GET", "/invitations/{}", None),
    ("POST", "/invitations/{}/accept", None),
    ("POST", "/invitations/{}/decline", {}),
    ("PUT", "/tables/{}/seats/1/player", {"player": "x"}),
    ("PUT", "/tables/{}/seats/1", {"level": "easy"}),
    ("DELETE", "/tables/{}/seats/1", None),
    ("DELETE", "/me/tokens/{}", None),
    ("GET", "/rulesets/{}", None),
    ("POST", "/rulesets/{}/layouts", {"plays": []}),
]
IMPOSSIBLE = ["%00", "a%00b", "%0a", "%1b%5b2J", "%7f", "%c2%85", "%ff", "%ed%a0%80", "%c0%80", "a" * 201, "a" * 5000]
UNUSUAL = [
    "unknown",
    "a" * 200,
    "%F0%9F%81%A3",
    "<svg onload=alert()>",
    "'; DROP TABLE",
    "*",
    "{t:x}",
    "..%2e",
    "%20",
    "a:b",
    "{}",
    "null",
    "0",
]


@pytest.mark.parametrize(("method", "path", "body"), TABLE_PATHS)
def test_an_id_that_cannot_be_one_is_malformed(ann: Caller, method: str, path: str, body: Any) -> None:
    for part in IMPOSSIBLE:
        options = {} if body is None else {"json": body}
        problem = refused(ann.ask(method, path.format(part), **options), 400, "malformed")
        assert len(problem["instance"]) < 1200


@pytest.mark.parametrize(("method", "path", "body"), TABLE_PATHS)
def test_an_id_that_nothing_has_is_not_found(ann: Caller, method: str, path: str, body: Any) -> None:
    for part in UNUSUAL:
        options = {} if body is None else {"json": body}
        refused(ann.ask(method, path.replace("{}", part), **options), 404, "not_found")
