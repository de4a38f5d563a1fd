"""Processor seconds that the analysis of a finished hand and its longest piece take, by kind of table; then what it
says of our own bots.

A piece is one job of the clerk: nothing else of the clerk's waits for longer than that.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.analysis.hands import moments
from app.analysis.reckoning import Done, carry_on, concluded
from app.analysis.shapes import SeatAnalysis
from app.bots.levels import LEVELS, HouseBots
from app.engine.actions import CloseClaim
from app.engine.evolve import evolve
from app.engine.game import new_game, turn
from app.engine.views import seat_view
from tests.analysis.hands import finished
from tests.engine.deals import action_of, shuffled
from tests.notation import Sitting

HANDS = 4
HANDS_OF_LEVEL = 12
KINDS: list[tuple[str, int, str, Mapping[str, object]]] = [
    ("all-fives", 2, "solo", {}),
    ("all-fives-classic", 2, "solo", {}),
    ("muggins-british", 2, "solo", {}),
    ("all-fives", 4, "pairs", {}),
    ("all-fives-latin", 4, "pairs", {}),
    ("five-up", 3, "solo", {}),
    ("five-up", 4, "pairs", {}),
    ("five-up", 2, "solo", {"tiles_each": 14}),
    ("all-fives-150", 4, "solo", {"tiles_each": 7}),
]
BOTS = HouseBots()


def played(kind: tuple[str, int, str, Mapping[str, object]], seed: int, level: str = "medium") -> Sitting:
    """A hand between bots of one level."""
    ruleset, players, seating, house_rules = kind
    rng = random.Random(seed)
    started = new_game(ruleset, players, seating, house_rules)
    sitting = Sitting([started], evolve(None, started))
    sitting.act(shuffled(rng))
    while not (sitting.game.hand and sitting.game.hand.over):
        seat = turn(sitting.game)
        if seat is None:
            sitting.act(CloseClaim())
        else:
            move = BOTS.choose(level, seat_view(sitting.game, seat), rng.getrandbits(64), 0.0)
            sitting.act(action_of(move, seat))
    return sitting


def skill() -> None:
    """What each level loses a choice: by what it could have known, and by hindsight where that is exact."""
    print(f"{'all-fives, 2 solo':18} {'choices':>8} {'could have known':>17} {'hindsight':>10}")
    for level in LEVELS:
        seats: list[SeatAnalysis] = []
        for seed in range(HANDS_OF_LEVEL):
            sitting = played(KINDS[0], seed, level)
            made = moments(finished(sitting), sitting.game.ruleset, 2, "solo")
            seats += concluded(made, carry_on(made, (), piece=10**9)).seats
        choices = sum(seat.choices for seat in seats)
        known, hindsight = sum(seat.expected_cost for seat in seats), sum(seat.exact_cost for seat in seats)
        print(f"{level:18} {choices:8} {known / choices:17.2f} {hindsight / choices:10.2f}", flush=True)


def main() -> None:
    print(f"{'table':40} {'s a hand':>9} {'longest':>9} {'pieces':>7} {'exact':>12}")
    longest_of_all = 0.0
    for kind in KINDS:
        spent = longest = 0.0
        pieces = choices = exact = 0
        for seed in range(HANDS):
            sitting = played(kind, seed)
            made = moments(finished(sitting), sitting.game.ruleset, kind[1], sitting.game.seating)
            done: Done = ()
            while len(done) < len(made):
                begun = time.process_time()
                done = carry_on(made, done)
                took = time.process_time() - begun
                spent, longest, pieces = spent + took, max(longest, took), pieces + 1
            analysis = concluded(made, done)
            choices += sum(seat.choices for seat in analysis.seats)
            exact += sum(seat.exact for seat in analysis.seats)
        longest_of_all = max(longest, longest_of_all)
        name = (
            f"{kind[0]}, {kind[1]} {kind[2]}{', ' if kind[3] else ''}{' '.join(f'{k} {v}' for k, v in kind[3].items())}"
        )
        print(f"{name:40} {spent / HANDS:9.2f} {longest:9.2f} {pieces / HANDS:7.1f} {exact:5} of {choices:3}")
    print(f"longest piece: {longest_of_all:.2f} s of processor time")


if __name__ == "__main__":
    main()
    skill()
