"""House rules that others leave without effect: kept as they were sent, and the game is the same."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.house_rules import as_played
from app.engine.rulesets import RULE_SETS, resolve
from tests.engine.deals import played

MOOT: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    ("all-fives", 2, {}, {"wrong_call_costs": 10}),
    ("all-fives", 2, {"drawing": False}, {"boneyard_keep": 3}),
    ("block", 3, {}, {"boneyard_keep": 2}),
    ("all-fives", 2, {"spinner": "none"}, {"cross_arms_open": "at_once"}),
    ("muggins-british", 4, {}, {"cross_arms_open": "at_once"}),
    ("all-fives", 2, {}, {"direction": "counterclockwise"}),
    ("all-fives", 2, {}, {"deal": {"4": 6}, "target": {"4": 10, "pairs": 10}, "max_hands": 1000}),
    ("all-fives", 4, {}, {"deal": {"2": 3}, "target": {"2": 10}, "seating": {"4": ["pairs", "solo"]}}),
]
"""Rule set, players, house rules, and what has no effect beside them."""
FELT: list[tuple[str, int, dict[str, Any]]] = [
    ("all-fives-claim", 2, {"wrong_call_costs": 10}),
    ("all-fives", 2, {"boneyard_keep": 3}),
    ("all-fives", 2, {"cross_arms_open": "at_once"}),
    ("all-fives", 4, {"direction": "counterclockwise"}),
    ("all-fives", 2, {"deal": {"2": 6}}),
    ("all-fives", 4, {"target": {"pairs": 10}}),
    ("all-fives", 4, {"seating": {"4": ["solo"]}}),
    ("all-fives", 3, {"deal": {"3": 5}}),
    ("muggins-british", 2, {"max_hands": None, "hand_end": "opponents_total"}),
]


@pytest.mark.parametrize(("ruleset", "players", "house_rules", "moot"), MOOT)
def test_what_has_no_effect_is_taken_over_and_the_game_is_the_same(
    ruleset: str, players: int, house_rules: dict[str, Any], moot: dict[str, Any]
) -> None:
    without, seating = resolve(ruleset, players, None, house_rules)
    rules, _ = resolve(ruleset, players, None, {**house_rules, **moot})
    assert rules != without, "kept as it was sent"
    assert as_played(rules, players, seating) == as_played(without, players, seating)
    for seed in range(5):
        *_, plain = played(ruleset, players, None, house_rules, seed)
        *_, same = played(ruleset, players, None, {**house_rules, **moot}, seed)
        assert same.log[1:] == plain.log[1:]


@pytest.mark.parametrize(("ruleset", "players", "house_rules"), FELT)
def test_what_has_an_effect_is_another_game(ruleset: str, players: int, house_rules: dict[str, Any]) -> None:
    rules, seating = resolve(ruleset, players, None, house_rules)
    assert as_played(rules, players, seating) != as_played(RULE_SETS[ruleset], players, seating)
