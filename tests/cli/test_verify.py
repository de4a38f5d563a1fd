"""`allfives verify`, `notation` and `practice`, as one types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from app.cli import main
from tests.records import games


def run(*arguments: str, typed: bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=typed)


def altered() -> dict[str, Any]:
    """A record with a count that is wrong in its second hand."""
    document = games.fresh("cli")
    played = [event for event in document["hands"][1]["events"] if event["type"] == "tile_played"]
    played[2]["count"] += 5
    return document


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(games.fresh("cli"), indent=2))
    return file


class TestVerify:
    def test_a_right_record_is_said_to_be_right(self, record: Path) -> None:
        ended = run("verify", str(record))
        assert ended.exit_code == 0
        assert "table cli: right" in ended.stdout
        assert "Games: 1, wrong: 0." in ended.stdout

    def test_what_is_wrong_is_named_and_the_exit_is_1(self) -> None:
        ended = run("verify", "-", typed=json.dumps(altered()).encode())
        assert ended.exit_code == 1
        line = next(line for line in ended.stdout.splitlines() if "count" in line)
        assert "hand 2, move" in line
        assert "expected" in line
        assert "found" in line

    def test_a_record_is_held_to_the_commitment_that_was_seen(self, record: Path) -> None:
        committed = games.fresh("cli")["commitment"]
        assert run("verify", "--commitment", committed.upper(), str(record)).exit_code == 0
        ended = run("verify", "--commitment", "0" * 64, str(record))
        assert ended.exit_code == 1
        assert f"record: commitment: expected {'0' * 64}, found {committed}" in ended.stdout

    def test_many_games_are_judged_one_by_one(self, tmp_path: Path) -> None:
        file = tmp_path / "many.ndjson"
        file.write_text("\n".join(json.dumps(one) for one in (games.fresh("cli"), altered(), games.fresh("cli"))))
        ended = run("verify", str(file))
        assert ended.exit_code == 1
        assert "Games: 3, wrong: 1." in ended.stdout
        quiet = run("verify", "--quiet", str(file))
        assert [line.split(" ")[0] for line in quiet.stdout.splitlines()] == [f"{file}:2"]

    def test_machines_get_one_object_a_game(self, record: Path) -> None:
        ended = run("verify", "--json", str(record), "-", typed=json.dumps(altered()).encode())
        right, wrong = (json.loads(line) for line in ended.stdout.splitlines())
        assert (right["right"], right["finished"], right["table"], right["findings"]) == (True, True, "cli", [])
        assert right["source"] == f"{record}:1"
        [finding] = wrong["findings"]
        assert (finding["hand"], finding["what"], finding["found"] - finding["expected"]) == (2, "count", 5)
        assert finding["text"].startswith("hand 2, move")
        assert ended.exit_code == 1

    @pytest.mark.parametrize("typed", [b"", b"no record\n", b"{}", b'{"format": "all-fives-record/1"'])
    def test_no_record_is_not_right(self, typed: bytes) -> None:
        assert run("verify", "-", typed=typed).exit_code == 1

    def test_a_file_that_is_not_there_is_said_in_one_line(self) -> None:
        ended = run("verify", "/nowhere/record.json")
        assert ended.exit_code == 1
        assert ended.stderr == "allfives: /nowhere/record.json cannot be read: No such file or directory\n"


class TestNotation:
    def test_what_it_writes_verifies(self, record: Path) -> None:
        text = run("notation", str(record))
        assert text.stdout.startswith("all-fives-notation/1\ntable: cli\n")
        assert run("verify", "-", typed=text.stdout.encode()).exit_code == 0

    def test_what_cannot_be_read_cannot_be_written(self) -> None:
        assert run("notation", "-", typed=b"{}").exit_code == 1


class TestPractice:
    def test_it_prints_a_body_with_bots_for_the_deal(self, record: Path) -> None:
        ended = run("practice", str(record), "--hand", "2", "--seat", "0")
        body = json.loads(ended.stdout)
        assert body["practice"]["holdings"] == games.fresh("cli")["hands"][1]["holdings"]
        assert (body["sit"], body["bots"]) == (True, [{"seat": 1, "level": "medium"}])
        assert ended.stderr == ""

    def test_after_moves_it_tells_them_beside_the_body(self, record: Path) -> None:
        ended = run("practice", str(record), "--hand", "1", "--move", "2")
        assert "bots" not in json.loads(ended.stdout)
        told = [line.split(": ", 1)[1] for line in ended.stderr.splitlines()]
        assert [json.loads(move)["action"] for move in told] == ["play", json.loads(told[1])["action"]]
        assert json.loads(told[0])["end"] == "lead"

    def test_it_takes_a_text_and_a_table_among_many(self, tmp_path: Path, record: Path) -> None:
        text = tmp_path / "games.txt"
        other = msgspec.json.encode(games.played_by_bots("other", "five-up", 3))
        text.write_text(run("notation", str(record), "-", typed=other).stdout)
        body = json.loads(run("practice", str(text), "--table", "other").stdout)
        assert (body["ruleset"], body["players"]) == ("five-up", 3)
        assert "no game of table third" in run("practice", str(text), "--table", "third").stderr

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [(("--hand", "99"), "hands 1 to"), (("--move", "999"), "moves"), (("--seat", "3"), "seats 0 to 1")],
    )
    def test_a_point_that_is_not_there_is_said(self, record: Path, arguments: tuple[str, ...], says: str) -> None:
        ended = run("practice", str(record), *arguments)
        assert ended.exit_code == 1
        assert says in ended.stderr

    def test_a_server_that_does_not_answer_is_said(self, record: Path) -> None:
        ended = run("practice", str(record), "--url", "http://127.0.0.1:9")
        assert ended.exit_code == 1
        assert "does not answer" in ended.stderr
