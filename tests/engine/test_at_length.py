"""The properties once more, at length: 500 random valid house-rule combinations, and 200 games of bots per rule set."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from app.engine.events import PointsScored
from app.engine.evolve import replay
from app.engine.game import Laid
from app.engine.layout import counted
from app.engine.legality import legal_moves, verify
from app.engine.rulesets import RULE_SETS
from app.engine.shown import shown_ends
from app.engine.tiles import NAMES, names_in
from tests.bots.test_levels import game_of
from tests.engine.deals import action_of, has_something_to_take, house_ruled, played, seeds

pytestmark = pytest.mark.slow
GAMES = 200


@given(chosen=house_ruled(), seed=seeds)
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
def test_five_hundred_house_ruled_games_end_and_keep_every_property(
    chosen: tuple[str, int, str | None, dict[str, Any]], seed: int
) -> None:
    sitting = None
    for sitting in played(*chosen, seed):
        game, hand = sitting.game, sitting.game.hand
        assert hand is not None
        held = [name for holding in hand.holdings for name in names_in(holding)]
        laid = [past.tile for past in game.past if isinstance(past, Laid)]
        assert sorted(held + laid + [NAMES[tile] for tile in hand.boneyard]) == sorted(NAMES)
        parts = [end.counts or 0 for end in shown_ends(hand.layout)]
        assert sum(parts) == hand.layout.count == counted(hand.layout)
        for seat in range(game.players):
            for move in legal_moves(game, seat):
                if move.action != "muggins" or has_something_to_take(game):
                    verify(game, action_of(move, seat))
    assert sitting is not None
    assert sitting.game.result is not None, "every game ends"
    assert replay(sitting.log) == sitting.game
    totals = [0] * len(sitting.game.scores)
    for event in sitting.log:
        if isinstance(event, PointsScored):
            totals[event.side] += event.points
            assert event.score == totals[event.side]
    assert tuple(totals) == sitting.game.scores, "scores change by points_scored alone"


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_bots_finish_two_hundred_games_without_a_refusal(ruleset: str) -> None:
    """Every number of players and seating in turn, easy against medium, a little forgetful."""
    rules = RULE_SETS[ruleset]
    ways = [(ruleset, int(players), seating) for players in rules.deal for seating in rules.seating[players]]
    for seed in range(GAMES):
        way = ways[seed % len(ways)]
        levels = ["easy", "medium", "medium", "easy"][: way[1]]
        assert game_of(way, levels, seed, forgetfulness=0.2).game.result is not None
