"""Finished hands to analyse, from hands in notation; and what their moves are worth by looking at everything."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from app.analysis.hands import Moment, moments
from app.analysis.reckoning import Done, carry_on, concluded
from app.analysis.shapes import HandAnalysis
from app.bots.appraisal import Effort
from app.engine.actions import CloseClaim, Muggins
from app.engine.ends import END_NAME, End
from app.engine.events import GameStarted, HandDealt
from app.engine.game import turn
from app.engine.hand import NOBODY, Hand
from app.engine.layout import count_after
from app.engine.legality import legal_moves, plays
from app.engine.possible import can_draw
from app.engine.rules import Rules, way_laid
from app.engine.tiles import NAMES, Tile
from app.engine.turns import close_claim, draw, play, skip
from app.tables.shapes import FinishedHand
from tests.engine.deals import action_of, has_something_to_take, random_action
from tests.notation import Sitting, sit

QUICK = Effort(batches=4, deals=4, playouts=400, positions=20_000)
"""Little work, for tests that look at something else than the figures."""


def finished(sitting: Sitting) -> FinishedHand:
    """The hand that was played, as a table gives it."""
    dealt = next(event for event in sitting.log if isinstance(event, HandDealt))
    return FinishedHand(
        number=1,
        leader=dealt.leader,
        lead_by=dealt.lead_by,
        holdings=tuple(tiles or () for tiles in dealt.holdings),
        boneyard=dealt.boneyard_tiles or (),
        events=tuple(event for event in sitting.log if event.hand is not None),
        result=sitting.hand_end,
        proof=None,
    )


def moments_of(sitting: Sitting) -> list[Moment]:
    started = sitting.log[0]
    assert isinstance(started, GameStarted)
    return moments(finished(sitting), started.ruleset, started.players, started.seating)


def analysed(sitting: Sitting, effort: Effort = QUICK) -> HandAnalysis:
    """The whole analysis of the hand that was played."""
    made = moments_of(sitting)
    done: Done = ()
    while len(done) < len(made):
        done = carry_on(made, done, effort)
    return concluded(made, done)


def deal(holdings: str, boneyard: str = "", *, house_rules: Mapping[str, object] | None = None, **more: Any) -> Sitting:
    """`sit`, with the number of tiles dealt as the rules of the table have it."""
    each = len(holdings.split("|", maxsplit=1)[0].split())
    return sit(holdings, boneyard, house_rules={"tiles_each": each, **(house_rules or {})}, **more)


def small(table: tuple[str, int, str], each: int, boneyard: int, seed: int, **more: Any) -> Sitting:
    """A small random hand, played at random to its end."""
    ruleset, players, seating = table
    rng = random.Random(seed)
    tiles = rng.sample(NAMES, players * each + boneyard)
    holdings = " | ".join(" ".join(tiles[seat * each : (seat + 1) * each]) for seat in range(players))
    sitting = deal(holdings, " ".join(tiles[players * each :]), ruleset=ruleset, seating=seating, **more)
    while not sitting.game.over and not (sitting.game.hand and sitting.game.hand.over):
        action = random_action(sitting.game, rng)
        if not isinstance(action, Muggins) or has_something_to_take(sitting.game):
            sitting.act(action)
    return sitting


def to_the_end(sitting: Sitting) -> Sitting:
    """Whatever is legal first, until the hand is over."""
    while not (sitting.game.hand and sitting.game.hand.over):
        seat = turn(sitting.game)
        sitting.act(CloseClaim() if seat is None else action_of(legal_moves(sitting.game, seat)[0], seat))
    return sitting


def worths(rules: Rules, hand: Hand) -> Mapping[tuple[str, str, bool], tuple[int, int]]:
    """Every play of the seat on turn → (game, points) for its side, by brute force.

    No memory, no pruning, no shapes: the engine's own plays, each to the hand's end, both sides at their best.
    """
    sign = 1 if rules.side[hand.turn] == 0 else -1
    found = {}
    for tile, end, lengthwise in plays(rules, hand):
        game, points = _best(rules, _after(rules, hand, tile, end, lengthwise), hand.scores)
        found[NAMES[tile], END_NAME[end], lengthwise] = (sign * game, sign * points)
    return found


def _best(rules: Rules, hand: Hand, before: Sequence[int]) -> tuple[int, int]:
    """(game, points) for side 0 when both go on as well as they can."""
    if hand.over:
        game = 0
        if max(hand.scores) >= rules.target and hand.scores[0] != hand.scores[1]:
            game = 1 if hand.scores[0] > hand.scores[1] else -1
        return game, hand.scores[0] - before[0] - (hand.scores[1] - before[1])
    if hand.turn == NOBODY:
        return _best(rules, close_claim(rules, hand), before)
    found = plays(rules, hand)
    if not found:
        return _best(rules, draw(rules, hand) if can_draw(rules, hand) else skip(rules, hand), before)
    ends = [_best(rules, _after(rules, hand, *placing), before) for placing in found]
    return max(ends) if rules.side[hand.turn] == 0 else min(ends)


def _after(rules: Rules, hand: Hand, tile: Tile, end: End, lengthwise: bool) -> Hand:
    """The play, rightly announced."""
    count = count_after(hand.layout, tile, end, way_laid(rules, tile, hand.layout.has_double, lengthwise))
    return play(rules, hand, tile, end, lengthwise, announce=rules.points[count])
