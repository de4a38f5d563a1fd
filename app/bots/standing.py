"""What scores are worth: how likely a side is to win the game from here."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from app.engine.rules import Rules

SPREAD = 15.0
"""How much chance moves the difference of two sides in one hand, in points of one spot."""
PER_HAND = 30.0
"""About what the better side scores in one hand."""


def chance_to_win(rules: Rules, scores: Sequence[int], hand_number: int, side: int) -> float:
    """How likely this side wins when a hand has just ended with these scores, from 0 to 1; a draw counts half.

    >>> from app.engine.rules import rules_for
    >>> from app.engine.rulesets import RULE_SETS
    >>> chance_to_win(rules_for(RULE_SETS["all-fives"], 2, "solo"), [120, 120], 3, 0)
    0.5
    """
    best = max(scores)
    if best >= rules.target or hand_number >= rules.max_hands:
        return 0.0 if scores[side] < best else 1 / scores.count(best)
    unit = rules.ruleset.points_unit
    hands = min((rules.target - best) * unit / PER_HAND + 0.5, rules.max_hands - hand_number)
    swing = unit / (SPREAD * sqrt(hands))
    return 1 / sum([exp((score - scores[side]) * swing) for score in scores])
