"""Errors: one shape, every code of the contract, and nothing told that is nobody's business."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app.api.problems import KINDS
from app.tables.ports import StoreUnavailable
from app.tables.refusals import Refusal
from tests.api.cast import Caller, House, refused

APP = Path(__file__).parents[2] / "app"
RAISES = {"Refusal", "RuleViolation"}


def codes_raised() -> dict[str, Path]:
    """Every code that a use case or the engine is written to refuse with."""
    found: dict[str, Path] = {}
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISES):
                continue
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                found[node.args[0].value] = path
    return found


def test_every_code_anyone_raises_has_its_status() -> None:
    raised = codes_raised()
    assert len(raised) > 10
    assert not {code: path for code, path in raised.items() if code not in KINDS}


def test_every_problem_has_its_line_on_the_page_its_type_points_to(spectator: Caller) -> None:
    page = spectator.get("/docs/problems").text
    for code, kind in KINDS.items():
        assert f'id="{code}"' in page
        assert kind.title in page


def test_a_bug_tells_nothing_but_its_request_id_and_is_logged_with_it(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[str]:
        raise ZeroDivisionError("the secret is 42")

    house.app.view_functions["health.readyz"] = broken
    answer = house.client.get("/readyz", headers={"X-Request-Id": "abc-1"})
    problem = refused(answer, 500, "internal")
    assert "42" not in answer.text
    assert "ZeroDivision" not in answer.text
    assert problem["request_id"] == "abc-1"
    (record,) = [record for record in caplog.records if record.name == "app.api.problems"]
    assert "abc-1" in record.getMessage()
    assert record.exc_info


def test_a_store_that_is_away_is_503_with_retry_after(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_token: str) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(house.wired.players, "by_token", away)
    answer = house.ann.get("/me")
    problem = refused(answer, 503, "store_unavailable")
    assert answer.headers["Retry-After"] == "1"
    assert problem["params"] == {"retry_after": 1}


def test_the_server_time_survives_a_store_that_is_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise StoreUnavailable

    monkeypatch.setattr(house.room.store, "now", away)
    assert house.client.get("/livez").status_code == 200


def test_too_many_requests_say_when_to_come_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: str) -> None:
        raise Refusal("rate_limited", "Too many new players from here.", params={"retry_after": 30})

    monkeypatch.setattr(house.wired.players, "register", busy)
    answer = house.spectator.post("/players", {"name": "Ana"})
    refused(answer, 429, "rate_limited")
    assert answer.headers["Retry-After"] == "30"


def test_a_service_that_is_not_ready_says_what_is_missing(house: House) -> None:
    assert house.client.get("/readyz").get_json() == {"status": "ok"}
    house.problems.append("The store does not answer.")
    answer = house.client.get("/readyz")
    problem = refused(answer, 503, "not_ready")
    assert problem["params"] == {"problems": ["The store does not answer."]}
    assert answer.headers["Retry-After"] == "1"
    assert house.client.get("/livez").status_code == 200


@pytest.mark.parametrize("host", ["a b", "x" * 3000, "[::1", "é"])
def test_a_strange_host_is_no_reason_to_fall_over(client_of: FlaskClient, host: str) -> None:
    answer = client_of.get("/v1/options", headers={"Host": host})
    assert answer.status_code in (200, 400)
    assert "html" not in answer.content_type


@pytest.fixture
def client_of(house: House) -> FlaskClient:
    return house.client


def test_no_token_is_ever_written_to_the_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    house.ann.get("/me")
    refused(house.spectator.get("/me", headers={"Authorization": "Bearer a5_wrong"}), 401, "unauthenticated")
    assert house.ann.token is not None
    assert not re.search(f"a5_wrong|{re.escape(house.ann.token)}", caplog.text)
