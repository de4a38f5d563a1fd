"""POST /v1/players."""

from __future__ import annotations

import unicodedata

import pytest
from werkzeug.test import TestResponse

from app.tables.names import clean
from app.tables.players import NEWCOMERS
from app.tables.refusals import Refusal
from tests.api.cast import Caller, House, refused


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


IGNORED: list[int | range] = [
    *(0xAD, 0x34F, 0x61C, range(0x115F, 0x1161), 0x17B4, 0x17B5, range(0x180B, 0x1810), range(0x200B, 0x2010)),
    *(range(0x202A, 0x202F), range(0x2060, 0x2070), 0x3164, range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0),
    *(range(0xFFF0, 0xFFF9), range(0x1BCA0, 0x1BCA4), range(0x1D173, 0x1D17B), range(0xE0000, 0xE1000)),
]
"""Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt)."""
BLANKS = ["\u2800", "\U0001d159", "\U00013441", "\U00013442"]
"""Symbols and letters whose picture is empty."""


def test_what_shows_nothing_is_no_part_of_a_name() -> None:
    ignored = [chr(code) for codes in IGNORED for code in ([codes] if isinstance(codes, int) else codes)]
    for unseen in (*ignored, *BLANKS):
        for name in (unseen, f"A{unseen}"):
            if name[0] == "A" and "VARIATION SELECTOR" in unicodedata.name(unseen, ""):
                continue  # it chooses the form of what precedes it
            with pytest.raises(Refusal):
                clean(name)


def test_an_emoji_keeps_what_makes_it_one(spectator: Caller) -> None:
    assert spectator.post("/players", {"name": "Ana \u2764\ufe0f"}).get_json()["player"]["name"] == "Ana \u2764\ufe0f"


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u3000", " \u2009"])
def test_spaces_inside_are_single_whatever_their_width(spectator: Caller, space: str) -> None:
    answer = spectator.post("/players", {"name": f"{space}Ana{space}{space}Bo{space}"})
    assert answer.get_json()["player"]["name"] == "Ana Bo"


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


def test_a_household_makes_so_many_players_an_hour_by_either_way(house: House, ann: Caller) -> None:
    def asked(path: str, address: str, caller: Caller = house.spectator) -> TestResponse:
        return caller.post(path, {"name": "Ana"}, environ_base={"REMOTE_ADDR": address})

    for number in range(NEWCOMERS.at_most // 2):
        assert asked("/players", f"2001:db8::{number:x}").status_code == 201
        house.room.attempts.take("newcomer", "address 2001:db8::", NEWCOMERS.at_most, NEWCOMERS.seconds)
    before = len(house.room.register._players)
    for path in ("/players", "/practice"):
        answer = asked(path, "2001:db8::7")
        assert "new players" in refused(answer, 429, "rate_limited")["detail"]
        assert answer.headers["Retry-After"] == str(NEWCOMERS.seconds)
    assert len(house.room.register._players) == before
    assert asked("/practice", "2001:db8:0:1::7").status_code == 201, "the neighbours may"
    assert asked("/practice", "2001:db8::7", ann).status_code == 201, "and who has a token makes nobody"
    house.room.clock.advance(NEWCOMERS.seconds)
    assert asked("/players", "2001:db8::7").status_code == 201


def test_players_made_by_practice_are_counted_and_what_is_refused_is_not(house: House, spectator: Caller) -> None:
    there = {"REMOTE_ADDR": "192.0.2.7"}
    for _ in range(NEWCOMERS.at_most - 1):
        house.room.attempts.take("newcomer", "address 192.0.2.7", NEWCOMERS.at_most, NEWCOMERS.seconds)
    refused(spectator.post("/players", {"name": " "}, environ_base=there), 422, "invalid")
    refused(spectator.post("/practice", {"level": "nobody's"}, environ_base=there), 422, "invalid")
    assert spectator.post("/practice", environ_base=there).status_code == 201
    refused(spectator.post("/players", {"name": "Ana"}, environ_base=there), 429, "rate_limited")


def test_an_old_token_does_not_matter_when_a_player_is_made(ann: Caller) -> None:
    answer = ann.post("/players", {"name": "Zoe"}, headers={"Authorization": "Bearer gone"})
    assert answer.status_code == 201
