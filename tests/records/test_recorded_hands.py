"""Recorded games are found right by our verifier, and by a second one that shares no code with the service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.records.verify import verify
from app.tables.shapes import GameRecord
from tests.records import games
from tests.records.plain_verifier import complaints


def assert_right(record: GameRecord) -> int:
    """Both verifiers find nothing; the number of hands."""
    document = games.as_json(record)
    report = verify(games.again(document))
    assert not report.findings, "\n".join(map(str, report.findings))
    assert not complaints(document)
    assert report.hands == len(record.hands)
    return report.hands


@pytest.mark.parametrize("table", games.TABLES, ids=lambda table: " ".join(map(str, table)))
def test_a_game_of_every_rule_set_is_right(table: tuple[str, int, str]) -> None:
    ruleset, players, seating = table
    assert assert_right(games.played_by_bots(f"one {ruleset} {players}", ruleset, players, seating))


@pytest.mark.slow
def test_a_thousand_hands_of_every_rule_set_are_right() -> None:
    hands = 0
    for number in range(1000):
        ruleset, players, seating = games.TABLES[number % len(games.TABLES)]
        hands += assert_right(games.played_by_bots(f"thousand {number}", ruleset, players, seating))
        if hands >= 1000 and number % len(games.TABLES) == len(games.TABLES) - 1:
            break
    assert hands >= 1000


@pytest.mark.parametrize(
    "house_rules",
    [
        {"wrong_call_costs": 5},
        {"boneyard_keep": 2, "direction": "counterclockwise", "hand_end": "own_subtracted", "max_hands": 5},
        {"tiles_each": 3, "target_points": 40, "spinner": "every_double", "lengthwise_choice": False},
    ],
)
def test_a_game_under_house_rules_is_right(house_rules: dict[str, object]) -> None:
    assert_right(games.played_by_bots("house", "all-fives-claim", 2, house_rules=house_rules))


def test_a_game_of_a_person_whose_turns_expire_is_right() -> None:
    record = games.timed_out("timed out")
    assert record.hands[0].proof is not None
    assert record.hands[0].proof.client_seeds == ("Ann | ünter", "")
    types = {event.__struct_config__.tag for hand in record.hands for event in hand.events}
    assert {"turn_timed_out", "stand_in_seated", "seat_reclaimed"} <= types
    assert_right(record)


def test_a_forfeit_and_an_abandoned_game_are_right() -> None:
    for record, reason in ((games.forfeited("forfeit"), "forfeit"), (games.abandoned("abandoned"), "abandoned")):
        assert record.result is not None
        assert record.result.reason == reason
        assert_right(record)


def test_a_practice_table_is_right_and_its_scripted_hand_needs_no_proof() -> None:
    record = games.scripted("scripted")
    assert (record.hands[0].proof, record.hands[0].lead_by) == (None, "scripted")
    assert assert_right(record) >= 2


def test_a_game_that_is_not_over_is_right_as_far_as_it_went() -> None:
    document = games.fresh("unfinished")
    del document["hands"][3:]
    document["result"] = None
    report = verify(games.again(document))
    assert (report.findings, report.hands) == ((), 3)
    assert report.notes == ("The game is not over.",)
    assert not complaints(document)


def test_the_second_verifier_loads_nothing_of_the_service() -> None:
    code = (
        "import sys, tests.records.plain_verifier; print([name for name in sys.modules if name.split('.')[0] == 'app'])"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, check=True)
    assert ended.stdout.strip() == b"[]"
