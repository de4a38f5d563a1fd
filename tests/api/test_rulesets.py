"""GET /v1/rulesets, GET /v1/rulesets/{id} and the calculator."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import Caller, refused


def laid(caller: Caller, ruleset: str, plays: str, **more: Any) -> Any:
    """`"55, 50>55.left"` laid in the calculator."""
    steps = []
    for play in plays.split(","):
        tile, _, end = play.strip().partition(">")
        steps.append({"tile": tile, "end": end or None})
    return caller.post(f"/rulesets/{ruleset}/layouts", {"plays": steps, **more})


def test_every_rule_set_is_listed_with_all_its_fields_and_how_it_differs(spectator: Caller) -> None:
    rulesets = spectator.get("/rulesets").get_json()["items"]
    assert rulesets[0]["id"] == "all-fives"
    assert rulesets[0]["differs"] == {}
    assert len({tuple(sorted(ruleset)) for ruleset in rulesets}) == 1
    for ruleset in rulesets:
        assert spectator.get(f"/rulesets/{ruleset['id']}").get_json() == ruleset
        assert all(ruleset[field] == value for field, value in ruleset["differs"].items())


def test_an_unknown_rule_set_is_not_found(spectator: Caller) -> None:
    refused(spectator.get("/rulesets/whist"), 404, "not_found")
    refused(laid(spectator, "whist", "55"), 404, "not_found")


def test_open_but_empty_cross_arms_count_nothing(spectator: Caller) -> None:
    answer = laid(spectator, "all-fives", "55, 50>55.left, 53>55.right, 52>55.up, 65>55.down").get_json()
    assert [(step["count"], step["points"]) for step in answer["steps"]] == [
        (10, 10),
        (10, 10),
        (3, 0),
        (5, 5),
        (11, 0),
    ]
    for step in answer["steps"]:
        assert sum(end["counts"] for end in step["ends"]) == step["count"]


def test_the_calculator_takes_a_tile_either_way_round(spectator: Caller) -> None:
    either = laid(spectator, "all-fives", "55, 05>55.left"), laid(spectator, "all-fives", "55, 50>55.left")
    assert either[0].data == either[1].data


def test_a_holding_gets_its_legal_moves(spectator: Caller) -> None:
    answer = laid(spectator, "all-fives", "55", holding=["05", "66"]).get_json()
    assert {move["tile"] for move in answer["legal_moves"]} == {"50"}


@pytest.mark.parametrize(
    ("plays", "step"), [("60, 60>60.left", 1), ("66, 65>66.left, 30>65.right", 2), ("55, 66>55.left", 1)]
)
def test_the_first_play_that_is_not_allowed_is_named(spectator: Caller, plays: str, step: int) -> None:
    answer = laid(spectator, "five-up", plays)
    assert answer.status_code == 409
    assert answer.get_json(force=True)["params"]["step"] == step


def test_house_rules_apply_to_the_calculator(spectator: Caller) -> None:
    answer = laid(spectator, "all-fives", "55", house_rules={"scoring": "none"}).get_json()
    assert answer["steps"][0]["points"] == 0
    problem = refused(laid(spectator, "all-fives", "55", house_rules={"must_play": False}), 422, "invalid")
    assert problem["errors"][0]["path"] == "/house_rules/must_play"
