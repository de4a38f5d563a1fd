"""Random plays per second on one core: All Fives for two, shuffle and deal included, beside two public peers.

`python tests/bench/bench_engine.py` measures in turns and prints each one's best round: whatever else the machine
does only slows a round down.
Peers that are not installed (`pip install dominoes open_spiel`) are left out with a line that says so. A play is a
tile laid; draws and passes are worked out but not counted, as in the peers.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.engine.dealing import deal
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, turn
from app.engine.hand import hand_dealt
from app.engine.legality import can_draw, legal_moves, plays
from app.engine.rules import Rules, rules_for
from app.engine.rulesets import RULE_SETS
from app.engine.tiles import TILES
from app.engine.turns import decide, draw, play, skip
from tests.engine.deals import action_of, shuffled

SECONDS = 1.0
ROUNDS = 8
WANTED = {"dominoes": 1.6, "open_spiel": 10.0}
"""The engine is to be at least so many times as fast."""

Playout = Callable[[random.Random], int]
"""Plays one random hand and says how many tiles were laid."""


def engine_playout(rules: Rules) -> Playout:
    tiles = list(TILES)

    def playout(rng: random.Random) -> int:
        chance = rng.random
        keys = [chance() for _ in tiles]
        tiles.sort(key=keys.__getitem__)
        hand = hand_dealt(rules, deal(rules, tiles), 0, "lot", (0,) * rules.sides)
        laid = 0
        while not hand.over:
            found = plays(rules, hand)
            if found:
                hand = play(rules, hand, *found[int(chance() * len(found))])
                laid += 1
            elif can_draw(rules, hand):
                hand = draw(rules, hand)
            else:
                hand = skip(rules, hand)
        return laid

    return playout


def dominoes_playout() -> Playout:
    """The `dominoes` package: the block game, four players, no points in play."""
    new = import_module("dominoes").Game.new

    def playout(rng: random.Random) -> int:
        game = new()
        laid = 0
        while game.result is None:
            moves = game.valid_moves
            game.make_move(*moves[int(rng.random() * len(moves))])
            laid += 1
        return laid

    return playout


def open_spiel_playout() -> Playout:
    """OpenSpiel's `python_block_dominoes`: the block game, two players, no points in play."""
    import_module("open_spiel.python.games.block_dominoes")
    game = import_module("pyspiel").load_game("python_block_dominoes")

    def playout(rng: random.Random) -> int:
        state = game.new_initial_state()
        laid = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
                laid += 1
        return laid

    return playout


def per_second(playout: Playout, seed: int) -> float:
    rng = random.Random(seed)
    laid = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        for _ in range(10):
            laid += playout(rng)
    return laid / (time.process_time() - start)


def server_move_microseconds() -> float:
    """One play as the server judges and keeps it: decide, fold, and the next seat's legal moves with previews."""
    rng = random.Random(4)
    start = evolve(None, new_game("all-fives", 2))
    spent, moves = 0.0, 0
    while moves < 20_000:
        game: Game = start
        for event in decide(game, shuffled(rng)):
            game = evolve(game, event)
        seat = turn(game)
        while seat is not None:
            move = rng.choice(legal_moves(game, seat))
            action = action_of(move, seat)
            before = time.perf_counter()
            for event in decide(game, action):
                game = evolve(game, event)
            seat = turn(game)
            if seat is not None:
                legal_moves(game, seat)
            spent += time.perf_counter() - before
            moves += 1
    return spent / moves * 1e6


def main() -> None:
    playouts: dict[str, Playout] = {"all-fives": engine_playout(rules_for(RULE_SETS["all-fives"], 2, "solo"))}
    for name, made in (("dominoes", dominoes_playout), ("open_spiel", open_spiel_playout)):
        try:
            playouts[name] = made()
        except ImportError:
            print(f"{name} is not installed: left out (pip install {name})")
    figures = {name: [0.0] * ROUNDS for name in playouts}
    for number in range(ROUNDS):
        for name, playout in playouts.items():
            figures[name][number] = per_second(playout, number)
    best = {name: max(runs) for name, runs in figures.items()}
    print("random plays per second and core, two players, shuffle and deal included:")
    for name, figure in best.items():
        line = f"  {name:12} {figure:>10,.0f}"
        if name in WANTED:
            ratio = best["all-fives"] / figure
            line += f"   all-fives is {ratio:.2f} times as fast (wanted: {WANTED[name]})"
        print(line)
    print("other rule sets, two players:")
    for name in RULE_SETS:
        if name not in ("all-fives", "all-fives-claim"):
            playout = engine_playout(rules_for(RULE_SETS[name], 2, "solo"))
            print(f"  {name:18} {per_second(playout, 1):>10,.0f}")
    print(f"one action at the server (decide, fold, next legal moves): {server_move_microseconds():.1f} µs")


if __name__ == "__main__":
    main()
