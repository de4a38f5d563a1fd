"""`allfives bot` before anything is played: what is in the way is one clear line, and whose token is used is said."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import bot as command
from app.cli import main
from app.kit import server
from app.kit.gamelog import own_folder
from tests.kit.stand_in import Answer, Asked, Says, StandIn, problem

ME = {"id": "P1", "name": "Bot", "kind": "bot", "created_at": "2026-01-01T00:00:00Z"}

OFFER = {
    "levels": ["easy", "medium"],
    "rulesets": ["all-fives", "nosuch"],
    "players": {"min": 2, "max": 4, "default": 2},
    "clock": {"turn_seconds": {"min": 1, "max": 86400, "default": 60}},
    "turn_seconds_may_be_null": True,
}


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """One try; but a busy machine may take its time over it."""
    monkeypatch.setattr(command, "PATIENCE", 0.0)
    monkeypatch.setattr(server, "AT_LEAST", 15.0)
    monkeypatch.delenv("ALLFIVES_TOKEN", raising=False)


def run(folder: Path, bot: str, *options: str, **environ: str) -> Result:
    line = ["bot", bot, "--logs", str(folder / "logs"), "--token-file", str(folder / "token"), *options]
    return CliRunner().invoke(main, line, env=environ, prog_name="allfives")


@pytest.mark.parametrize(
    ("bot", "options", "said"),
    [
        ("hardest", [], "hardest is neither a level (easy, medium, hard, expert) nor a Python file"),
        ("nowhere.py", [], "nowhere.py cannot be read: No such file or directory"),
        ("hard", ["--url", "nonsense"], "nonsense is no address of a server; one looks like http://127.0.0.1:8000"),
        ("hard", ["--url", "http://127.0.0.1:9"], "http://127.0.0.1:9: Connection refused"),
        ("hard", ["--house-rule", "target_points"], "'target_points' is not name=value"),
    ],
)
def test_what_is_in_the_way_is_one_line(tmp_path: Path, bot: str, options: list[str], said: str) -> None:
    ended = run(tmp_path, bot, *options)
    assert ended.exit_code in (1, 2)
    assert said in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


def test_a_log_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    ended = run(tmp_path, "hard")
    assert ended.stderr == f"allfives: {tmp_path / 'logs'} cannot be written: File exists\n"


class House:
    """A server with one player, who has no games and gets none."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, asked: Asked) -> Answer:
        if asked.path == "/v1/options":
            return Says(200, OFFER)
        if asked.method == "POST" and asked.path == "/v1/players":
            return Says(201, {"player": ME, "token": self.token})
        if asked.headers.get("Authorization") != f"Bearer {self.token}":
            return problem(401, "unauthenticated")
        nothing = Says(200, {"items": [], "next_cursor": None})
        answers: dict[str, Answer] = {
            "/v1/me": Says(200, ME),
            "/v1/me/tables": nothing,
            "/v1/me/invitations": nothing,
            "/v1/me/events": Says(200, {"events": [], "next_after": 0}),
            "/v1/me/stream": Says(200, b": welcome\n\n", {"Content-Type": "text/event-stream"}),
            "/v1/tickets": Says(422, {"code": "invalid", "errors": [{"path": "/ruleset", "detail": "No such one."}]}),
        }
        return answers.get(asked.path.partition("?")[0], problem(404, "not_found"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ruleset", "blockk"], "--ruleset: There is no rule set 'blockk'; choose one of all-fives, nosuch."),
        (["--seating", "pairs"], "--seating: 2 players sit solo here, not 'pairs'."),
        (["--house-rule", "max_hand=1"], "--house-rule max_hand: There is no house rule 'max_hand'"),
        (["--house-rule", 'deal={"2":"x"}'], "--house-rule deal.2: Must be a whole number"),
        (["--clock", "turn_second=1"], "--clock turn_second: There is no such time; choose one of turn_seconds."),
        (["--clock", "turn_seconds=0.5"], "--clock turn_seconds: Must be a number from 1 to 86400."),
        (["--clock", "turn_seconds=soon"], "--clock turn_seconds: Must be a number from 1 to 86400."),
        (["--bots", "hrad", "--bots-after", "0"], "--bots: There is no level 'hrad'; choose one of easy, medium."),
        (["--bots-after", "nan"], "nan is no number of seconds"),
        (["--name", ""], "a name has 1 to 32 characters, this one 0"),
        (["--name", "x" * 33], "a name has 1 to 32 characters, this one 33"),
    ],
)
def test_what_cannot_be_had_is_told_by_its_options_name_before_a_player_is_made(
    tmp_path: Path, options: list[str], said: str
) -> None:
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, "hard", "--url", house.url, *options)
    assert ended.exit_code in (1, 2)
    assert said in ended.stderr
    assert ended.stdout == ""
    assert {asked.path for asked in house.asked} <= {"/v1/options"}
    assert not (tmp_path / "token").exists()


def test_times_that_may_be_had_are_left_alone(tmp_path: Path) -> None:
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        run(tmp_path, "hard", "--url", f"{house.url}/v1", "--clock", "turn_seconds=null")
    assert "/v1/tickets" in [asked.path for asked in house.asked]


def test_a_refused_name_leaves_no_token_file(tmp_path: Path) -> None:
    class Strict(House):
        def __call__(self, asked: Asked) -> Answer:
            return problem(422, "invalid") if asked.path == "/v1/players" else super().__call__(asked)

    with StandIn(rest=Strict("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, "hard", "--url", house.url, "--name", "Bot")
    assert "422 invalid" in ended.stderr
    assert not (tmp_path / "token").exists()


def test_who_interrupts_the_first_words_gets_the_usual_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "long.py"
    file.write_text("raise KeyboardInterrupt")
    ended = run(tmp_path, str(file))
    assert (ended.exit_code, ended.stderr) == (130, "")
    monkeypatch.setattr(command, "check", interrupted)
    ended = run(tmp_path, "hard")
    assert (ended.exit_code, ended.stderr) == (130, "")


def test_a_new_players_token_is_kept_unread_by_others_and_shown_in_part(tmp_path: Path) -> None:
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, "hard", "--url", house.url, "--name", "Bot", "--ruleset", "nosuch")
    assert ended.exit_code == 1
    assert ended.stderr == "allfives: stopped: 422 invalid: /ruleset: No such one.\n"
    assert "a new player, token a5_…cdef" in ended.stdout
    assert "0123456789" not in ended.output
    assert (tmp_path / "token").read_text() == "a5_0123456789abcdef\n"
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert [asked.path for asked in house.asked if asked.method == "POST"] == ["/v1/players", "/v1/tickets"]


@pytest.mark.parametrize("given", ["option", "environment", "file"])
def test_a_token_that_is_given_or_kept_is_used(tmp_path: Path, given: str) -> None:
    token = "a5_0123456789abcdef"
    if given == "file":
        (tmp_path / "token").write_text(token)
        (tmp_path / "token").chmod(0o600)
    options = ["--token", token] if given == "option" else []
    environ = {"ALLFIVES_TOKEN": token} if given == "environment" else {}
    with StandIn(rest=House(token)) as house:
        ended = run(tmp_path, "hard", "--url", house.url, *options, **environ)
    assert "/v1/players" not in [asked.path for asked in house.asked]
    assert "hard plays as Bot (P1)" in ended.stdout
    assert "0123456789" not in ended.output


@pytest.mark.parametrize("given", ["option", "environment"])
@pytest.mark.parametrize("around", ["{}\r", " {}\n", "\t{}"])
def test_blanks_around_a_token_are_left_out(tmp_path: Path, given: str, around: str) -> None:
    token = "a5_0123456789abcdef"
    written = around.format(token)
    options = ["--token", written] if given == "option" else []
    environ = {"ALLFIVES_TOKEN": written} if given == "environment" else {}
    with StandIn(rest=House(token)) as house:
        ended = run(tmp_path, "hard", "--url", house.url, *options, **environ)
    assert "token a5_…cdef" in ended.stdout


@pytest.mark.parametrize("given", ["option", "environment", "file"])
@pytest.mark.parametrize("token", ["a5_0123\n456789", "a5_0123\r456789", "a5_0123 456789", "a5_0123\u20ac456789"])
def test_what_is_no_token_is_told_never_sent_and_never_shown(tmp_path: Path, given: str, token: str) -> None:
    if given == "file":
        (tmp_path / "token").write_bytes(token.encode())
        (tmp_path / "token").chmod(0o600)
    options = ["--token", token] if given == "option" else []
    environ = {"ALLFIVES_TOKEN": token} if given == "environment" else {}
    with StandIn(rest=House("a5_0123456789")) as house:
        ended = run(tmp_path, "hard", "--url", house.url, *options, **environ)
    assert ended.exit_code == 1
    assert "no token" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert "0123" not in ended.output
    assert "456789" not in ended.output
    assert not any("Authorization" in asked.headers for asked in house.asked)
    assert "/v1/players" not in [asked.path for asked in house.asked]


def test_each_players_logs_are_kept_apart_and_one_process_plays_a_player(tmp_path: Path) -> None:
    token = "a5_0123456789abcdef"
    with StandIn(rest=House(token)) as house:
        ended = run(tmp_path, "hard", "--url", house.url, "--token", token)
        assert f"logs in {tmp_path / 'logs' / 'P1'}" in ended.stdout
        with own_folder(tmp_path / "logs", "P1"):
            ended = run(tmp_path, "hard", "--url", house.url, "--token", token, "--table", "T1")
        assert ended.exit_code == 1
        assert ended.stderr == (
            f"allfives: Bot (P1) is being played by another process that logs in {tmp_path / 'logs'}\n"
        )
        assert "/v1/tables/T1/seats" not in [asked.path for asked in house.asked]
        (tmp_path / "logs" / "P1" / ".lock").unlink()
        (tmp_path / "logs" / "P1" / ".lock").mkdir()
        ended = run(tmp_path, "hard", "--url", house.url, "--token", token)
        assert ended.stderr == f"allfives: {tmp_path / 'logs' / 'P1'} cannot be written: Is a directory\n"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("option", ["--table", "--invite"])
def test_a_server_that_wants_to_be_left_alone_for_an_hour_is_not_waited_for(
    tmp_path: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PATIENCE", 15.0)
    token = "a5_0123456789abcdef"

    class Busy(House):
        def __call__(self, asked: Asked) -> Answer:
            if asked.path in ("/v1/options", "/v1/me"):
                return super().__call__(asked)
            return problem(429, "rate_limited", retry_after=3600)

    with StandIn(rest=Busy(token)) as house:
        ended = run(tmp_path, "hard", "--url", house.url, "--token", token, option, "T1")
    assert ended.exit_code == 1
    assert "rate_limited" in ended.stderr.splitlines()[-1]


@pytest.mark.timeout(60)
def test_tls_where_there_is_none_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PATIENCE", 600.0)
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, "hard", "--url", house.url.replace("http:", "https:"))
    assert ended.exit_code == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "WRONG_VERSION_NUMBER" in ended.stderr


def test_more_tables_than_a_server_has_connections_for_are_refused(tmp_path: Path) -> None:
    ended = run(tmp_path, "hard", "--tables", "201")
    assert ended.exit_code == 2
    assert "201 is not in the range 1<=x<=200" in ended.stderr


def test_a_kept_token_the_server_does_not_know_is_named_and_new_makes_another(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a5_of-another-server")
    (tmp_path / "token").chmod(0o600)
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, "hard", "--url", house.url)
        assert f"does not know the token in {tmp_path / 'token'}: say --new" in ended.stderr
        run(tmp_path, "hard", "--url", house.url, "--new")
    assert (tmp_path / "token").read_text() == "a5_0123456789abcdef\n"


class Ends:
    """A session and what shows it; somebody interrupts again while it leaves every table."""

    thinking_since = failure = None
    done = finishing = False

    def __init__(self) -> None:
        self.did: list[str] = []

    def begin(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    def finish(self) -> None:
        self.did.append("finish")
        os.kill(os.getpid(), signal.SIGINT)

    def leave_at_once(self) -> None:
        self.did.append("leave")
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
        self.did.append("waited")

    def end(self) -> None:
        self.did.append("end")

    def show(self, session: Any) -> None:
        """There is no screen."""

    def close(self, session: Any) -> None:
        self.did.append("close")


@pytest.mark.timeout(60)
def test_a_third_interrupt_waits_for_nothing_but_leaves_the_screen_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: Any = Ends()

    def vanish(code: int) -> None:
        ends.did.append(f"exit {code}")

    monkeypatch.setattr(command, "_vanish", vanish)
    command._play(ends, ends)
    assert ends.did == ["finish", "leave", "end", "close", "exit 130"]


def test_what_a_bot_prints_is_not_among_what_machines_are_told(tmp_path: Path) -> None:
    file = tmp_path / "talks.py"
    file.write_text("print('it is read')\ndef choose(view):\n    return view.legal_moves[0]\n")
    with StandIn(rest=House("a5_0123456789abcdef")) as house:
        ended = run(tmp_path, str(file), "--url", house.url, "--json")
    assert "it is read" in ended.stderr
    assert [json.loads(line)["kind"] for line in ended.stdout.splitlines()] == ["begin", "sums"]
