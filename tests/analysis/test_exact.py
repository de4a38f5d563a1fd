"""Exact costs: with all tiles open they are what looking at everything comes to, in every rule set for two sides."""

from __future__ import annotations

import pytest

from app.bots.appraisal import game_worth
from app.engine.game import rules_of
from tests.analysis.hands import analysed, moments_of, small, worths
from tests.engine.deals import TABLES, table_name

TWO_SIDES = [table for table in TABLES if table[1] == 2 or table[2] == "pairs"]
SIZES = {2: (5, 3), 4: (3, 2)}
"""Tiles each and boneyard, by players."""


@pytest.mark.parametrize("table", TWO_SIDES, ids=table_name)
def test_every_alternative_is_worth_what_brute_force_says(table: tuple[str, int, str]) -> None:
    players = table[1]
    compared = 0
    for seed in range(6):
        each, boneyard = SIZES[players]
        # Near the target as well, where winning the game counts before points.
        target = {"target_points": 12 if seed % 2 else 100}
        sitting = small(table, each, boneyard, seed, house_rules=target)
        for moment, move in zip(moments_of(sitting), analysed(sitting).moves, strict=True):
            if not move.alternatives:
                assert move.cost == 0 or move.action == "muggins"
                continue
            rules, hand = rules_of(moment.before), moment.before.hand
            assert hand is not None
            right = worths(rules, hand)
            assert move.method == "exact"
            assert move.error is None
            totals = {}
            for one in move.alternatives:
                game, points = right[one.tile, one.end, one.lengthwise]
                assert (one.open_game, one.open) == (game, points)
                totals[one.tile, one.end, one.lengthwise] = points + game_worth(rules) * game
            assert max(game for game, _ in right.values()) == max(one.open_game or 0 for one in move.alternatives)
            worst, best = min(totals.values()), max(totals.values())
            game, points = right[move.tile or "", move.end or "", move.lengthwise]
            assert move.cost == best - (points + game_worth(rules) * game)
            assert 0 <= move.cost <= best - worst
            compared += 1
    assert compared > 5
