"""What scores are worth: how likely a side is to win the game from here."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from app.engine.rules import Rules

SPREAD = 15.0
"""How much chance moves the difference of two sides in one hand, in points of one spot."""
REST_OF_HAND = 0.5
"""How many hands the rest of one counts for."""
PER_HAND = 30.0
"""About what the better side scores in one hand."""


def chance_to_win(rules: Rules, scores: Sequence[float], hand_number: int, side: int) -> float:
    """How likely this side wins when a hand has just ended with these scores, from 0 to 1; a draw counts half.

    >>> from app.engine.rules import rules_for
    >>> from app.engine.rulesets import RULE_SETS
    >>> chance_to_win(rules_for(RULE_SETS["all-fives"], 2, "solo"), [120, 120], 3, 0)
    0.5
    """
    best = max(scores)
    if best >= rules.target or hand_number >= rules.max_hands:
        return 0.0 if scores[side] < best else 1 / scores.count(best)
    return _likely(rules, scores, min(_hands_to_go(rules, best), rules.max_hands - hand_number), side)


def chance_in_hand(rules: Rules, scores: Sequence[float], hand_number: int, side: int) -> float:
    """The same in the middle of a hand, when the scores are what the sides may hope for: nothing is certain yet."""
    hands = min(_hands_to_go(rules, max(scores)), rules.max_hands - hand_number)
    return _likely(rules, scores, max(0.0, hands) + REST_OF_HAND, side)


def _hands_to_go(rules: Rules, best: float) -> float:
    return max(0.0, rules.target - best) * rules.ruleset.points_unit / PER_HAND + 0.5


def _likely(rules: Rules, scores: Sequence[float], hands: float, side: int) -> float:
    swing = rules.ruleset.points_unit / (SPREAD * sqrt(hands))
    return 1 / sum([exp((score - scores[side]) * swing) for score in scores])
