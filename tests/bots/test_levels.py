"""Our own bots: they see a seat's view and nothing else, always have a legal move, and are the same every time."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from app.bots.levels import LEVELS, HouseBots
from app.engine.actions import CloseClaim
from app.engine.events import MugginsCalled, PointsScored, TilePlayed
from app.engine.evolve import evolve
from app.engine.game import new_game, phase, turn
from app.engine.legality import verify
from app.engine.views import seat_view
from app.tables.seats import STAND_IN_LEVEL
from tests.engine.deals import TABLES, action_of, shuffled, table_name
from tests.notation import Sitting, sit

BOTS = HouseBots()


def game_of(
    table: tuple[str, int, str],
    levels: list[str],
    seed: int,
    forgetfulness: float = 0.0,
    house_rules: Mapping[str, object] | None = None,
) -> Sitting:
    """A whole game between bots."""
    rng = random.Random(seed)
    started = new_game(*table, house_rules)
    sitting = Sitting([started], evolve(None, started))
    while not sitting.game.over:
        if phase(sitting.game) in (None, "over"):
            sitting.act(shuffled(rng))
            continue
        # A table asks every bot once after a play, with a seed of the moment.
        asked = len(sitting.log) * 8
        calls = [
            (seat, call)
            for seat in range(table[1])
            if (call := BOTS.choose_call(levels[seat], seat_view(sitting.game, seat), asked + seat, forgetfulness))
        ]
        if calls:
            sitting.act(action_of(calls[0][1], calls[0][0]))
            continue
        seat = turn(sitting.game)
        if seat is None:
            sitting.act(CloseClaim())
            continue
        move = BOTS.choose(levels[seat], seat_view(sitting.game, seat), rng.getrandbits(64), forgetfulness)
        sitting.act(action_of(move, seat))
    return sitting


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_bots_finish_games_of_every_rule_set(table: tuple[str, int, str], level: str) -> None:
    assert game_of(table, [level] * table[1], seed=3).game.result is not None


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_the_expert_finishes_games_of_every_rule_set(table: tuple[str, int, str]) -> None:
    levels = ["expert", *["medium"] * (table[1] - 1)]
    assert game_of(table, levels, seed=3, house_rules={"max_hands": 6}).game.result is not None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_seed_give_the_same_move(level: str) -> None:
    view = seat_view(sit("55 52 64 21 | 50 53").game, 0)
    assert {BOTS.choose(level, view, 11, 0.0) for _ in range(5)} == {BOTS.choose(level, view, 11, 0.0)}


def test_easy_plays_any_legal_move() -> None:
    view = seat_view(sit("55 52 64 21 | 50 53").game, 0)
    chosen = {BOTS.choose("easy", view, seed, 0.0).tile for seed in range(200)}
    assert chosen == {"55", "52", "64", "21"}


@pytest.mark.parametrize(
    ("holding", "tile"),
    [
        ("50 41 64 31", "64"),
        ("66 31 50", "50"),
        ("44 65 21", "44"),
        ("21 63 43", "63"),
    ],
)
def test_medium_takes_the_most_points_then_doubles_then_the_heaviest_tile(holding: str, tile: str) -> None:
    assert BOTS.choose("medium", seat_view(sit(f"{holding} | 00 11").game, 0), 1, 0.0).tile == tile


def test_medium_counts_on_a_claim_table_as_well_and_announces_rightly() -> None:
    sitting = sit("50 41 64 31 | 60 11", ruleset="all-fives-claim")
    move = BOTS.choose("medium", seat_view(sitting.game, 0), 1, 0.0)
    assert (move.tile, move.announce) == ("64", 10)
    verify(sitting.game, action_of(move, 0))


def test_a_forgetful_bot_announces_nothing_and_calls_nothing() -> None:
    sitting = sit("64 31 | 60 11", ruleset="all-fives-claim")
    assert BOTS.choose("medium", seat_view(sitting.game, 0), 1, 1.0).announce is None
    sitting.plays("64")
    assert BOTS.choose_call("medium", seat_view(sitting.game, 1), 1, 1.0) is None
    assert BOTS.choose_call("medium", seat_view(sitting.game, 1), 1, 0.0) is not None


def test_a_bot_calls_only_what_was_missed() -> None:
    missed, worthless, scored = (sit("64 61 22 | 60 11", ruleset="all-fives-claim") for _ in range(3))
    missed.plays("64")
    worthless.plays("61")
    scored.plays("64:10")
    calls = [BOTS.choose_call("easy", seat_view(table.game, 1), 1, 0.0) for table in (missed, worthless, scored)]
    assert [call is not None for call in calls] == [True, False, False]
    assert BOTS.choose_call("easy", seat_view(missed.game, 0), 1, 0.0) is None


def test_rightly_announcing_bots_leave_nothing_to_call() -> None:
    log = game_of(("all-fives-claim", 4, "pairs"), ["medium"] * 4, seed=5).log
    assert any(isinstance(event, TilePlayed) and event.announce for event in log)
    assert not any(isinstance(event, MugginsCalled) for event in log)


def test_forgetful_bots_miss_and_the_others_take_it() -> None:
    log = game_of(("all-fives-claim", 2, "solo"), ["medium"] * 2, seed=5, forgetfulness=0.3).log
    assert any(isinstance(event, MugginsCalled) for event in log)
    assert any(isinstance(event, PointsScored) and event.reason == "play" for event in log)


def test_a_seat_that_is_not_on_turn_has_no_move() -> None:
    view = seat_view(sit("55 52 | 50 53").game, 1)
    for level in LEVELS:
        with pytest.raises(ValueError, match="not on turn"):
            BOTS.choose(level, view, 1, 0.0)


def test_medium_beats_easy() -> None:
    """40 games with changing seats; by chance alone 30 wins or more happen once in 1,000 tries."""
    wins = 0
    for seed in range(40):
        levels = ["medium", "easy"] if seed % 2 else ["easy", "medium"]
        result = game_of(("all-fives", 2, "solo"), levels, seed).game.result
        assert result is not None
        wins += result.winner is not None and levels[result.winner] == "medium"
    assert wins >= 30


def test_the_level_that_stands_in_exists_and_every_level_says_how_long_it_thinks() -> None:
    assert STAND_IN_LEVEL in LEVELS
    assert list(LEVELS) == ["easy", "medium", "hard", "expert"]
    assert all(0 <= level.think_seconds <= 1 for level in LEVELS.values())


def test_forgetful_bots_too_ask_only_for_what_is_allowed() -> None:
    for table in TABLES:
        assert game_of(table, ["easy"] * table[1], seed=8, forgetfulness=0.5).game.over
