"""POST /v1/players."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, refused


def test_a_player_is_made_with_a_name_and_gets_a_token(spectator: Caller) -> None:
    answer = spectator.post("/players", {"name": " Ana  María ", "kind": "bot"})
    assert answer.status_code == 201
    assert answer.json is not None
    assert answer.json["player"]["name"] == "Ana María"
    assert answer.json["player"]["kind"] == "bot"
    assert answer.json["token"].startswith("a5_")


def test_two_players_may_have_the_same_name_and_are_two_players(spectator: Caller) -> None:
    first, second = (spectator.post("/players", {"name": "Ana"}).get_json() for _ in range(2))
    assert first["player"]["id"] != second["player"]["id"]
    assert first["token"] != second["token"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\t",
        "a" * 33,
        "a" * 10_000,
        "a\nb",
        "\u202eevil",
        "\u200b\u200b",
        "a\u0007",
        "x\u2066y",
        "\ue000",
        "a" + "\u0301" * 6,
    ],
)
def test_a_name_that_other_screens_cannot_show_is_refused_with_the_rule(spectator: Caller, name: str) -> None:
    problem = refused(spectator.post("/players", {"name": name}), 422, "invalid")
    assert problem["errors"][0]["path"] == "/name"
    assert "32" in problem["detail"] or "500" in problem["detail"]


@pytest.mark.parametrize("name", ["<svg/onload=alert()>", '"><img src=x onerror=1>', "O'Neill & Söhne", "花子", "🁣"])
def test_a_name_that_looks_like_markup_is_text(spectator: Caller, name: str) -> None:
    answer = spectator.post("/players", {"name": name})
    assert answer.status_code == 201
    assert answer.get_json()["player"]["name"] == name
    assert answer.content_type == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", [None, 5, True, ["Ana"], {"a": 1}])
def test_a_name_is_a_string(spectator: Caller, name: object) -> None:
    problem = refused(spectator.post("/players", {"name": name}), 422, "invalid")
    assert problem["errors"][0]["path"] == "/name"


def test_an_unknown_field_is_named_with_those_that_exist(spectator: Caller) -> None:
    problem = refused(spectator.post("/players", {"name": "Ana", "email": "a@example.org"}), 422, "invalid")
    (error,) = problem["errors"]
    assert (error["path"], error["code"]) == ("/email", "unknown_field")
    assert error["params"]["allowed"] == ["name", "kind"]
    assert "example.org" not in str(problem)


def test_an_old_token_does_not_matter_when_a_player_is_made(ann: Caller) -> None:
    answer = ann.post("/players", {"name": "Zoe"}, headers={"Authorization": "Bearer gone"})
    assert answer.status_code == 201
