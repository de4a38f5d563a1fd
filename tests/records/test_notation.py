"""The text notation: a record written down and read again plays the same; what is wrong in a text is found there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from app.engine.events import (
    ClaimOpened,
    GameEvent,
    HandEnded,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.records.judging import GAME_EVENTS
from app.records.notation import NOTATION, written
from app.records.parsing import Unreadable, read
from app.records.reading import games as games_in
from app.tables.shapes import FinishedHand, GameRecord
from tests.records import games


def bare(hand: FinishedHand) -> list[GameEvent]:
    """The game's events without what the notation leaves out: stamps, by whom, the moves a drawer had."""
    stripped: list[GameEvent] = []
    for event in hand.events:
        if not isinstance(event, GAME_EVENTS) or event.__struct_config__.tag == "game_ended":
            continue
        plain = replace(event, seq=0, at=None)
        if isinstance(plain, TilePlayed | TurnPassed):
            plain = replace(plain, by="player")
        elif isinstance(plain, TilesDrawn):
            plain = replace(plain, by="player", legal_moves=None)
        elif isinstance(plain, HandEnded):
            plain = replace(plain, next_hand_at=None)
        elif isinstance(plain, ClaimOpened):
            plain = replace(plain, deadline=None)
        stripped.append(plain)
    return stripped


def assert_the_same(record: GameRecord) -> None:
    text = written(record)
    copy, wrong = read(text.split("\n"))
    assert not wrong
    assert [bare(hand) for hand in copy.hands] == [bare(hand) for hand in record.hands]
    for name in (
        "table",
        "ruleset",
        "rules",
        "players",
        "seating",
        "target",
        "practice",
        "commitment",
        "started_at",
        "result",
    ):
        assert getattr(copy, name) == getattr(record, name), name
    assert [hand.proof for hand in copy.hands] == [hand.proof for hand in record.hands]
    assert [place.occupant.kind for place in copy.seats] == [place.occupant.kind for place in record.seats]
    assert written(copy) == text
    [again] = games_in(text.encode().splitlines(keepends=True))
    assert not again.report().findings


@pytest.mark.parametrize("table", games.TABLES, ids=lambda table: " ".join(map(str, table)))
def test_a_game_of_every_rule_set_comes_back(table: tuple[str, int, str]) -> None:
    ruleset, players, seating = table
    assert_the_same(games.played_by_bots(f"one {ruleset} {players}", ruleset, players, seating))


def test_house_rules_seeds_names_scripts_and_broken_off_games_come_back() -> None:
    rules = {"wrong_call_costs": 5, "tiles_each": 4}
    assert_the_same(games.played_by_bots("house", "all-fives-claim", 2, house_rules=rules))
    for make in (games.timed_out, games.forfeited, games.abandoned, games.scripted):
        assert_the_same(make("made"))


def test_a_hand_is_a_line_and_reads_like_a_game() -> None:
    record = games.played_by_bots("read", "all-fives", 2)
    lines = written(record).splitlines()
    assert lines[0] == NOTATION
    hands = [line for line in lines if line[0].isdigit()]
    assert len(hands) == len(record.hands)
    head, *parts = hands[0].split(" | ", 6)
    assert head == "1. 0 lot"
    assert len(parts) == 6
    assert len(max(hands, key=len)) < 500, "it is compact"


def test_a_bar_in_a_name_or_a_seed_parts_nothing() -> None:
    record = games.timed_out("bars")
    occupant = replace(record.seats[0].occupant, name='A | "B" | C')
    record = replace(record, seats=(replace(record.seats[0], occupant=occupant), record.seats[1]))
    copy, _ = read(written(record).split("\n"))
    assert copy.seats[0].occupant.name == 'A | "B" | C'
    assert copy.hands[0].proof == record.hands[0].proof


@pytest.fixture(scope="module")
def text() -> str:
    return written(games.played_by_bots("text", "all-fives", 2))


def changed(text: str, hand: int, part: int, change: Callable[[str], str]) -> str:
    lines = text.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith(f"{hand}. "))
    parts = lines[place].split(" | ", 6)
    before = parts[part]
    parts[part] = change(before)
    assert parts[part] != before
    lines[place] = " | ".join(parts)
    return "\n".join(lines)


ALTERED = [
    ("leader", 0, lambda part: part.replace(". 0", ". 1") if ". 0" in part else part.replace(". 1", ". 0"), "leader"),
    ("holdings", 1, lambda part: " / ".join(reversed(part.split(" / "))), "holdings[0]"),
    ("boneyard", 2, lambda part: " ".join(reversed(part.split())), "boneyard"),
    ("a move", 3, lambda part: " ".join(part.split()[1:]), "move"),
    ("no move", 3, lambda part: part + " xx", "move"),
    ("more points", 3, lambda part: part.replace("+5", "+15", 1).replace("+10", "+20", 1), "points"),
    ("points left out", 3, lambda part: part.replace("+5", "", 1).replace("+10", "", 1), "event"),
    ("the reason", 4, lambda part: part.replace("went_out", "blocked"), "reason"),
    ("who went out", 4, lambda part: part[:-1] + str(1 - int(part[-1])), "seat"),
    ("points at the end", 5, lambda part: "+99" + part[2:], "points[0]"),
    ("scores", 5, lambda part: part + "0", "scores[1]"),
    ("link", 6, lambda part: "0" * 64 + part[64:], "proof.link"),
    ("seeds", 6, lambda part: part.replace('""', '"x"', 1), "holdings[0]"),
]


@pytest.mark.parametrize(("name", "part", "change", "what"), ALTERED, ids=[case[0] for case in ALTERED])
def test_what_is_altered_in_a_text_is_found_in_its_hand(
    text: str, name: str, part: int, change: Callable[[str], str], what: str
) -> None:
    altered = changed(text, 2, part, change)
    [game] = games_in(altered.encode().splitlines(keepends=True))
    findings = game.report().findings
    assert (what, 2) in [(finding.what, finding.hand) for finding in findings], [str(finding) for finding in findings]
    assert {finding.hand for finding in findings} == {2}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (NOTATION, "all-fives-notation/9", "all-fives-notation/1"),
        ("ruleset: all-fives", "ruleset: whist", "whist"),
        ("players: 2 solo", "players: two", "players"),
        ("table: ", "tables: ", "table"),
        ("seats: house_bot", "seats: wizard", "seats"),
        ("result: ", "result: x ", "result"),
        (" lot | ", " | ", "line"),
        (" | ", " ", "seven parts"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, before: str, after: str, says: str) -> None:
    assert before in text
    [game] = games_in(text.replace(before, after).encode().splitlines(keepends=True))
    [finding] = game.report().findings
    assert says in str(finding)


def test_unreadable_is_raised_for_an_empty_text() -> None:
    with pytest.raises(Unreadable):
        read([])
