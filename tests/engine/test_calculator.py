"""The rules calculator (API.md, "Rule sets"): plays without a table."""

from __future__ import annotations

import pytest

from app.engine.calculator import Laying, calculate
from app.engine.errors import InvalidRules, RuleViolation
from app.engine.rulesets import RULE_SETS
from tests.notation import play


def refused(plays: list[Laying], ruleset: str = "all-fives") -> RuleViolation:
    with pytest.raises(RuleViolation) as caught:
        calculate(RULE_SETS[ruleset], 2, "solo", plays)
    return caught.value


def laid(text: str) -> list[Laying]:
    return [Laying(tile=tile, end=end or None) for tile, _, end in (word.partition(">") for word in text.split())]


@pytest.mark.parametrize(
    ("ruleset", "plays", "step", "code"),
    [
        ("five-up", "60 60>60.left", 1, "not_in_holding"),
        ("five-up", "66 65>66.left 30>65.right", 2, "does_not_fit"),
        ("all-fives", "55 65>55.left 50>55.right 60>50.right 66>60.right 62>66.right 63>66.up", 6, "end_closed"),
        ("all-fives", "55 50>55.left 52>55.up", 2, "end_closed"),
        ("all-fives", "55 50", 1, "end_required"),
        ("all-fives", "55>55.left", 0, "end_closed"),
        ("all-fives", "55 64>55.left", 1, "does_not_fit"),
        ("all-fives", "77", 0, "not_in_holding"),
    ],
)
def test_the_first_play_that_is_not_allowed_is_named(ruleset: str, plays: str, step: int, code: str) -> None:
    refusal = refused(laid(plays), ruleset)
    assert (refusal.params["step"], refusal.code) == (step, code)
    assert f"Play {step}" in str(refusal)


def test_a_tile_used_twice_is_said_to_lie_already() -> None:
    assert "lies on the table already" in str(refused(laid("60 60>60.left")))


def test_lengthwise_is_judged_as_at_a_table() -> None:
    assert refused([Laying(tile="55", lengthwise=True)]).code == "lengthwise_not_allowed"
    sniff = [Laying(tile="55", lengthwise=True), Laying(tile="50", end="55.left")]
    assert [step.count for step in calculate(RULE_SETS["sniff"], 2, "solo", sniff).steps] == [10, 5]


def test_a_holding_is_told_what_it_could_play() -> None:
    moves = play("55 50>55.left", holding="53 10 66").legal_moves
    assert [(move.tile, move.end, move.count, move.points) for move in moves] == [
        ("53", "55.right", 3, 0),
        ("10", "50.right", 11, 0),
    ]


def test_without_a_tile_that_fits_or_a_holding_there_is_no_move() -> None:
    assert play("55", holding="64 66").legal_moves == ()
    assert play("55").legal_moves == ()


def test_on_an_empty_table_every_tile_can_lead() -> None:
    moves = calculate(RULE_SETS["all-fives-150"], 2, "solo", [], ["22", "64"]).legal_moves
    assert [(move.tile, move.end, move.points) for move in moves] == [("64", "lead", 10), ("22", "lead", 0)]


@pytest.mark.parametrize(
    ("holding", "path", "code"),
    [
        (["53", "55"], "/holding/1", "tile_used_twice"),
        (["53", "35"], "/holding/1", "tile_used_twice"),
        (["5"], "/holding/0", "no_such_tile"),
    ],
)
def test_a_holding_of_used_or_unknown_tiles_is_refused(holding: list[str], path: str, code: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        calculate(RULE_SETS["all-fives"], 2, "solo", laid("55"), holding)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(path, code)]


def test_nobody_sits_at_the_calculator() -> None:
    assert [tile.seat for tile in play("55 50>55").layout.tiles] == [None, None]


def test_tiles_and_ends_may_be_named_either_way_round() -> None:
    steps = calculate(RULE_SETS["all-fives"], 2, "solo", laid("46 06>46.left")).steps
    assert [step.tile for step in steps] == ["64", "60"]
