"""What scores are worth: certain at the end, the better the higher, nothing certain in the middle of a hand."""

from __future__ import annotations

import pytest

from app.bots.standing import chance_in_hand, chance_to_win
from app.engine.rules import Rules, rules_for
from app.engine.rulesets import RULE_SETS

TWO = rules_for(RULE_SETS["all-fives"], 2, "solo")
THREE = rules_for(RULE_SETS["five-up"], 3, "solo")
BRITISH = rules_for(RULE_SETS["muggins-british"], 2, "solo")


@pytest.mark.parametrize(
    ("rules", "scores", "hand", "chances"),
    [
        (TWO, [250, 240], 9, [1, 0]),
        (TWO, [255, 260], 9, [0, 1]),
        (TWO, [250, 250], 9, [0.5, 0.5]),
        (THREE, [61, 61, 20], 4, [0.5, 0.5, 0]),
        (BRITISH, [100, 95], 60, [1, 0]),
        (BRITISH, [100, 100], 60, [0.5, 0.5]),
    ],
)
def test_at_the_games_end_it_is_certain(rules: Rules, scores: list[float], hand: int, chances: list[float]) -> None:
    assert [chance_to_win(rules, scores, hand, side) for side in range(rules.sides)] == chances


def test_in_the_middle_of_a_hand_nothing_is() -> None:
    assert 0.5 < chance_in_hand(TWO, [250, 240], 9, 0) < 0.9
    assert 0.5 < chance_in_hand(BRITISH, [100, 90], 60, 0) < 0.9


@pytest.mark.parametrize("chance", [chance_to_win, chance_in_hand])
def test_the_chances_of_all_sides_are_one_and_grow_with_the_score(chance: object) -> None:
    assert callable(chance)
    for scores in ([0, 0, 0], [10, 30, 20], [58, 3, 40]):
        chances = [chance(THREE, scores, 3, side) for side in range(3)]
        assert sum(chances) == pytest.approx(1)
        assert sorted(range(3), key=chances.__getitem__) == sorted(range(3), key=scores.__getitem__)


def test_a_lead_is_worth_more_when_less_is_to_come() -> None:
    assert chance_to_win(TWO, [30, 10], 2, 0) < chance_to_win(TWO, [230, 210], 8, 0) < 1
