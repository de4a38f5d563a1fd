"""Small endings and their worth by trying everything, on the rules as `tests/engine/naive.py` writes them down."""

from __future__ import annotations

import random
from functools import cache

from app.engine.game import rules_of, turn
from app.engine.legality import legal_moves
from app.engine.tiles import NAMES
from tests.engine.deals import TABLES, action_of
from tests.engine.naive import NaiveHand, Step
from tests.engine.test_against_naive import as_steps
from tests.notation import Sitting, sit

TWO_SIDED = [table for table in TABLES if table[1] == 2 or table[2] == "pairs"]


class Ending:
    """A hand with few tiles left, at the engine and in the naive rules."""

    def __init__(self, sitting: Sitting, naive: NaiveHand, table: tuple[str, int, str]) -> None:
        self.sitting, self.naive, self.table = sitting, naive, table


@cache
def small_ending(number: int, most_tiles: int) -> Ending:
    """A random ending in which the seat on turn has a choice, with no more tiles than that held or to be drawn."""
    rng = random.Random(number)
    table = TWO_SIDED[number % len(TWO_SIDED)]
    while True:
        ending = _tried(table, rng)
        if ending is not None and _tiles(ending.naive) <= most_tiles:
            return ending


def open_ending(number: int, most_tiles: int) -> Ending:
    """A random ending between two players who were dealt all 28 tiles, so that neither's are hidden."""
    rng = random.Random(number)
    house_rules = {"tiles_each": 14}
    while True:
        tiles = rng.sample(NAMES, 28)
        holdings = [tiles[:14], tiles[14:]]
        sitting = sit(" | ".join(map(" ".join, holdings)), house_rules=house_rules, leader=rng.randrange(2))
        rules, hand = rules_of(sitting.game), sitting.game.hand
        assert hand is not None
        naive = NaiveHand(rules.ruleset, "solo", holdings, [], hand.turn, rules.target, [0, 0])
        while not naive.ended and (_tiles(naive) > most_tiles or len(naive.steps()) < 2):
            take(sitting, naive, rng.choice(naive.steps()))
        if not naive.ended:
            return Ending(sitting, naive, ("all-fives", 2, "solo"))


def _tiles(naive: NaiveHand) -> int:
    drawable = len(naive.boneyard) - naive.rules.boneyard_keep if naive.rules.drawing else 0
    return sum(len(holding) for holding in naive.holdings) + drawable


def _tried(table: tuple[str, int, str], rng: random.Random) -> Ending | None:
    """Few tiles dealt, near the target or far from it, and some steps taken at random; None: that left no choice."""
    name, players, seating = table
    tiles = rng.sample(NAMES, 28)
    each = rng.randint(2, 5 if players == 2 else 3)
    holdings = [tiles[seat * each : (seat + 1) * each] for seat in range(players)]
    boneyard = tiles[20 : 20 + rng.choice([0, 0, 1, 2, 3])]
    text = " | ".join(" ".join(holding) for holding in holdings)
    rules = rules_of(sit(text, ruleset=name, seating=seating, house_rules={"claim": False}).game)
    scores = [max(0, rules.target - rng.choice([5, 10, 20, 300]) // rules.ruleset.points_unit) for _ in range(2)]
    sitting = sit(
        text,
        " ".join(boneyard),
        ruleset=name,
        seating=seating,
        house_rules={"claim": False},
        scores=scores,
        leader=rng.randrange(players),
    )
    hand = sitting.game.hand
    assert hand is not None
    must_lead = None
    if rules.ruleset.first_lead == "highest_double":
        must_lead = next(move.tile for move in legal_moves(sitting.game, hand.turn))
    naive = NaiveHand(
        rules.ruleset,
        seating,
        [list(held) for held in holdings],
        list(boneyard),
        hand.turn,
        rules.target,
        scores,
        must_lead,
    )
    for _ in range(rng.randrange(2 * players + 2)):
        if naive.ended:
            return None
        take(sitting, naive, rng.choice(naive.steps()))
    if naive.ended or len(naive.steps()) < 2:
        return None
    return Ending(sitting, naive, table)


def take(sitting: Sitting, naive: NaiveHand, step: Step) -> None:
    """One step in both."""
    seat = turn(sitting.game)
    assert seat is not None
    sitting.act(action_of(legal_moves(sitting.game, seat)[as_steps(sitting.game, seat).index(step)], seat))
    naive.take(step)


def worth(hand: NaiveHand, winning: int) -> int:
    """Points of side 0 less those of side 1 from here to the hand's end, when both do their best. Tries everything."""
    if hand.ended:
        ahead, behind = hand.scores
        if max(hand.scores) < hand.target or ahead == behind:
            return 0
        return winning if ahead > behind else -winning
    return (max if hand.side(hand.turn) == 0 else min)(worths(hand, winning).values())


def worths(hand: NaiveHand, winning: int) -> dict[Step, int]:
    """The same for every step of the seat on turn."""
    found = {}
    for step in hand.steps():
        after = hand.copy()
        after.take(step)
        scored = (after.scores[0] - hand.scores[0]) - (after.scores[1] - hand.scores[1])
        found[step] = scored + worth(after, winning)
    return found
