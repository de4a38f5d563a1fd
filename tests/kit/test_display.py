"""What is shown while a bot plays."""

from __future__ import annotations

import io
import json
import re
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from app.kit.answers import TableView
from app.kit.bot import Bot
from app.kit.display import FINISHING, LEAVING, NOTHING_RUNS, Lines, Screen
from app.kit.game import Game
from app.kit.server import Server
from app.kit.session import Session
from app.kit.wishes import Wishes
from tests.api.cast import P_DRAW, House


class Shown(Session):
    """A session that asks nobody; its games are those of the test."""

    def __init__(self, folder: Path) -> None:
        enough = threading.Event()
        bot = Bot("test", lambda seen, _: seen.legal_moves[0], seed=1)
        server = Server("http://127.0.0.1:9", enough=enough)
        super().__init__(server, bot, Wishes(), folder, lambda *_: None, enough=enough)
        self.shown: list[Game] = []

    def new_game(self, table: str) -> Game:
        return Game(self._server, self._bot, table, self._folder, self._news)

    @property
    def games(self) -> list[Game]:
        return self.shown


@pytest.fixture
def session(tmp_path: Path) -> Shown:
    return Shown(tmp_path)


def picture(screen: Screen, session: Session, width: int = 120) -> str:
    screen._console.width = width
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(screen._picture(session))
    return console.export_text()


def test_the_screen_has_a_row_a_table_with_our_score_first(house: House, session: Shown) -> None:
    house.bob.ask("PATCH", "/me", json={"name": "[/] [red]Bob"})
    table = house.scripted({"holdings": [["55", "52"], ["53", "66"]], "leader": 0}, house_rules={"deal": {"2": 2}})
    house.ann.move(table, "55")
    game = session.new_game(table)
    game.view = msgspec.json.decode(house.ann.get(f"/tables/{table}").data, type=TableView)
    session.shown = [game]
    screen = Screen("test plays as Bot", io.StringIO())
    screen.heard("trouble", table, {"trouble": "crash", "why": "ValueError: [/]", "file": "troubles.jsonl"})
    screen.heard("moved", table, {})
    text = picture(screen, session)
    screen.close(session)
    game._log.close()
    row = next(line for line in text.splitlines() if line.startswith(table))
    assert row.split() == [table, "all-fives", "[/]", "[red]Bob", "10:0", "/", "250", "1", "theirs", "0"]
    assert "crash: ValueError: [/]; the first legal move was played" in text
    assert LEAVING in text
    assert "1.0 moves/s" in text


def test_eighty_columns_have_room_for_the_table_and_the_last_move(house: House, session: Shown) -> None:
    table = house.scripted(P_DRAW)
    game = session.new_game(table)
    game.view = msgspec.json.decode(house.ann.get(f"/tables/{table}").data, type=TableView)
    game.last_event = "medium: 64 on 66.left"
    session.shown = [game]
    screen = Screen("test plays as Bot", io.StringIO())
    text = picture(screen, session, width=80)
    screen.close(session)
    game._log.close()
    row = next(line for line in text.splitlines() if line.startswith(table))
    assert row.rstrip().endswith("medium: 64 on 66.left")
    assert "ours" in row


def test_games_that_ended_stay_on_the_screen_and_tables_that_were_left_are_named(session: Shown) -> None:
    out = io.StringIO()
    screen = Screen("test plays as Bot", out)
    ended = {"outcome": "won", "scores": [250, 90], "side": 0}
    for number in range(9):
        screen.heard("ended", f"T{number}", ended)
    session._heard("ended", "T10", {**ended, "outcome": "left"})
    screen.close(session)
    said = out.getvalue()
    assert all(f"T{number}: won, 250:90" in said for number in range(9))
    assert "left 1 (T10)" in said


def test_the_screen_says_what_leaving_means_and_what_takes_long(
    session: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen("test plays as Bot", io.StringIO())
    assert "waiting for a game" in picture(screen, session)
    session.finish()
    session._bot.thinking_since = screen._began - 30
    assert NOTHING_RUNS in picture(screen, session)
    session.shown = [session.new_game("T")]
    text = picture(screen, session)
    session.shown[0]._log.close()
    screen.close(session)
    assert FINISHING in text
    assert "the bot has been thinking for 30 s" in text


def test_lines_leave_out_what_comes_too_often(session: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines(sys.stdout, as_json=False)
    for number in range(3):
        lines.heard("moved", "T", {})
        lines.heard("no answer", "", {"why": "Connection refused", "tries": number + 1})
    session.finish()
    for _ in range(2):
        lines.show(session)
    lines.close(session)
    said = [line[9:] for line in capsys.readouterr().out.splitlines()]
    assert said == [
        "Connection refused; try 1, going on",
        NOTHING_RUNS,
        "won 0, lost 0, drawn 0 · 0 moves · crashes 0 · illegal 0",
    ]


def test_the_same_trouble_is_told_three_times_and_another_all_the_same(
    session: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Lines(sys.stdout, as_json=False)
    trouble = {"trouble": "crash", "why": "KeyError: 5", "file": "troubles.jsonl"}
    for _ in range(5):
        lines.heard("trouble", "T", trouble)
    lines.heard("trouble", "T", {**trouble, "why": "ValueError: 5"})
    said = capsys.readouterr().out.splitlines()
    assert ["KeyError" in line for line in said] == [True, True, True, False]
    assert [line.endswith("and so on") for line in said] == [False, False, True, False]


def test_what_a_terminal_would_obey_is_written_as_its_number(
    session: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    Lines(sys.stdout, as_json=False).heard("refused", "T", {"why": "404 \x1b[2J"})
    assert r"404 \x1b[2J" in capsys.readouterr().out


def test_machines_are_told_everything(session: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines(sys.stdout, as_json=True)
    lines.heard("moved", "T", {"seconds": 0.5})
    lines.heard("no answer", "", {"why": "Connection refused", "tries": 1})
    session.counted["won"] = 2
    session.counted["given up"] = 1
    lines.close(session)
    said: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["kind"], line["table"]) for line in said] == [("moved", "T"), ("no_answer", None), ("sums", None)]
    assert (said[0]["seconds"], said[2]["won"]) == (0.5, 2)
    assert [said[2][figure] for figure in ("lost", "drawn", "abandoned", "crash", "timed_out")] == [0] * 5
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["at"]) for line in said)
    assert said[2]["text"].startswith("won 2, lost 0")
    assert said[2]["text"].endswith("illegal 0 · given up 1")
