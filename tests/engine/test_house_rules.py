"""House rules and what is refused (RULES.md, "RuleSet fields"): nothing that cannot be played is taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from app.engine.errors import FieldProblem, InvalidRules
from app.engine.game import new_game
from app.engine.ruleset import DESCRIPTION, RuleSet
from app.engine.rulesets import RULE_SETS, differences, resolve, target_points
from tests.engine.deals import TABLES, house_ruled


def refused(
    house_rules: dict[str, Any], ruleset: str = "all-fives", players: int = 2, seating: str | None = None
) -> list[FieldProblem]:
    try:
        resolve(ruleset, players, seating, house_rules)
    except InvalidRules as error:
        return error.problems
    return []


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("all-fives", {"deal": {"2": 15}}, "/house_rules/deal/2", "cannot_be_dealt"),
    ("all-fives", {"tiles_each": 15}, "/house_rules/tiles_each", "cannot_be_dealt"),
    ("all-fives", {"deal": {"4": 8}}, "/house_rules/deal/4", "cannot_be_dealt"),
    ("all-fives", {"deal": {"2": 0}}, "/house_rules/deal/2", "out_of_range"),
    ("all-fives", {"deal": {"2": "7"}}, "/house_rules/deal/2", "wrong_type"),
    ("all-fives", {"deal": {"2": True}}, "/house_rules/deal/2", "wrong_type"),
    ("all-fives", {"deal": {"2": 7.0}}, "/house_rules/deal/2", "wrong_type"),
    ("all-fives", {"deal": 7}, "/house_rules/deal", "wrong_type"),
    ("all-fives", {"deal": {"5": 5}}, "/house_rules/deal/5", "unknown_field"),
    ("all-fives", {"target": {"2": 0}}, "/house_rules/target/2", "out_of_range"),
    ("all-fives", {"target": {"2": 10_001}}, "/house_rules/target/2", "out_of_range"),
    ("all-fives", {"target_points": 0}, "/house_rules/target_points", "out_of_range"),
    ("all-fives", {"target_points": None}, "/house_rules/target_points", "wrong_type"),
    ("all-fives", {"target": {"six": 5}}, "/house_rules/target/six", "unknown_field"),
    ("all-fives", {"must_play": False}, "/house_rules/must_play", "unknown_field"),
    ("all-fives", {"title": "Mine"}, "/house_rules/title", "unknown_field"),
    ("all-fives", {"id": "draw"}, "/house_rules/id", "unknown_field"),
    ("all-fives", {"scoring": "none", "points_unit": 5}, "/house_rules/points_unit", "contradiction"),
    ("five-up", {"scoring": "none"}, "/house_rules/scoring", "contradiction"),
    ("all-fives", {"points_unit": 5, "round_to": 1}, "/house_rules/points_unit", "contradiction"),
    ("five-up", {"round_to": 1}, "/house_rules/round_to", "contradiction"),
    ("all-fives", {"points_unit": 2}, "/house_rules/points_unit", "not_allowed"),
    ("all-fives", {"points_unit": True}, "/house_rules/points_unit", "not_allowed"),
    ("draw", {"claim": True}, "/house_rules/claim", "contradiction"),
    ("all-fives-claim", {"scoring": "none"}, "/house_rules/scoring", "contradiction"),
    ("all-fives", {"claim": 1}, "/house_rules/claim", "not_allowed"),
    ("all-fives", {"claim": None}, "/house_rules/claim", "not_allowed"),
    ("five-up", {"lengthwise_choice": True}, "/house_rules/lengthwise_choice", "contradiction"),
    ("sniff", {"spinner": "none"}, "/house_rules/spinner", "contradiction"),
    ("all-fives", {"spinner": "two"}, "/house_rules/spinner", "not_allowed"),
    ("all-fives", {"boneyard_keep": 15}, "/house_rules/boneyard_keep", "out_of_range"),
    ("all-fives", {"boneyard_keep": -1}, "/house_rules/boneyard_keep", "out_of_range"),
    ("all-fives", {"boneyard_keep": 3, "tiles_each": 13}, "/house_rules/boneyard_keep", "out_of_range"),
    ("all-fives", {"hand_end": "own_subtracted"}, "/house_rules/hand_end", "contradiction"),
    ("muggins-british", {"max_hands": None}, "/house_rules/max_hands", "contradiction"),
    ("all-fives", {"max_hands": 0}, "/house_rules/max_hands", "out_of_range"),
    ("all-fives", {"max_hands": 1001}, "/house_rules/max_hands", "out_of_range"),
    ("all-fives", {"max_hands": "60"}, "/house_rules/max_hands", "wrong_type"),
    ("all-fives", {"wrong_call_costs": -5}, "/house_rules/wrong_call_costs", "out_of_range"),
    ("all-fives", {"seating": {"2": ["pairs"]}}, "/house_rules/seating/2", "not_allowed"),
    ("all-fives", {"seating": {"4": []}}, "/house_rules/seating/4", "not_allowed"),
    ("all-fives", {"seating": {"4": "pairs"}}, "/house_rules/seating/4", "not_allowed"),
    ("all-fives", {"seating": "pairs"}, "/house_rules/seating", "wrong_type"),
    ("all-fives", {"seating": {"5": ["solo"]}}, "/house_rules/seating/5", "unknown_field"),
    ("all-fives", {"direction": ["clockwise"]}, "/house_rules/direction", "not_allowed"),
]


@pytest.mark.parametrize(("ruleset", "house_rules", "path", "code"), REFUSED)
def test_a_wrong_house_rule_is_refused_and_named(
    ruleset: str, house_rules: dict[str, Any], path: str, code: str
) -> None:
    assert [(problem.path, problem.code) for problem in refused(house_rules, ruleset)] == [(path, code)]


def test_every_wrong_field_is_named_at_once() -> None:
    problems = refused({"must_play": False, "deal": {"2": 0}, "claim": 1})
    assert {problem.path for problem in problems} == {
        "/house_rules/must_play",
        "/house_rules/deal/2",
        "/house_rules/claim",
    }


def test_a_refusal_says_what_would_be_allowed() -> None:
    (problem,) = refused({"deal": {"2": 15}})
    assert problem.params == {"min": 1, "max": 14}
    assert "at most 14" in problem.detail
    (problem,) = refused({"spinner": "two"})
    assert problem.params == {"allowed": ["none", "first_double", "every_double"]}
    (problem,) = refused({"boneyard_keep": 15})
    assert problem.params == {"min": 0, "max": 14}
    (problem,) = refused({"mustplay": 1})
    assert "boneyard_keep" in problem.params["allowed"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("ruleset", "players", "seating", "path", "allowed"),
    [
        ("all-fives", 3, None, "/players", [2, 4]),
        ("all-fives-latin", 3, None, "/players", [2, 4]),
        ("all-fives-classic", 5, None, "/players", [2, 3, 4]),
        ("all-fives", 0, None, "/players", [2, 4]),
        ("all-fives", 2, "pairs", "/seating", ["solo"]),
        ("all-fives", 4, "solo", "/seating", ["pairs"]),
        ("all-fives-150", 4, "pairs", "/seating", ["solo"]),
        ("all-fives", 4, "teams", "/seating", ["pairs"]),
    ],
)
def test_players_and_seating_must_be_allowed(
    ruleset: str, players: int, seating: str | None, path: str, allowed: list[object]
) -> None:
    (problem,) = refused({}, ruleset, players, seating)
    assert (problem.path, problem.params["allowed"]) == (path, allowed)


def test_an_unknown_rule_set_is_refused_with_the_known_ones() -> None:
    (problem,) = refused({}, "all-sixes")
    assert problem.path == "/ruleset"
    assert problem.params["allowed"] == list(RULE_SETS)


ACCEPTED: list[dict[str, Any]] = [
    {"next_lead": "highest_double"},
    {"boneyard_keep": 2},
    {"boneyard_keep": 14},
    {"deal": {"2": 14}},
    {"tiles_each": 1},
    {"target": {"2": 10_000}},
    {"max_hands": 1},
    {"max_hands": None},
    {"hand_end": "own_subtracted", "max_hands": 60},
    {"round_to": 1},
    {"points_unit": 5},
    {"claim": True, "wrong_call_costs": 5},
    {"lengthwise_choice": True},
    {"cross_arms_open": "at_once"},
    {},
]


@pytest.mark.parametrize("house_rules", ACCEPTED, ids=str)
def test_a_good_house_rule_is_taken_over(house_rules: dict[str, Any]) -> None:
    rules, _ = resolve("all-fives", 2, None, house_rules)
    for field, value in house_rules.items():
        if field == "tiles_each":
            assert rules.deal["2"] == value
        elif isinstance(value, dict):
            assert getattr(rules, field).items() >= value.items()
        else:
            assert getattr(rules, field) == value


def test_maps_merge_by_key_and_can_open_a_new_number_of_players() -> None:
    rules, seating = resolve("all-fives", 3, None, {"deal": {"3": 6}})
    assert rules.deal == {"2": 7, "3": 6, "4": 5}
    assert seating == "solo"
    assert resolve("all-fives", 3, None, {"tiles_each": 9})[0].deal["3"] == 9


def test_the_shorthands_stand_for_this_tables_number_of_players() -> None:
    rules, seating = resolve("all-fives", 4, None, {"tiles_each": 6, "target_points": 77})
    assert (rules.deal["4"], rules.deal["2"]) == (6, 7)
    assert (rules.target["pairs"], rules.target["4"]) == (77, 200)
    assert target_points(rules, 4, seating) == 77
    solo, seating = resolve("muggins-british", 4, "solo", {"target_points": 77})
    assert (solo.target["4"], solo.target["pairs"], target_points(solo, 4, seating)) == (77, 250, 77)


def test_seating_can_be_allowed_by_a_house_rule() -> None:
    assert resolve("all-fives", 4, "solo", {"seating": {"4": ["pairs", "solo"]}})[1] == "solo"
    assert resolve("all-fives", 4, None, {"seating": {"4": ["solo", "pairs"]}})[1] == "solo"


def test_a_game_says_what_it_is_played_by() -> None:
    started = new_game("all-fives", 2, None, {"boneyard_keep": 2, "target_points": 100})
    assert started.ruleset.house_rules == {"boneyard_keep": 2, "target_points": 100}
    assert (started.rules.boneyard_keep, started.target, started.seating) == (2, 100, "solo")


ROWS = {
    "all-fives": ({"2": 7, "4": 5}, {(2, "solo"): 250, (4, "pairs"): 200}),
    "all-fives-classic": ({"2": 9, "3": 7, "4": 5}, {(2, "solo"): 250, (3, "solo"): 200, (4, "pairs"): 200}),
    "muggins-british": (
        {"2": 7, "3": 5, "4": 5},
        {(2, "solo"): 250, (3, "solo"): 200, (4, "solo"): 200, (4, "pairs"): 250},
    ),
    "five-up": ({"2": 5, "3": 5, "4": 5}, {(2, "solo"): 61, (3, "solo"): 61, (4, "pairs"): 61}),
    "sniff": ({"2": 7, "3": 6, "4": 5}, {(2, "solo"): 250, (3, "solo"): 200, (4, "pairs"): 200}),
    "all-fives-latin": ({"2": 7, "4": 7}, {(2, "solo"): 250, (4, "pairs"): 200}),
    "all-fives-claim": ({"2": 7, "4": 5}, {(2, "solo"): 250, (4, "pairs"): 200}),
    "all-fives-150": ({"2": 7, "3": 6, "4": 5}, {(2, "solo"): 150, (3, "solo"): 150, (4, "solo"): 150}),
    "draw": ({"2": 7, "3": 6, "4": 5}, {(2, "solo"): 100, (3, "solo"): 100, (4, "solo"): 100}),
    "block": ({"2": 7, "3": 6, "4": 5}, {(2, "solo"): 100, (3, "solo"): 100, (4, "solo"): 100}),
}


def test_the_rule_sets_are_those_of_the_table_in_its_order() -> None:
    assert list(RULE_SETS) == list(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_a_rule_set_deals_and_ends_as_its_row_says(name: str) -> None:
    deal, targets = ROWS[name]
    rules = RULE_SETS[name]
    assert rules.deal == deal
    tables = [(players, seating) for ruleset, players, seating in TABLES if ruleset == name]
    assert {table: target_points(rules, *table) for table in tables} == targets


DIFFERS = {
    "all-fives-classic": {"deal"},
    "muggins-british": {"deal", "seating", "spinner", "hand_end", "target", "max_hands"},
    "five-up": {"deal", "spinner", "points_unit", "target"},
    "sniff": {"deal", "lengthwise_choice"},
    "all-fives-latin": {"deal", "direction", "first_lead", "next_lead"},
    "all-fives-claim": {"claim"},
    "all-fives-150": {
        *("deal", "seating", "first_lead", "next_lead", "cross_arms_open", "hand_end", "block_tie", "target"),
    },
    "draw": {
        *("deal", "seating", "first_lead", "next_lead", "spinner", "scoring", "hand_end", "round_to", "block_tie"),
        "target",
    },
}


@pytest.mark.parametrize("name", DIFFERS)
def test_a_rule_set_differs_from_all_fives_only_where_its_row_says(name: str) -> None:
    assert set(differences(RULE_SETS[name])) == DIFFERS[name]


def test_block_is_draw_without_drawing() -> None:
    differing = differences(RULE_SETS["block"])
    assert differing.pop("drawing") is False
    assert differing == differences(RULE_SETS["draw"])


def test_every_rule_set_is_described() -> None:
    for name, rules in RULE_SETS.items():
        assert rules.id == name
        assert all(getattr(rules, field) for field in DESCRIPTION)
        assert set(rules.target) == {"2", "3", "4", "pairs"}


@given(chosen=house_ruled())
@settings(max_examples=200, deadline=None)
def test_house_rules_change_what_they_name_and_nothing_else(
    chosen: tuple[str, int, str | None, dict[str, Any]],
) -> None:
    name, players, seating, house_rules = chosen
    rules, _ = resolve(name, players, seating, house_rules)
    named = {{"tiles_each": "deal", "target_points": "target"}.get(field, field) for field in house_rules}
    changed = {field for field in RuleSet.__struct_fields__ if getattr(rules, field) != getattr(RULE_SETS[name], field)}
    assert changed <= named
