"""Playouts know the rules: each is played again on the engine, by the same likings written plainly."""

from __future__ import annotations

import random

import pytest

from app.bots import playout as quick
from app.bots.glances import add_hopes, hopes_at
from app.engine.dealing import deal
from app.engine.hand import Hand, hand_dealt
from app.engine.layout import lay
from app.engine.possible import Placing, can_draw, plays
from app.engine.rules import Rules, rules_for, way_laid
from app.engine.rulesets import RULE_SETS
from app.engine.tiles import IS_DOUBLE, SPOTS, TILES
from app.engine.turns import draw, play, skip
from tests.engine.deals import TABLES, table_name

HANDS = 30


def liking(rules: Rules, hand: Hand, placing: Placing) -> int:
    """What a playout's player sees in a play: points, the best answer of the next seat, spots and doubles."""
    tile, end, _ = placing
    unit = rules.ruleset.points_unit
    after = lay(hand.layout, tile, end, way_laid(rules, tile, hand.layout.has_double, False))
    liked = rules.points[after.count] * unit * quick.POINT + 5 * SPOTS[tile] // 2 + 36 * IS_DOUBLE[tile]
    next_seat = rules.next_seat[hand.turn]
    answering = Hand(after, hand.holdings, (), next_seat, hand.scores, 0, 0, hand.lacks)
    answers = [
        rules.points[lay(after, other, there, way_laid(rules, other, after.has_double, lengthwise)).count]
        for other, there, lengthwise in plays(rules, answering)
        if not lengthwise
    ]
    if not answers:
        return liked + quick.STUCK
    return liked - (max(answers) * unit * quick.POINT * quick.REPLY >> 4)


def greed(rules: Rules, hand: Hand, placing: Placing) -> tuple[int, bool, int]:
    """What level medium sees in a play."""
    tile, end, _ = placing
    after = lay(hand.layout, tile, end, way_laid(rules, tile, hand.layout.has_double, False))
    return rules.points[after.count], IS_DOUBLE[tile], SPOTS[tile]


def best(rules: Rules, hand: Hand, greedy: int) -> Placing:
    """The first of those that are liked best, in the order of ends and, on each, of high tiles."""
    found = [placing for placing in plays(rules, hand) if not placing[2]]
    likes = greed if greedy >> hand.turn & 1 else liking
    return max(found, key=lambda placing: likes(rules, hand, placing))


def played_plainly(rules: Rules, hand: Hand, greedy: int = 0) -> tuple[list[int], int]:
    """The scores at the hand's end, and how many tiles were laid."""
    laid = 0
    while not hand.over:
        if plays(rules, hand):
            hand = play(rules, hand, *best(rules, hand, greedy))
            laid += 1
        elif can_draw(rules, hand):
            hand = draw(rules, hand)
        else:
            hand = skip(rules, hand)
    return [*hand.scores], laid


def hands_of(table: tuple[str, int, str], number: int) -> list[tuple[Rules, Hand]]:
    name, players, seating = table
    rng = random.Random(f"{table}")
    found = []
    for _ in range(number):
        # Claims are no part of a playout: there everybody announces rightly.
        rules = rules_for(RULE_SETS["all-fives" if name == "all-fives-claim" else name], players, seating)  # type: ignore[arg-type]
        scores = tuple(rng.choice([0, rules.target - 20 // rules.ruleset.points_unit]) for _ in range(rules.sides))
        hand = hand_dealt(rules, deal(rules, rng.sample(TILES, 28)), rng.randrange(players), "lot", scores)
        found.append((rules, hand))
    return found


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_a_playout_ends_as_the_engine_ends(table: tuple[str, int, str]) -> None:
    for rules, hand in hands_of(table, HANDS):
        for greedy in (0, 0b1010, 0b1111):
            scores, over = quick.playout(rules, hand, [*hand.holdings], hand.boneyard, None, quick.TO_THE_END, greedy)
            assert over
            assert scores == played_plainly(rules, hand, greedy)[0]


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_a_playout_that_is_cut_short_stops_there_and_hopes(table: tuple[str, int, str]) -> None:
    stopped_early = 0
    for rules, hand in hands_of(table, HANDS):
        scores, laid = played_plainly(rules, hand)
        for number in (1, 4, laid - 1, laid, laid + 1):
            found, over = quick.playout(rules, hand, [*hand.holdings], hand.boneyard, None, number)
            assert over == (laid <= number)
            assert not over or found == scores
            stopped_early += not over
    assert stopped_early > HANDS


@pytest.mark.parametrize("name", [name for name, ruleset in RULE_SETS.items() if ruleset.scoring == "fives"])
def test_there_are_hopes_for_every_table_where_counts_score(name: str) -> None:
    for table in TABLES:
        if table[0] == name:
            rules = rules_for(RULE_SETS[name], table[1], table[2])  # type: ignore[arg-type]
            assert len(hopes_at(rules)) == table[1]


def test_hopes_come_near_what_a_hand_brings() -> None:
    """Over many positions of two players they explain a good part of how much more one side will get."""
    explained: list[tuple[float, float]] = []
    for rules, start in hands_of(("all-fives", 2, "solo"), 300):
        if max(start.scores):
            continue
        hopes, over = quick.playout(rules, start, [*start.holdings], start.boneyard, None, 8)
        ends, _ = quick.playout(rules, start, [*start.holdings], start.boneyard, None)
        if not over:
            explained.append((hopes[0] - hopes[1], ends[0] - ends[1]))
    mean_hope, mean_end = (sum(column) / len(explained) for column in zip(*explained, strict=True))
    together = sum((hope - mean_hope) * (end - mean_end) for hope, end in explained)
    spread = [
        sum((pair[side] - mean) ** 2 for pair in explained) ** 0.5 for side, mean in ((0, mean_hope), (1, mean_end))
    ]
    assert together / spread[0] / spread[1] > 0.4


def test_only_a_hands_end_scores_leaves_nothing_to_hope_for() -> None:
    rules = rules_for(RULE_SETS["block"], 2, "solo")
    scores = [0.0, 0.0]
    add_hopes(rules, scores, [], 0, [], 0)
    assert (hopes_at(rules), scores) == ((), [0.0, 0.0])
