"""The bots: playouts beside two public peers, the solver, the time of a move, and who beats whom.

`python tests/bench/bench_bots.py` takes about a minute and a half; `--games 2000` plays as many games as
`docs/bots-strength.md` states, on all cores. Peers that are not installed (`pip install dominoes open_spiel`) are left
out with a line that says so.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.arena.contest import Contest
from app.arena.statistics import summary, whole_series
from app.bots.endings import solve
from app.bots.levels import LEVELS
from app.bots.named import short_names
from app.bots.playout import TO_THE_END
from app.bots.playout import playout as quick_playout
from app.cli.matches import Patience, cores, matches
from app.cli.scoreboard import headline, milliseconds, percent, signed
from app.engine.dealing import deal
from app.engine.game import rules_of
from app.engine.hand import hand_dealt
from app.engine.rules import Rules, rules_for
from app.engine.rulesets import RULE_SETS
from app.engine.tiles import TILES
from app.engine.views import SeatView
from tests.bench.bench_engine import dominoes_playout, engine_playout, open_spiel_playout
from tests.bots.brute import open_ending
from tests.bots.positions import has_choice, some_way_into_a_hand
from tests.engine.deals import TABLES, table_name

SECONDS = 1.0
ROUNDS = 4
MANY = 10**9

Playout = Callable[[random.Random], object]


class Pairing(msgspec.Struct, frozen=True):
    """Who meets whom at which table."""

    one: str
    other: str
    wanted: float
    """Share of wins that the first is to reach."""
    games: int
    """Of every 2,000 that `--games` asks for."""
    ruleset: str = "all-fives"
    players: int = 2
    seating: str = "solo"


PAIRINGS = (
    Pairing("medium", "easy", 0.90, 2000),
    Pairing("hard", "medium", 0.78, 2000),
    Pairing("expert", "medium", 0.92, 600),
    Pairing("expert", "hard", 0.70, 600),
    Pairing("hard", "medium", 0.65, 2000, players=4, seating="pairs"),
    Pairing("expert", "hard", 0.60, 600, players=4, seating="pairs"),
    Pairing("expert", "medium", 0.70, 200, ruleset="five-up"),
    Pairing("expert", "medium", 0.70, 200, ruleset="muggins-british"),
    Pairing("expert", "medium", 0.50, 201, ruleset="all-fives-classic", players=3),
)


def bots_playout(rules: Rules, plays: int) -> Playout:
    """What the expert does with one deal: everybody takes points and fears the next seat's reply."""
    tiles = list(TILES)

    def playout(rng: random.Random) -> None:
        rng.shuffle(tiles)
        hand = hand_dealt(rules, deal(rules, tiles), 0, "lot", (0,) * rules.sides)
        quick_playout(rules, hand, [*hand.holdings], hand.boneyard, None, plays)

    return playout


def per_second(playout: Playout, seed: int) -> float:
    rng = random.Random(seed)
    played = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        for _ in range(10):
            playout(rng)
        played += 10
    return played / (time.process_time() - start)


def bench_playouts() -> None:
    rules = rules_for(RULE_SETS["all-fives"], 2, "solo")
    playouts: dict[str, Playout] = {
        "all-fives, at random": engine_playout(rules),
        "all-fives, as the expert plays them": bots_playout(rules, TO_THE_END),
        "all-fives, eight plays and a glance": bots_playout(rules, 8),
    }
    for name, made in (("dominoes", dominoes_playout), ("open_spiel", open_spiel_playout)):
        try:
            playouts[f"{name}, at random"] = made()
        except ImportError:
            print(f"{name} is not installed: left out (pip install {name})")
    best = dict.fromkeys(playouts, 0.0)
    for number in range(ROUNDS):
        for name, playout in playouts.items():
            best[name] = max(best[name], per_second(playout, number))
    print("playouts (hands) per second and core, shuffle and deal included:")
    for name, figure in best.items():
        print(f"  {name:38} {figure:>8,.0f}")


def bench_solver() -> None:
    """Endings of two players with everything open; the more tiles, the more positions."""
    print("the solver, all hands known, All Fives for two:")
    for tiles in (8, 10, 12, 14):
        positions, spent, slowest, number = 0, 0.0, 0.0, 12
        for seed in range(number):
            sitting = open_ending(seed, tiles).sitting
            hand = sitting.game.hand
            assert hand is not None
            start = time.process_time()
            solved = solve(rules_of(sitting.game), hand, MANY, winning=300)
            took = time.process_time() - start
            assert solved is not None
            positions += solved.positions
            spent, slowest = spent + took, max(slowest, took)
        print(
            f"  up to {tiles} tiles: {positions / spent:>8,.0f} positions a second; "
            f"{1000 * spent / number:,.1f} ms an ending, {1000 * slowest:,.0f} ms the slowest"
        )


def bench_moves() -> None:
    """Time of a move that leaves a choice; the slowest of every level over all rule sets, in which the table counts."""
    views: dict[tuple[str, int, str], list[SeatView]] = {}
    for table in TABLES:
        views[table] = [
            view for seed in range(12) if (view := has_choice(some_way_into_a_hand(table, 1000 + seed)[2].game))
        ]
    print("CPU time of a move with a choice, over all rule sets and numbers of players, in ms:")
    for name, level in LEVELS.items():
        times: list[tuple[float, str]] = []
        for table, asked in views.items():
            for view in asked:
                start = time.process_time()
                level.choose(view, 1)
                times.append((time.process_time() - start, table_name(table)))
        times.sort()
        slowest, where = times[-1]
        mean = sum(seconds for seconds, _ in times) / len(times)
        p99 = times[len(times) * 99 // 100][0]
        print(
            f"  {name:8} mean {milliseconds(mean):>7}   p99 {milliseconds(p99):>7}   "
            f"slowest {milliseconds(slowest):>7} ({where}); a table waits {1000 * level.think_seconds:,.0f}"
        )


def bench_strength(games: int, seed: int) -> None:
    print(f"who beats whom, on {cores()} cores; a draw counts half, intervals are 95 %:")
    for pairing in PAIRINGS:
        start = time.perf_counter()
        contest = Contest(
            ruleset=pairing.ruleset,
            players=pairing.players,
            seating=pairing.seating,
            games=max(4, games * pairing.games // 2000),
            seed=seed,
        )
        bots = (pairing.one, pairing.other)
        played = [game for series in matches(contest, bots, Patience(), cores()) for game in series]
        found = summary(whole_series(contest, played))
        held = "held" if found.share.high >= pairing.wanted else "MISSED"
        times = f"{milliseconds(found.records[0].mean_seconds)}, CPU {milliseconds(found.records[0].cpu_seconds)}"
        print(f"  {headline(contest, short_names(*bots))}, {found.games:,} games")
        print(
            f"    {percent(found.share)}, wanted {pairing.wanted:.0%}: {held}; points {signed(found.difference)}; "
            f"ms a move: {times}; "
            f"{time.perf_counter() - start:,.0f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the bots.")
    parser.add_argument("--games", type=int, default=100, help="games of every pairing; a search plays fewer")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--only", choices=["playouts", "solver", "moves", "strength"])
    asked = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "playouts": bench_playouts,
        "solver": bench_solver,
        "moves": bench_moves,
        "strength": lambda: bench_strength(asked.games, asked.seed),
    }
    for name, part in parts.items():
        if asked.only in (None, name):
            part()


if __name__ == "__main__":
    main()
