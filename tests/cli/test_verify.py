"""`allfives verify`, `notation` and `practice`, as one types them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from app.cli import main
from app.records import reading
from tests.records import games


def run(*arguments: str, typed: bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=typed)


def altered() -> dict[str, Any]:
    """A record with a count that is wrong in its second hand."""
    document = games.fresh("cli")
    played = [event for event in document["hands"][1]["events"] if event["type"] == "tile_played"]
    played[2]["count"] += 5
    return document


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """A server that always says the same; its address."""

    class Same(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Same) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


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

    def test_what_is_wrong_with_all_of_a_record_is_said_once_and_what_was_found_is_what_is_there(self) -> None:
        other = games.fresh("cli")
        for field, value, says in (
            ("ruleset", {"id": "nope", "house_rules": {}}, "ruleset: expected rules that can be played (There is no"),
            ("players", 7, "players: expected rules that can be played ("),
        ):
            ended = run("verify", "--quiet", "-", typed=json.dumps({**other, field: value}).encode())
            assert f"record: {says}" in ended.stdout
            assert ended.stdout.endswith(f"), found {'nope' if field == 'ruleset' else 7}\n")
        ended = run("verify", "--quiet", "-", typed=b"{}")
        assert ended.stdout.startswith("-:1: record: expected what docs/records.md says (Object missing required")
        broken = b"all-fives-notation/1\ntable: x\nwhat?\n"
        ended = run("verify", "--quiet", "-", typed=broken)
        assert ended.stdout.startswith("-:1: record: expected a game in the notation (line 3 is neither")

    @pytest.mark.parametrize("command", ["verify", "notation", "analyse"])
    def test_nothing_of_a_file_breaks_a_line_or_reaches_a_terminal_as_a_control(self, command: str) -> None:
        named = {**games.fresh("cli"), "table": "X\nY\x9b\u202e"}
        for typed, shown in (
            (
                json.dumps(named).encode(),
                r"table X\nY\x9b\u202e: record: table: expected an id in one line, found X\nY",
            ),
            (b"\a\x1b[2Jno record", r"found \x07\x1b[2Jno record"),
            (
                json.dumps({**games.fresh("cli"), "commitment": "a\rb", "hands": []}).encode(),
                r"64 hex digits, found a\rb",
            ),
        ):
            ended = run(command, "-", typed=typed)
            assert ended.exit_code == 1
            assert shown in ended.output
            assert all(line.isprintable() for line in ended.output.split("\n"))
            assert all(line.startswith(("-:1", "Games: ")) for line in ended.output.splitlines())

    @pytest.mark.parametrize("command", ["verify", "notation", "analyse", "practice"])
    @pytest.mark.parametrize("typed", [b"", b"\n \n"])
    def test_a_file_without_a_game_is_said_in_one_line(self, command: str, typed: bytes, tmp_path: Path) -> None:
        ended = run(command, "-", typed=typed)
        assert (ended.exit_code, ended.stdout) == (1, "")
        assert ended.stderr == "allfives: standard input has no game\n"
        file = tmp_path / "empty"
        file.write_bytes(typed)
        assert run(command, str(file)).stderr == f"allfives: {file} has no game\n"

    def test_a_file_that_is_not_there_is_said_in_one_line(self) -> None:
        ended = run("verify", "/nowhere/record.json")
        assert ended.exit_code == 1
        assert ended.stderr == "allfives: /nowhere/record.json cannot be read: No such file or directory\n"


class TestNotation:
    def test_what_it_writes_verifies(self, record: Path) -> None:
        text = run("notation", str(record))
        assert text.stdout.startswith("all-fives-notation/1\ntable: cli\n")
        assert run("verify", "-", typed=text.stdout.encode()).exit_code == 0

    @pytest.mark.parametrize("typed", [b"{}", b"{", json.dumps(altered()).encode()], ids=["empty", "cut", "altered"])
    def test_what_is_wrong_is_not_written_but_said_as_verify_says_it(self, record: Path, typed: bytes) -> None:
        ended = run("notation", "-", str(record), typed=typed)
        assert ended.exit_code == 1
        assert ended.stderr == run("verify", "--quiet", "-", typed=typed).stdout != ""
        assert ended.stdout == run("notation", str(record)).stdout, "the right game is written all the same"

    def test_a_name_breaks_neither_a_line_nor_a_terminal(self) -> None:
        named = games.as_json(games.timed_out("cli"))
        named["seats"][0]["occupant"] |= {"name": "a\n|\x9b\u202e\U000e0001b"}
        text = run("notation", "-", typed=json.dumps(named).encode())
        assert text.exit_code == 0
        assert all(line.isprintable() for line in text.stdout.split("\n"))
        [game] = reading.games(text.stdout.encode().splitlines(keepends=True))
        assert game.record is not None
        assert game.record.seats[0].occupant.name == named["seats"][0]["occupant"]["name"]


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

    @pytest.mark.parametrize(
        ("url", "says"),
        [
            ("http://127.0.0.1:1", "http://127.0.0.1:1 does not answer (Connection refused)"),
            ("foo", "--url foo is no address of a server: write it like http://127.0.0.1:8000"),
            ("ftp://foo", "--url ftp://foo is no address of a server: write it like http://127.0.0.1:8000"),
            ("http://", "--url http: is no address of a server: write it like http://127.0.0.1:8000"),
        ],
    )
    def test_a_server_that_is_not_there_is_said_in_one_line(self, record: Path, url: str, says: str) -> None:
        ended = run("practice", str(record), "--url", url)
        assert (ended.exit_code, ended.stdout) == (1, "")
        assert ended.stderr == f"allfives: {says}\n"

    @pytest.mark.parametrize(
        ("status", "answer", "says"),
        [
            (401, b'{"code":"unauthenticated","detail":"No such\\ntoken."}', "401 unauthenticated: No such\\ntoken."),
            (404, b"<html>", "is no All Fives service: POST /tables gives 404 Not Found, and no JSON"),
            (200, b"<html>", "is no All Fives service: POST /tables gives 200 OK, and no JSON"),
            (502, b"[]", "is no All Fives service: POST /tables gives 502 Bad Gateway, and no JSON"),
        ],
    )
    def test_what_a_server_has_against_it_is_said_in_one_line(
        self, record: Path, status: int, answer: bytes, says: str
    ) -> None:
        with answering(status, answer) as url:
            ended = run("practice", str(record), "--url", url, "--token", "x")
        assert ended.exit_code == 1
        assert ended.stderr in (f"allfives: POST /tables: {says}\n", f"allfives: {url} {says}\n")

    def test_a_token_that_cannot_be_one_is_said(self, record: Path) -> None:
        ended = run("practice", str(record), "--url", "http://127.0.0.1:1", "--token", "é\n")
        assert ended.stderr == "allfives: --token holds characters that no token has\n"
