"""Headers of every response, and requests from pages of other origins."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House

ANSWERS = [
    "/livez",
    "/openapi.json",
    "/docs",
    "/v1/options",
    "/v1/me",
    "/v1/tables?limit=x",
    "/v1/nothing",
    "/nothing",
    "/v1/tables/%00",
]


@pytest.mark.parametrize("path", ANSWERS)
def test_every_response_has_its_request_id_its_time_and_its_guards(house: House, path: str) -> None:
    headers = house.client.get(path).headers
    assert len(headers["X-Request-Id"]) == 16
    assert headers["X-Server-Time"].isdigit()
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "Cache-Control" in headers
    assert "Vary" in headers


@pytest.mark.parametrize("path", ["/v1/options", "/v1/me", "/v1/nothing"])
def test_what_the_api_says_is_kept_by_nobody(house: House, path: str) -> None:
    headers = house.client.get(path).headers
    assert headers["Cache-Control"] == "private, no-store"
    assert headers["Vary"] == "Authorization, Accept"


def test_a_sane_request_id_is_taken_over(house: House) -> None:
    assert house.client.get("/livez", headers={"X-Request-Id": "app-7.3_x"}).headers["X-Request-Id"] == "app-7.3_x"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "é", '"><script>', "a/b"])
def test_another_request_id_is_replaced(house: House, sent: str) -> None:
    assert house.client.get("/livez", headers={"X-Request-Id": sent}).headers["X-Request-Id"] != sent


def test_the_server_time_is_the_store_s(house: House) -> None:
    now = house.room.clock.now.timestamp() * 1000
    assert abs(int(house.client.get("/livez").headers["X-Server-Time"]) - now) < 60_000


@pytest.mark.parametrize("path", ["/v1/options", "/v1/me", "/v1/nothing", "/v1/tables/%00"])
def test_pages_of_any_origin_may_read_answers_and_errors(house: House, path: str) -> None:
    headers = house.client.get(path, headers={"Origin": "https://example.org"}).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in headers
    exposed = headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Request-Id", "X-Server-Time"} <= set(exposed)


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/players", "POST"),
        ("/v1/tables/x/moves", "POST"),
        ("/v1/tables/x/seats/1", "PUT"),
        ("/v1/me", "DELETE"),
        ("/v1/me", "PATCH"),
    ],
)
def test_a_preflight_allows_what_the_api_uses(house: House, path: str, method: str) -> None:
    answer = house.client.options(
        path,
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-none-match",
        },
    )
    assert (answer.status_code, answer.data) == (204, b"")
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id", "event-types"} <= set(
        allowed
    )
    assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
    assert int(answer.headers["Access-Control-Max-Age"]) > 0


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/docs"])
def test_outside_the_api_other_origins_get_no_leave(house: House, path: str) -> None:
    answer = house.client.get(path, headers={"Origin": "https://example.org"})
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_an_answer_with_a_token_is_never_kept(spectator: Caller) -> None:
    answer = spectator.post("/players", {"name": "Ana"})
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in answer.headers
