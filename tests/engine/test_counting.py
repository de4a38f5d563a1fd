"""The count (RULES.md, "The count"): what every layout is worth."""

from __future__ import annotations

import pytest

from app.engine.events import End
from tests.notation import counts, play

COUNTED = [
    ("the worked example: spinner and four arms", "all-fives", "55 50>55 53>55 52>55.up 65>55.down", "10 10 3 5 11"),
    ("a double counts twice until it is covered", "all-fives", "64 44>64 41>44", "10 14 7"),
    ("the same without a spinner", "muggins-british", "64 44>64 41>44", "10 14 7"),
    (
        "a later double becomes the spinner",
        "all-fives",
        "64 44>64 60>64 41>44.right 42>44.up 43>44.down",
        "10 14 8 1 3 6",
    ),
    ("only the first double has short sides", "all-fives", "31 11>31 33>31 53>33 51>11", "4 5 8 7 10"),
    ("a blank spinner counts nothing", "all-fives", "00 60>00 50>00 40>00.up 30>00.down", "0 6 11 15 18"),
    ("five up: every double is a spinner", "five-up", "55 65>55 66>65 61>66 62>66.up 51>55", "10 16 22 11 13 4"),
    ("sniff: across, the lead is a spinner", "sniff", "44 64>44 54>44", "8 14 11"),
    ("sniff: lengthwise, both halves count when alone", "sniff", "44~ 64>44 54>44", "8 10 11"),
    ("sniff: lengthwise at an end counts once", "sniff", "64 44>64~ 54>44", "10 10 11"),
    (
        "sniff: a lengthwise double is a spinner all the same",
        "sniff",
        "64 44>64~ 54>44 41>44.up 42>44.down",
        "10 10 11 12 14",
    ),
    (
        "at once: the spinner counts until both sides are covered",
        "all-fives-150",
        "55 52>55.up 50>55.left 54>55.right",
        "10 12 12 6",
    ),
    ("at once: a short arm first, then a long side", "all-fives-150", "33 30>33.down 63>33 53>33", "6 6 12 11"),
    ("at once: a later spinner has its arms open too", "all-fives-150", "43 33>43 53>33.up 30>33.down", "7 10 15 15"),
    ("draw: no spinner, two ends", "draw", "66 62>66 61>66", "12 14 3"),
]


@pytest.mark.parametrize(
    ("ruleset", "plays", "expected"), [row[1:] for row in COUNTED], ids=[row[0] for row in COUNTED]
)
def test_a_layout_counts(ruleset: str, plays: str, expected: str) -> None:
    assert [count for count, _ in counts(plays, ruleset)] == [int(count) for count in expected.split()]


def test_cross_arms_that_are_open_but_empty_count_nothing() -> None:
    assert counts("55 50>55.left 53>55.right 52>55.up 65>55.down") == [(10, 10), (10, 10), (3, 0), (5, 5), (11, 0)]
    for step in play("55 50>55.left 53>55.right 52>55.up 65>55.down").steps:
        assert sum(end.counts or 0 for end in step.ends) == step.count
        assert all(end.counts == 0 for end in step.ends if end.end in ("55.up", "55.down"))


@pytest.mark.parametrize("ruleset", ["all-fives", "muggins-british"])
def test_a_double_uses_up_the_end_it_is_laid_on(ruleset: str) -> None:
    assert counts("64 44>64.right 41>44.right", ruleset) == [(10, 10), (14, 0), (7, 0)]


TREE = (
    "55 65>55.left 50>55.right 60>50.right 66>60.right 62>66.right 21>62.right 63>66.up 64>66.down 51>55.up "
    "54>55.down 11>51.right 10>11.right 41>11.up 61>11.down 00>10.right 40>00.right 30>00.up 20>00.down"
)


def test_a_tree_of_four_spinners_counts_and_scores_one_point_per_five() -> None:
    calculation = play(TREE, "five-up")
    assert [step.count for step in calculation.steps] == [
        *(10, 16, 6, 12, 18, 8, 7, 10, 14, 15, 19, 20, 18, 22, 28, 28, 32, 35, 37)
    ]
    scored = {number: step.points for number, step in enumerate(calculation.steps, 1) if step.points}
    assert scored == {1: 2, 8: 2, 10: 3, 12: 4, 18: 7}
    assert len([end for end in calculation.layout.ends if end.open]) == 10


def test_the_highest_score_with_one_spinner_is_35() -> None:
    assert counts("00 60>00 50>00 40>00.up 30>00.down 53>30 66>60 55>50 44>40")[-1] == (35, 35)


def test_zero_scores_nothing_and_five_ups_unit_is_a_fifth() -> None:
    assert counts("00") == [(0, 0)]
    assert counts("55", "five-up") == [(10, 2)]
    assert counts("55", "draw") == [(10, 0)]


def ends(plays: str, ruleset: str = "all-fives") -> list[tuple[str, int, str, bool, int | None]]:
    def row(end: End) -> tuple[str, int, str, bool, int | None]:
        return end.end, end.number, end.kind, end.open, end.counts

    return [row(end) for end in play(plays, ruleset).layout.ends]


def test_a_lone_spinner_shows_four_ends_two_of_them_shut() -> None:
    assert ends("55") == [
        ("55.left", 5, "long", True, 5),
        ("55.right", 5, "long", True, 5),
        ("55.up", 5, "short", False, 0),
        ("55.down", 5, "short", False, 0),
    ]


def test_short_sides_open_when_both_long_sides_are_covered() -> None:
    assert ends("55 50>55.right") == [
        ("55.left", 5, "long", True, 10),
        ("55.up", 5, "short", False, 0),
        ("55.down", 5, "short", False, 0),
        ("50.right", 0, "half", True, 0),
    ]
    assert ("55.up", 5, "short", True, 0) in ends("55 50>55.right 53>55.left")


def test_an_ordinary_double_has_no_short_sides() -> None:
    assert ends("55", "draw") == [("55.left", 5, "long", True, 5), ("55.right", 5, "long", True, 5)]
    assert [name for name, *_ in ends("31 11>31 33>31")] == ["33.right", "11.right", "11.up", "11.down"]


def test_a_name_stays_valid_until_the_end_is_covered() -> None:
    """A later double becomes the spinner; nothing is re-rooted, and tiles stay in order of play."""
    before = {name for name, *_ in ends("64")}
    assert "64.left" in before
    assert "64.left" in {name for name, *_ in ends("64 44>64.right")}
    assert "64.left" not in {name for name, *_ in ends("64 44>64.right 60>64.left")}
    order = [laid.tile for laid in play("64 44>64.right 60>64.left 41>44.right 42>44.up").layout.tiles]
    assert order == ["64", "44", "60", "41", "42"]


def test_left_and_right_are_the_numbers_at_a_tiles_two_sides() -> None:
    tiles = play("64 60>64.left 44>64.right 43>44").layout.tiles
    assert [(laid.tile, laid.end, laid.left, laid.right) for laid in tiles] == [
        ("64", "lead", 6, 4),
        ("60", "64.left", 6, 0),
        ("44", "64.right", 4, 4),
        ("43", "44.right", 4, 3),
    ]
    assert [(laid.tile, laid.spinner) for laid in tiles if laid.spinner] == [("44", True)]


def test_two_ends_of_one_number_count_differently() -> None:
    """Why an end is never named by its number."""
    shown = {name: (number, counted) for name, number, _, _, counted in ends("41 44>41 61>41 64>61 ")}
    assert shown["44.right"] == (4, 8)
    assert shown["64.right"] == (4, 4)
