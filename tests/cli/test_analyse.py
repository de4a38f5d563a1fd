"""`allfives analyse`, as one types it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from app.analysis.shapes import HandAnalysis
from app.cli import main
from app.cli.analyse import hand_table, seats_table
from app.records.notation import written
from tests.records import games
from tests.tables.room import Room


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, ["analyse", *arguments], input=typed)


def blunder(table_name: str = "blunder") -> dict[str, Any]:
    """A game with one finished hand. Ann leads 50 and then lays 55: the other way round it was worth 5 more."""
    room = games.room_of(table_name)
    table = room.practice("55 50 | 21 42", house_rules={"deal": {"2": 2}, "drawing": False})
    _play(room, table)
    return games.as_json(room.tables.record(room.ann, table))


def _play(room: Room, table: str) -> None:
    room.play(room.ann, table, "50")
    room.play(room.bob, table, "pass")
    room.play(room.ann, table, "55>50.left")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / f"{'long' * 40}.json"
    file.write_text(json.dumps(blunder(), indent=2))
    return file


def test_a_hand_is_a_table_of_moves_and_every_seats_cost_stands_below(record: Path) -> None:
    ended = run(str(record))
    assert ended.exit_code == 0, ended.output
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in ended.stdout.splitlines() if "│" in line]
    assert lines[0][:5] == ["1", "0", "50 +5", "55 +10", "5"]
    assert lines[1] == ["2", "1", "pass", "", "forced", ""]
    assert lines[2][2] == "55>50.left +10"
    assert lines[3][:4] == ["0", "1", "1", "5"]
    assert ended.stdout.startswith(f"{record}:1 table blunder: all-fives, 2 solo")
    assert ended.stderr == ""


def test_the_longest_move_and_the_largest_figures_fit_80_columns() -> None:
    play: dict[str, Any] = {"tile": "44", "end": "64.right", "lengthwise": True, "points": 35}
    other = {**play, "tile": "66", "chosen": False, "expected": 0.0, "error": None, "game": 0.0}
    cost = {"cost": 645.65, "error": 12.34, "expected_cost": 645.65, "expected_error": 12.34, "deals": 300}
    move = {"move": 100, "seq": None, "seat": 3, "side": 3, "by": "player", "action": "play", "tiles": None}
    move |= {"forced": False, "method": "estimate"}
    alternatives = [{**other, "open": None, "open_game": None}]
    seat = {"seat": 3, "side": 3, "choices": 1000, "exact": 1000, "cost": 1234.56, "exact_cost": 1234.56}
    seat |= {"estimated_cost": 1234.56, "expected_cost": 1234.56}
    hand = {"hand": 1, "game_worth": 300, "moves": [{**move, **play, **cost, "alternatives": alternatives}]}
    analysed = msgspec.convert({**hand, "seats": [seat]}, HandAnalysis)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(hand_table(analysed), seats_table(analysed.seats))
    [row, caption, total] = [
        line for line in console.export_text().splitlines() if "│" in line or "an estimate" in line
    ]
    cells = [cell.strip() for cell in row.split("│")[1:-1]]
    assert cells == ["100", "3", "44>64.right~ +35", "66>64.right~ +35", "≈645.65", "645.65 ± 12.34"]
    assert caption.startswith("≈ an estimate")
    assert total.count("1234.56") == 4


def test_machines_get_one_object_a_game(record: Path) -> None:
    ended = run("--json", str(record), "-", typed=json.dumps(blunder("other")))
    one, other = (json.loads(line) for line in ended.stdout.splitlines())
    assert (one["source"], one["table"], other["table"]) == (f"{record}:1", "blunder", "other")
    assert [move["cost"] for move in one["hands"][0]["moves"]] == [5, 0, 0]
    assert one["seats"][0]["exact_cost"] == 5
    assert one["findings"] == []
    assert ended.exit_code == 0


def test_one_game_and_one_hand_can_be_chosen(tmp_path: Path, record: Path) -> None:
    both = tmp_path / "both.ndjson"
    both.write_text("\n".join(json.dumps(game) for game in (games.fresh("cli"), blunder())))
    chosen = run("--json", "--table", "blunder", "--hand", "1", str(both))
    assert [json.loads(line)["table"] for line in chosen.stdout.splitlines()] == ["blunder"]
    nothing = run("--hand", "2", str(record))
    assert nothing.exit_code == 1
    assert "no such game or hand" in nothing.stderr
    assert run("--table", "third", str(both)).exit_code == 1


def test_the_notation_is_read_as_well() -> None:
    text = written(games.again(blunder()))
    game = json.loads(run("--json", "-", typed=text).stdout)
    assert [(move["cost"], move["seq"]) for move in game["hands"][0]["moves"]] == [(5, None), (0, None), (0, None)]


@pytest.mark.parametrize("typed", ["", "no record\n", "{}", '{"format": "all-fives-record/1"'])
def test_what_is_no_record_is_said_as_verify_says_it(typed: str) -> None:
    ended = run("-", typed=typed)
    verified = CliRunner().invoke(main, ["verify", "--quiet", "-"], input=typed)
    assert ended.exit_code == verified.exit_code == 1
    assert ended.stdout == verified.stdout
    assert ended.stderr == verified.stderr


def test_a_record_that_is_wrong_is_not_analysed_and_what_is_wrong_is_said() -> None:
    altered = blunder()
    next(event for event in altered["hands"][0]["events"] if event["type"] == "points_scored")["points"] = 10
    ended = run("-", typed=json.dumps(altered))
    verified = CliRunner().invoke(main, ["verify", "--quiet", "-"], input=json.dumps(altered))
    assert ended.exit_code == 1
    assert ended.stdout == verified.stdout
    assert "hand 1, move 1" in ended.stdout
    machine = json.loads(run("--json", "-", typed=json.dumps(altered)).stdout)
    assert (machine["hands"], len(machine["findings"])) == ([], len(ended.stdout.splitlines()))


def test_a_file_that_is_not_there_is_said_in_one_line() -> None:
    ended = run("/nowhere/record.json")
    assert ended.exit_code == 1
    assert ended.stderr == "allfives: /nowhere/record.json cannot be read: No such file or directory\n"
