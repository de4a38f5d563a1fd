"""Combinations that cannot be played, generated: one fault planted among valid house rules is refused and named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.errors import InvalidRules
from app.engine.ruleset import RuleSet
from app.engine.rulesets import resolve
from tests.engine.deals import house_ruled

KNOWN = {*RuleSet.__struct_fields__, "tiles_each", "target_points"}
CHOICES = ["direction", "first_lead", "spinner", "hand_end", "block_tie", "cross_arms_open"]
no_points = st.integers(max_value=0) | st.integers(min_value=10_001)
no_limit = st.integers(1_001, 9_999) | st.integers(-9, 0)
not_a_choice: st.SearchStrategy[Any] = st.sampled_from(["", "sideways", 5, None, True])
unknown = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12).filter(lambda name: name not in KNOWN)
fault: st.SearchStrategy[dict[str, Any]] = st.one_of(
    no_points.map(lambda n: {"target": {"2": n}}),
    no_points.map(lambda n: {"target_points": n}),
    no_limit.map(lambda n: {"max_hands": n}),
    st.integers(8, 99).map(lambda n: {"deal": {"4": n}}),
    st.integers(27, 99).map(lambda n: {"boneyard_keep": n}),
    st.just({"points_unit": 5, "round_to": 1}),
    st.just({"claim": True, "scoring": "none", "points_unit": 1}),
    st.sampled_from(["none", "every_double"]).map(lambda spinner: {"lengthwise_choice": True, "spinner": spinner}),
    st.just({"hand_end": "own_subtracted", "max_hands": None}),
    st.builds(lambda field, value: {field: value}, unknown, st.integers()),
    st.builds(lambda field, value: {field: value}, st.sampled_from(CHOICES), not_a_choice),
)


@given(chosen=house_ruled(), wrong=fault)
@settings(max_examples=300, deadline=None)
def test_a_planted_fault_is_refused_and_named(
    chosen: tuple[str, int, str | None, dict[str, Any]], wrong: dict[str, Any]
) -> None:
    ruleset, players, seating, house_rules = chosen
    with pytest.raises(InvalidRules) as refused:
        resolve(ruleset, players, seating, {**house_rules, **wrong})
    named = {problem.path.split("/")[2] for problem in refused.value.problems}
    shorthands = {"deal": "tiles_each", "target": "target_points"}
    assert named & {*wrong, *(shorthands.get(field, field) for field in wrong)}, named
    assert all(problem.detail.endswith((".", "?")) for problem in refused.value.problems)


def test_a_plain_number_and_a_map_that_disagree_are_refused() -> None:
    with pytest.raises(InvalidRules) as refused:
        resolve("all-fives", 2, None, {"deal": {"2": 5}, "tiles_each": 6})
    assert [problem.path for problem in refused.value.problems] == ["/house_rules/tiles_each"]
    rules, _ = resolve("all-fives", 2, None, {"deal": {"2": 6, "4": 3}, "tiles_each": 6})
    assert rules.deal == {"2": 6, "4": 3}
