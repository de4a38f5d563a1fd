"""Bodies that cannot be read, at every address that takes one: refused with what is wrong and where."""

from __future__ import annotations

import io
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from app.api import openapi_document
from app.api.problems import KINDS
from tests.api.cast import Caller, House, refused

JSON = "application/json"
TAKES_A_BODY = [
    (method.upper(), path)
    for path, operations in openapi_document()["paths"].items()
    for method, operation in operations.items()
    if isinstance(operation, dict) and "requestBody" in operation
]
POSTS_WITHOUT_A_BODY = [
    path
    for path, operations in openapi_document()["paths"].items()
    if "post" in operations and "requestBody" not in operations["post"]
]
WITH_REQUIRED_BODY = [
    (method, path)
    for method, path in TAKES_A_BODY
    if openapi_document()["paths"][path][method.lower()]["requestBody"].get("required")
]
UNREADABLE: dict[str, bytes] = {
    "cut off": b'{"name": "Ana"',
    "a brace": b"{",
    "a word": b"hello",
    "two objects": b"{}{}",
    "single quotes": b"{'name': 'Ana'}",
    "a comma too many": b'{"name": "Ana",}',
    "a list": b"[]",
    "a number": b"5",
    "null": b"null",
    "a string": b'"Ana"',
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "an overlong encoding": b'{"name": "\xc0\x80"}',
    "a surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "UTF-16": '{"name": "Ana"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "Ana"}',
    "a NUL byte": b'{"name": "A\x00na"}',
    "only NUL": b"\x00",
    "an escaped NUL": b'{"name": "A\\u0000na"}',
    "an escaped NUL in a field's name": b'{"na\\u0000me": "Ana"}',
    "half a surrogate pair": b'{"name": "\\ud800"}',
    "the other half": b'{"name": "x\\udc00y"}',
    "a field twice": b'{"name": "Ana", "name": "Bob"}',
    "a field twice, deep inside": b'{"a": [{"b": {"c": 1, "c": 1}}]}',
    "a field twice, once escaped": b'{"name": "Ana", "n\\u0061me": "Bob"}',
    "NaN": b'{"name": NaN}',
    "infinity": b'{"name": -Infinity}',
    "a tower of lists": b'{"name": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "a tower of objects": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "an endless tower": b"[" * 60_000,
    "a tower behind a quote": b'{"a\\"": ' + b"[" * 5_000 + b"}",
    "a huge number": b'{"name": ' + b"9" * 60_000 + b"}",
    "white space": b"  \r\n\t",
}


STANDS_FOR = {
    "table_id": "unknown",
    "seat": "1",
    "ruleset_id": "all-fives",
    "invitation_id": "unknown-1",
    "ticket_id": "unknown-1",
    "number": "1",
    "token_id": "unknown",
    "player_id": "unknown",
    "code": "unknown",
}


def filled(path: str) -> str:
    for name, value in STANDS_FOR.items():
        path = path.replace(f"{{{name}}}", value)
    return path


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_body_is_malformed_everywhere_and_before_anything_else(spectator: Caller, body: bytes) -> None:
    for method, path in TAKES_A_BODY:
        problem = refused(spectator.ask(method, filled(path), data=body, content_type=JSON), 400, "malformed")
        assert "Ana" not in str(problem)
        assert len(problem["detail"]) < 200


@pytest.mark.parametrize(("method", "path"), WITH_REQUIRED_BODY)
def test_an_empty_body_where_fields_are_needed_is_malformed(spectator: Caller, method: str, path: str) -> None:
    refused(spectator.ask(method, filled(path), data=b"", content_type=JSON), 400, "malformed")


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "application/octet-stream",
        "json",
        "application/json\x7f",
        ";;;",
    ],
)
def test_a_body_that_is_not_said_to_be_json_is_refused(spectator: Caller, content_type: str | None) -> None:
    for method, path in TAKES_A_BODY:
        headers = {} if content_type is None else {"Content-Type": content_type}
        answer = spectator.ask(method, filled(path), data=b'{"name": "Ana"}', headers=headers)
        refused(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "content_type", [JSON, "application/json; charset=UTF-8", "Application/JSON", "application/vnd.x+json"]
)
def test_json_by_any_of_its_names_is_read(spectator: Caller, content_type: str) -> None:
    answer = spectator.post("/players", data=b'{"name": "Ana"}', content_type=content_type)
    assert answer.status_code == 201


def test_a_compressed_body_is_not_read(spectator: Caller) -> None:
    answer = spectator.post("/players", data=b"x", content_type=JSON, headers={"Content-Encoding": "gzip"})
    refused(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1_000_000, 5_000_000])
def test_a_body_above_the_limit_is_too_large(spectator: Caller, size: int) -> None:
    for method, path in TAKES_A_BODY:
        body = b'{"name": "' + b"a" * (size - 12) + b'"}'
        problem = refused(spectator.ask(method, filled(path), data=body, content_type=JSON), 413, "too_large")
        assert problem["params"] == {"limit": 64 * 1024}


def test_a_body_at_the_limit_is_read(spectator: Caller) -> None:
    body = b'{"name": "Ana"' + b" " * (64 * 1024 - 15) + b"}"
    assert len(body) == 64 * 1024
    assert spectator.post("/players", data=body, content_type=JSON).status_code == 201


def test_a_body_without_an_announced_length_is_measured_too(house: House) -> None:
    body = b'{"name": "' + b"a" * 200_000 + b'"}'
    builder = EnvironBuilder("/v1/players", method="POST", input_stream=io.BytesIO(body), content_type=JSON)
    environ = builder.get_environ()
    environ.pop("CONTENT_LENGTH", None)
    environ["HTTP_TRANSFER_ENCODING"] = "chunked"
    environ["wsgi.input_terminated"] = True
    body_parts, status, headers = run_wsgi_app(house.app, environ)
    assert status.startswith("413")
    assert headers["Content-Type"] == "application/problem+json"
    assert b'"too_large"' in b"".join(body_parts)


@pytest.mark.parametrize(("method", "path"), TAKES_A_BODY)
def test_a_body_shorter_than_promised_is_malformed(house: House, method: str, path: str) -> None:
    builder = EnvironBuilder(filled(path), method=method, input_stream=io.BytesIO(b'{"name":"A"}'), content_type=JSON)
    for ended in (False, True):
        environ = builder.get_environ() | {"CONTENT_LENGTH": "100"} | ({"wsgi.input_terminated": True} if ended else {})
        environ["wsgi.input"].seek(0)
        body_parts, status, _ = run_wsgi_app(house.app, environ)
        assert status.startswith("400")
        assert b'"malformed"' in b"".join(body_parts)


def test_a_body_that_breaks_off_while_it_is_read_is_malformed(house: House) -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError

        readinto = read  # type: ignore[assignment]

    builder = EnvironBuilder("/v1/players", method="POST", input_stream=Broken(), content_type=JSON)
    environ = builder.get_environ() | {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    environ.pop("CONTENT_LENGTH", None)
    body_parts, status, _ = run_wsgi_app(house.app, environ)
    assert status.startswith("400")
    assert b'"malformed"' in b"".join(body_parts)


def test_where_the_error_is_is_said(spectator: Caller) -> None:
    problem = refused(spectator.post("/players", data=b'{\n  "name": }', content_type=JSON), 400, "malformed")
    assert problem["params"] == {"line": 2, "column": 11}
    problem = refused(spectator.post("/players", data=b'{"a": "\xff"}', content_type=JSON), 400, "malformed")
    assert problem["params"] == {"byte": 7}


def test_brackets_inside_strings_are_no_nesting(spectator: Caller) -> None:
    assert spectator.post("/players", {"name": "[" * 30}).status_code == 201
    assert spectator.post("/players", {"name": '[\\"{[' * 6}).status_code == 201


def test_a_pair_of_surrogates_is_one_character(spectator: Caller) -> None:
    answer = spectator.post("/players", data=b'{"name": "\\ud83c\\udc63"}', content_type=JSON)
    assert answer.get_json()["player"]["name"] == "\U0001f063"


@pytest.mark.parametrize("body", [b"", b"x" * 100, b"\xff" * 100_000])
def test_a_body_of_a_get_or_a_delete_is_not_looked_at(house: House, ann: Caller, body: bytes) -> None:
    for method, path in (("GET", "/me"), ("GET", "/tables"), ("DELETE", "/me/tokens/x")):
        answer = ann.ask(method, path, data=body, content_type=JSON)
        assert answer.status_code in (200, 404)


@pytest.mark.parametrize("path", POSTS_WITHOUT_A_BODY)
class TestAPostThatTakesNoBody:
    """Judged before who asks and what for, like every other body: nothing, or an empty object."""

    @pytest.mark.parametrize("content_type", [None, "", JSON, "text/plain"])
    def test_takes_an_empty_one_of_any_media_type(self, ann: Caller, path: str, content_type: str | None) -> None:
        headers = {} if content_type is None else {"Content-Type": content_type}
        assert ann.post(filled(path), data=b"", headers=headers).status_code in (201, 404)

    def test_takes_an_empty_object(self, ann: Caller, path: str) -> None:
        assert ann.post(filled(path), {}).status_code in (201, 404)

    @pytest.mark.parametrize(
        ("body", "content_type", "code"),
        [
            *((body, JSON, "malformed") for body in UNREADABLE.values()),
            (b"hello", "text/plain", "unsupported_media_type"),
            (b"{}", "text/plain", "unsupported_media_type"),
            (b"{}", "", "unsupported_media_type"),
            (b" " * 3_000_000, JSON, "too_large"),
        ],
    )
    def test_refuses_any_other_before_anything_else(
        self, spectator: Caller, path: str, body: bytes, content_type: str, code: str
    ) -> None:
        refused(spectator.post(filled(path), data=body, content_type=content_type), KINDS[code].status, code)

    def test_names_fields_as_unknown(self, ann: Caller, path: str) -> None:
        problem = refused(ann.post(filled(path), {"a/b~c": 1, "expected_version": 1}), 422, "invalid")
        told = sorted((error["path"], error["code"]) for error in problem["errors"])
        assert told == [("/a~1b~0c", "unknown_field"), ("/expected_version", "unknown_field")]


def test_a_body_that_may_be_left_out_is_the_empty_object_to_a_key(house: House, ann: Caller) -> None:
    table, other, key = house.open_table(), house.open_table(), {"Idempotency-Key": "one"}
    first = ann.post(f"/tables/{table}/invite", headers=key).get_json()["invite_code"]
    again = ann.post(f"/tables/{table}/invite", {}, headers=key)
    assert (again.headers["Idempotent-Replayed"], again.get_json()["invite_code"]) == ("true", first)
    refused(ann.post(f"/tables/{other}/invite", headers=key), 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("path", "more"), [("/tables", {}), ("/tickets", {}), ("/rulesets/all-fives/layouts", {"plays": []})]
)
def test_house_rules_nobody_knows_are_named_like_any_other_field(ann: Caller, path: str, more: dict[str, Any]) -> None:
    long, odd = "zz" + "x" * 5000, "a/b~c\n"
    inside = {"deal": {odd: 1, long: 1}, "seating": {odd: ["solo"], long: ["solo"]}}
    for house_rules, where in (({long: 1, odd: 1}, ""), *(({name: inside[name]}, f"/{name}") for name in inside)):
        problem = refused(ann.post(path, {"house_rules": house_rules, **more}), 422, "invalid")
        assert f"/house_rules{where}/a~1b~0c\n" in [error["path"] for error in problem["errors"]]
        assert all(len(error["path"]) < 100 for error in problem["errors"])
        assert len(problem["detail"]) < 1000
    many = {f"rule {number}": 1 for number in range(3000)}
    problem = refused(ann.post(path, {"house_rules": many, **more}), 422, "invalid")
    assert len(problem["errors"]) <= 20


@pytest.mark.parametrize(("method", "path"), TAKES_A_BODY)
def test_fields_nobody_knows_are_named_and_never_echoed_at_length(ann: Caller, method: str, path: str) -> None:
    body: dict[str, Any] = {"zz" + "x" * 5000: 1, "a/b~c": {"deep": 1}, "é\n": 1, "<b>": 1}
    problem = refused(ann.ask(method, filled(path), json=body), 422, "invalid")
    assert "/a~1b~0c" in [error["path"] for error in problem["errors"]]
    assert all(len(error["path"]) < 100 for error in problem["errors"])
    assert "deep" not in str(problem)
