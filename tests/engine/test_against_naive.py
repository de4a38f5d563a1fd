"""The engine against the rules written down a second time (`naive.py`), on random play under every rule set.

`NAIVE_POSITIONS=20000` looks at that many positions of every rule set; a normal run looks at fewer.
"""

from __future__ import annotations

import os
import random

import pytest

from app.engine import dealing
from app.engine.events import HandDealt
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, rules_of, turn
from app.engine.hand import Hand, hand_dealt
from app.engine.legality import can_draw, legal_moves, plays
from app.engine.rules import Rules, rules_for
from app.engine.rulesets import RULE_SETS, resolve
from app.engine.shown import shown_ends
from app.engine.tiles import NAMES, names_in, parse_tile
from app.engine.turns import decide, draw, play, skip
from tests.engine.deals import TABLES, action_of, shuffled
from tests.engine.naive import NaiveHand, NaiveTable, Step, perft

POSITIONS = int(os.environ.get("NAIVE_POSITIONS", "1000"))
"""Positions looked at for every rule set."""


def naive_twin(game: Game, dealt: HandDealt) -> NaiveHand:
    rules = rules_of(game)
    assert dealt.boneyard_tiles is not None
    holdings = [list(holding or ()) for holding in dealt.holdings]
    must_lead = None
    if dealt.lead_by == "highest_double":
        must_lead = max(tile for holding in holdings for tile in holding if tile[0] == tile[1])
    elif dealt.lead_by == "heaviest_tile":
        must_lead = max((tile for h in holdings for tile in h), key=lambda tile: (int(tile[0]) + int(tile[1]), tile))
    return NaiveHand(
        rules.ruleset,
        game.seating,
        holdings,
        list(dealt.boneyard_tiles),
        dealt.leader,
        rules.target,
        list(game.scores),
        must_lead,
    )


def as_steps(game: Game, seat: int) -> list[Step]:
    return [
        ("play", move.tile or "", move.end or "", "lengthwise" if move.lengthwise else "")
        if move.action == "play"
        else (move.action,)
        for move in legal_moves(game, seat)
    ]


def check(game: Game, twin: NaiveHand) -> None:
    """Everything that both know about a position."""
    hand = game.hand
    assert hand is not None
    assert list(game.scores) == twin.scores
    assert hand.over == (twin.ended is not None)
    assert [sorted(names_in(held)) for held in hand.holdings] == [sorted(holding) for holding in twin.holdings]
    assert [NAMES[tile] for tile in hand.boneyard] == twin.boneyard
    assert hand.layout.count == twin.table.count()
    ends = shown_ends(hand.layout)
    assert sum(end.counts or 0 for end in ends) == twin.table.count()
    shares = {lying.tile: twin.table.share(lying) for lying in twin.table.tiles}
    assert all(sum(end.counts or 0 for end in ends if end.tile == tile) == share for tile, share in shares.items())
    open_ends = [(end.end, end.number) for end in ends if end.open]
    assert sorted(open_ends) == sorted(place for place in twin.table.places() if place[0] != "lead")
    if twin.ended is None:
        assert turn(game) == twin.turn
        assert sorted(as_steps(game, twin.turn)) == sorted(twin.steps())


def looked_at(name: str, players: int, seating: str, positions: int, seed: int) -> int:
    """Play random hands until so many positions have been compared; games go on from hand to hand."""
    rng = random.Random(seed)
    house_rules = {"claim": False}
    seen = 0
    while seen < positions:
        game = evolve(None, new_game(name, players, seating, house_rules))
        while not game.over and seen < positions:
            events = decide(game, shuffled(rng))
            dealt = events[0]
            assert isinstance(dealt, HandDealt)
            twin = naive_twin(game, dealt)
            game = evolve(game, dealt)
            check(game, twin)
            while twin.ended is None:
                seat = twin.turn
                step = rng.choice(twin.steps())
                move = legal_moves(game, seat)[as_steps(game, seat).index(step)]
                for event in decide(game, action_of(move, seat)):
                    game = evolve(game, event)
                twin.take(step)
                check(game, twin)
                seen += 1
    return seen


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_engine_agrees_with_the_rules_written_twice(name: str) -> None:
    tables = [table for table in TABLES if table[0] == name]
    each = -(-POSITIONS // len(tables))
    looked = sum(looked_at(name, players, seating, each, seed) for seed, (_, players, seating) in enumerate(tables))
    assert looked >= POSITIONS


def test_the_naive_rules_count_the_worked_example() -> None:
    """`naive.py` itself is held to a position that RULES.md and FAULTS.md (R01) spell out."""
    table = NaiveTable(RULE_SETS["all-fives"])
    counted = []
    for tile, place in [("55", "lead"), ("50", "55.left"), ("53", "55.right"), ("52", "55.up"), ("65", "55.down")]:
        table.lay(tile, place, False)
        counted.append(table.count())
    assert counted == [10, 10, 3, 5, 11]


PERFT_DEAL = "55 41 30 64 21 | 53 50 44 10 62 | 52 54 66 31 20"
PERFT_BONEYARD = "65 11 00 32"
PERFT_DEPTH = 9
PERFT = {
    "all-fives": 10735,
    "all-fives-classic": 10735,
    "muggins-british": 1296,
    "five-up": 12015,
    "sniff": 21257,
    "all-fives-latin": 10010,
    "all-fives-claim": 10735,
    "all-fives-150": 53583,
    "draw": 1296,
    "block": 1237,
}
"""Ways to play nine steps from one three-handed deal, seat 0 leading freely; counted by `naive.perft`."""


def perft_hand(name: str) -> tuple[Rules, Hand, NaiveHand]:
    ruleset, seating = resolve(name, 3, None, {"tiles_each": 5, "first_lead": "lot", "claim": False})
    rules = rules_for(ruleset, 3, seating)
    holdings = [part.split() for part in PERFT_DEAL.split("|")]
    order = [tile for holding in holdings for tile in holding] + PERFT_BONEYARD.split()
    dealt = dealing.deal(rules, [parse_tile(tile) for tile in order])
    twin = NaiveHand(ruleset, seating, holdings, PERFT_BONEYARD.split(), 0, 200, [0, 0, 0])
    return rules, hand_dealt(rules, dealt, 0, "scripted", (0, 0, 0)), twin


def engine_perft(rules: Rules, hand: Hand, depth: int) -> int:
    if depth == 0 or hand.over:
        return 1
    found = plays(rules, hand)
    if found:
        return sum(
            engine_perft(rules, play(rules, hand, tile, end, lengthwise), depth - 1) for tile, end, lengthwise in found
        )
    after = draw(rules, hand) if can_draw(rules, hand) else skip(rules, hand)
    return engine_perft(rules, after, depth - 1)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_engine_finds_as_many_ways_to_play_as_the_table_says(name: str) -> None:
    rules, hand, _ = perft_hand(name)
    assert engine_perft(rules, hand, PERFT_DEPTH) == PERFT[name]


@pytest.mark.parametrize("name", ["all-fives", "five-up", "muggins-british"])
def test_the_table_is_what_the_naive_rules_count(name: str) -> None:
    assert perft(perft_hand(name)[2], PERFT_DEPTH) == PERFT[name]
