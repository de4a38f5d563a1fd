"""Tables and deals to play on: every rule set with every number of players and seating, and random house rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from app.engine.actions import Action, CloseClaim, Deal, Draw, Muggins, Pass, Play
from app.engine.errors import InvalidRules
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, phase, rules_of
from app.engine.legality import legal_moves
from app.engine.moves import Move
from app.engine.rulesets import RULE_SETS, resolve
from app.engine.tiles import NAMES
from tests.notation import Sitting

TABLES: list[tuple[str, int, str]] = [
    (name, int(players), seating)
    for name, ruleset in RULE_SETS.items()
    for players in ruleset.deal
    for seating in ruleset.seating[players]
]
"""Rule set, players and seating of every table there is without house rules."""


def table_name(table: tuple[str, int, str]) -> str:
    return f"{table[0]}, {table[1]} {table[2]}"


def shuffled(rng: random.Random) -> Deal:
    return Deal(order=tuple(rng.sample(NAMES, 28)), lot=rng.randrange(2))


def action_of(move: Move, seat: int) -> Action:
    match move.action:
        case "play":
            assert move.tile is not None
            return Play(seat=seat, tile=move.tile, end=move.end, lengthwise=move.lengthwise, announce=move.announce)
        case "draw":
            return Draw(seat=seat)
        case "pass":
            return Pass(seat=seat)
        case "muggins":
            return Muggins(seat=seat)


def random_action(game: Game, rng: random.Random) -> Action:
    """Something that may be done now, each about equally likely; a call may turn out to have nothing to take."""
    if phase(game) in (None, "over"):
        return shuffled(rng)
    if phase(game) == "claim" and rng.random() < 0.5:
        return CloseClaim()
    seats = [(seat, move) for seat in range(game.players) for move in legal_moves(game, seat)]
    if not seats:
        return CloseClaim()
    seat, move = rng.choice(seats)
    action = action_of(move, seat)
    if isinstance(action, Play) and rng.random() < 0.5:
        return Play(seat=seat, tile=action.tile, end=action.end, lengthwise=action.lengthwise, announce=5)
    return action


def played(
    ruleset: str, players: int, seating: str | None, house_rules: Mapping[str, object], seed: int
) -> Iterator[Sitting]:
    """A whole game of random play; yields the sitting after every action. Calls with nothing to take are skipped."""
    rng = random.Random(seed)
    started = new_game(ruleset, players, seating, house_rules)
    sitting = Sitting([started], evolve(None, started))
    while not sitting.game.over:
        action = random_action(sitting.game, rng)
        if isinstance(action, Muggins) and not has_something_to_take(sitting.game):
            continue
        sitting.act(action)
        yield sitting


def has_something_to_take(game: Game) -> bool:
    """Whether a call is worth anything now, right or wrong; a list of legal moves may not tell."""
    assert game.hand is not None
    window = game.hand.window
    return window is not None and (window.missed > 0 or rules_of(game).wrong_call_costs > 0)


seeds = st.integers(0, 2**32 - 1)
tables = st.sampled_from(TABLES)


@st.composite
def house_ruled(draw: st.DrawFn) -> tuple[str, int, str | None, dict[str, Any]]:
    """Rule set, players, seating and house rules that can be played; every field may be overridden."""
    name = draw(st.sampled_from(sorted(RULE_SETS)))
    players = draw(st.integers(2, 4))
    choices: dict[str, st.SearchStrategy[Any]] = {
        "direction": st.sampled_from(["clockwise", "counterclockwise"]),
        "first_lead": st.sampled_from(["lot", "highest_double"]),
        "next_lead": st.sampled_from(["went_out", "highest_double"]),
        "spinner": st.sampled_from(["none", "first_double", "every_double"]),
        "lengthwise_choice": st.booleans(),
        "cross_arms_open": st.sampled_from(["after_both_sides", "at_once"]),
        "drawing": st.booleans(),
        "boneyard_keep": st.integers(0, 6),
        "scoring": st.sampled_from(["fives", "none"]),
        "points_unit": st.sampled_from([1, 5]),
        "hand_end": st.sampled_from(["opponents_total", "each_opponent", "own_subtracted"]),
        "round_to": st.sampled_from([1, 5]),
        "block_tie": st.sampled_from(["nobody", "fewer_tiles"]),
        "claim": st.booleans(),
        "wrong_call_costs": st.sampled_from([0, 5]),
        "seating": st.sampled_from([{"4": ["solo"]}, {"4": ["pairs"]}, {"4": ["pairs", "solo"]}]),
    }
    rules = draw(st.fixed_dictionaries({}, optional=choices))
    rules["tiles_each"] = draw(st.integers(1, 28 // players))
    rules["target_points"] = draw(st.integers(1, 150))
    rules["max_hands"] = draw(st.integers(1, 6))
    try:
        _, seating = resolve(name, players, None, rules)
    except InvalidRules as refused:
        # What is at odds with something else goes; the rest is what the table plays.
        for problem in refused.problems:
            rules.pop(problem.path.split("/")[2], None)
        seating_or_none = None
        try:
            _, seating_or_none = resolve(name, players, None, rules)
        except InvalidRules:
            rules = {"tiles_each": rules.get("tiles_each", 5), "max_hands": 3}
            _, seating_or_none = resolve(name, players, None, rules)
        seating = seating_or_none
    return name, players, seating, rules
