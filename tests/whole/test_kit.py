"""Bots play on a real service over a bad line, are killed, and are told to go home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.whole.bots import ACTIONS, QUICK, BotProcess, decisions, every_turn_is_taken_once, whole_log
from tests.whole.client import Client
from tests.whole.rough_proxy import RoughProxy
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
Run = Callable[..., BotProcess]
GAMES = 100
SHORT = {"max_hands": 1, "tiles_each": 2}
"""What `QUICK` says."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("service"), LOG_LEVEL="warning")
    running.start()
    try:
        yield running
    finally:
        assert running.stop() == [], "processes were left behind"


@pytest.fixture
def run() -> Iterator[Run]:
    """Starts bots; none outlives its test."""
    started: list[BotProcess] = []

    def start(*line: Any) -> BotProcess:
        started.append(BotProcess(*line))
        return started[-1]

    yield start
    for bot in started:
        bot.kill()


def test_a_hundred_games_over_a_bad_line_none_lost_on_time_none_played_twice(
    service: Service, run: Run, tmp_path: Path
) -> None:
    proxies = [RoughProxy(service.port, seed) for seed in (7, 8)]
    terms = [*QUICK, "--bots-after", "0", "--tables", "15", "--games", str(GAMES // 2)]
    try:
        bots = [
            run(tmp_path / ruleset, "medium", proxy.url, *terms, "--ruleset", ruleset)
            for proxy, ruleset in zip(proxies, ("all-fives", "five-up"), strict=True)
        ]
        for bot in bots:
            assert bot.ended(150) == 0, bot.errors.read_text()
    finally:
        for proxy in proxies:
            proxy.close()
    assert all(proxy.cuts > GAMES and proxy.doubles > GAMES for proxy in proxies)
    assert sum(len(bot.games()) for bot in bots) == GAMES
    for bot in bots:
        for table, lines in bot.games().items():
            log = whole_log(service.url, bot.token, table)
            assert [line["event"] for line in lines if "event" in line] == log, "the bot's log is the table's"
            assert log[-1]["type"] == "game_ended"
            assert lines[-1]["end"]["result"]["reason"] == "max_hands"
            every_turn_is_taken_once(lines)
        assert bot.told_of("sums")[0]["moves"] == sum(decisions(lines) for lines in bot.games().values())
        assert not bot.told_of("trouble")
        assert not bot.told_of("refused")


def test_a_bot_killed_in_mid_game_goes_on_with_the_same_game(service: Service, run: Run, tmp_path: Path) -> None:
    terms = ["--bots-after", "0", "--clock", "hand_break_seconds=0", "--clock", "bot_pace_seconds=0.1", "--house-rule"]
    terms += ["max_hands=2"]
    first = run(tmp_path / "bot", "hard", service.url, *terms, "--games", "1")
    service.wait_until(lambda: len(first.told_of("moved")) >= 3, "the bot has moved three times")
    first.kill()
    again = run(tmp_path / "bot", "hard", service.url, *terms, "--games", "1")
    assert again.ended(60) == 0, again.errors.read_text()
    ((table, lines),) = again.games().items()
    assert again.told_of("ended")[0]["table"] == table == first.told_of("moved")[0]["table"]
    log = [line["event"] for line in lines if "event" in line]
    assert log == whole_log(service.url, again.token, table)
    own = lines[0]["begin"]["seat"]
    assert {event["by"] for event in log if event["type"] in ACTIONS and event["seat"] == own} == {"player"}


def test_after_ctrl_c_the_hand_is_finished_and_a_stand_in_plays_on(service: Service, run: Run, tmp_path: Path) -> None:
    bot = run(
        tmp_path / "bot",
        "medium",
        service.url,
        *["--bots-after", "0", "--clock", "bot_pace_seconds=0.1", "--clock", "hand_break_seconds=5", "--tables", "3"],
    )
    service.wait_until(lambda: len({line["table"] for line in bot.told_of("moved")}) == 3, "it plays at three tables")
    bot.interrupt()
    assert bot.ended(40) == 0, bot.errors.read_text()
    games = bot.games()
    assert len(games) == 3, "no new games"
    for table, lines in games.items():
        log = whole_log(service.url, bot.token, table)
        left = next(event for event in log if event["type"] == "stand_in_seated")
        assert (left["seat"], left["reason"]) == (lines[0]["begin"]["seat"], "left")
        before = [event["type"] for event in log if event["seq"] < left["seq"]]
        assert before.count("hand_ended") == before.count("hand_dealt") >= 1, "the hand was finished first"
        assert lines[-1]["end"]["how"] == "left"
    assert bot.told_of("finishing")


SHAKY = """
import time

asked = 0


def choose(view):
    global asked
    asked += 1
    if asked == 1:
        time.sleep(3)
    if asked % 3 == 0:
        raise LookupError("lost my way")
    return view.legal_moves[0] if asked % 3 else None
"""


def test_a_bot_that_is_too_slow_and_breaks_gets_its_seat_back_and_its_games_go_on(
    service: Service, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "shaky.py"
    file.write_text(SHAKY)
    clock = ["--clock", "turn_seconds=2", "--clock", "timeouts_before_takeover=1", "--clock", "bot_pace_seconds=0.25"]
    bot = run(
        tmp_path / "bot",
        str(file),
        service.url,
        *clock,
        "--house-rule",
        "max_hands=2",
        "--bots-after",
        "0",
        "--games",
        "1",
    )
    assert bot.ended(60) == 0, bot.errors.read_text()
    ((table, lines),) = bot.games().items()
    log = whole_log(service.url, bot.token, table)
    own = lines[0]["begin"]["seat"]
    assert [event["reason"] for event in log if event["type"] == "stand_in_seated"] == ["timeout"]
    back = next(event["seq"] for event in log if event["type"] == "seat_reclaimed")
    assert any(event["seq"] > back and event.get("by") == "player" and event["seat"] == own for event in log)
    troubles = bot.troubles()
    assert {trouble["why"] for trouble in troubles} == {"LookupError: lost my way (line 13)"}
    assert {trouble["table"] for trouble in troubles} == {table}
    sums = bot.told_of("sums")[0]
    assert sums["crash"] == len(troubles) == len(bot.told_of("trouble"))
    assert sums["timed_out"] == 1


def test_the_session_in_the_docs_plays_two_games(service: Service, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    bot, session = (re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("python", "sh"))
    assert bot is not None
    assert session is not None
    (tmp_path / "my_bot.py").write_text(bot[1])
    here = Path(__file__).parents[2]
    script = f'allfives() {{ PYTHONPATH="{here}" "{sys.executable}" -m app.cli "$@"; }}\n' + session[1]
    ended = subprocess.run(
        ["bash", "-euc", script.replace("http://127.0.0.1:8000", service.url)],
        cwd=tmp_path,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "ALLFIVES_TOKEN": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert len(list((tmp_path / "bot-logs").glob("*/*.jsonl"))) == 2
    assert re.search(r"won \d, lost \d, drawn \d · \d+ moves · crashes 0 · illegal 0$", ended.stdout.strip())


STUCK = """
import time


def choose(view):
    time.sleep(600)
"""


def test_ctrl_c_twice_leaves_at_once_whatever_the_bot_is_thinking(service: Service, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stuck.py"
    file.write_text(STUCK)
    bot = run(tmp_path / "bot", str(file), service.url, "--bots-after", "0", "--tables", "2")
    service.wait_until(lambda: len(bot.told_of("sat_down")) == 2, "it sits at two tables")
    bot.interrupt()
    service.wait_until(lambda: bool(bot.told_of("finishing")), "it has heard the first")
    bot.interrupt()
    assert bot.ended(20) == 130
    assert bot.told_of("sums")[0]["left"] == 2
    for table in bot.games():
        log = whole_log(service.url, bot.token, table)
        assert not any(event["type"] == "hand_ended" and event["seq"] < taken_over(log) for event in log)
        assert [event["reason"] for event in log if event["type"] == "stand_in_seated"] == ["left"]


def taken_over(log: list[dict[str, Any]]) -> int:
    seq: int = next(event["seq"] for event in log if event["type"] == "stand_in_seated")
    return seq


def test_two_bots_meet_by_tickets_and_by_invitation(service: Service, run: Run, tmp_path: Path) -> None:
    shared = tmp_path / "shared logs"
    terms = [*QUICK, "--games", "3", "--tables", "2", "--logs", str(shared)]
    one, other = (run(tmp_path / name, name, service.url, *terms, "--name", name) for name in ("medium", "easy"))
    assert [bot.ended(60) for bot in (one, other)] == [0, 0]
    for bot in (one, other):
        bot.logs = shared / bot.told_of("begin")[0]["player"]
        for lines in bot.games().values():
            every_turn_is_taken_once(lines)
    assert one.games().keys() == other.games().keys()
    assert len(one.games()) == 3
    guest = run(tmp_path / "guest", "hard", service.url, "--no-tickets", "--games", "1", "--ruleset", "five-up", *QUICK)
    service.wait_until(lambda: bool(guest.told_of("begin")), "the guest is there")
    host = Client(service.url, "Host")
    tables = [
        host.call("POST", "/tables", {"ruleset": ruleset, "house_rules": rules, "clock": {"hand_break_seconds": 0}})
        for ruleset, rules in (("all-fives", {}), ("five-up", {"max_hands": 1}), ("five-up", SHORT))
    ]
    for table in tables:
        host.call("POST", f"/tables/{table['id']}/invitations", {"player": guest.told_of("begin")[0]["player"]})
    service.wait_until(lambda: host.table(tables[2]["id"])["status"] == "playing", "the guest has sat down")
    host.play_until_over(tables[2]["id"])
    assert guest.ended(30) == 0
    answers = {line["table"]: line["declined"] for line in guest.told_of("invited")}
    assert answers == {tables[0]["id"]: "other_rules", tables[1]["id"]: "other_rules", tables[2]["id"]: None}


def test_a_bot_sits_down_at_the_one_table_it_is_shown_and_plays_nothing_else(
    service: Service, run: Run, tmp_path: Path
) -> None:
    host = Client(service.url, "Host")
    terms = {"visibility": "private", "house_rules": SHORT, "clock": {"hand_break_seconds": 0}}
    table = host.call("POST", "/tables", terms)
    bot = run(tmp_path / "bot", "easy", service.url, "--invite", table["invite_code"])
    service.wait_until(lambda: host.table(table["id"])["status"] == "playing", "the bot has sat down")
    host.play_until_over(table["id"])
    assert bot.ended(30) == 0
    assert list(bot.games()) == [table["id"]]


def test_missed_points_are_called_and_points_announced_on_a_claim_table(
    service: Service, run: Run, tmp_path: Path
) -> None:
    """Also those of a play after which it is somebody else's turn, of which the feed does not tell."""
    bot = run(tmp_path / "bot", "medium", service.url, *["--no-tickets", "--invitations", "any", "--games", "1"])
    service.wait_until(lambda: bool(bot.told_of("begin")), "the bot is there")
    silent = {seat: Client(service.url, f"Seat {seat}") for seat in (0, 1, 3)}
    table = silent[0].call(
        "POST",
        "/tables",
        {
            "ruleset": "all-fives-claim",
            "players": 4,
            "house_rules": {"max_hands": 20, "target_points": 10000},
            "clock": {"hand_break_seconds": 0, "claim_seconds": 1},
        },
    )["id"]
    for seat in (1, 3):
        silent[seat].call("POST", f"/tables/{table}/seats", {"seat": seat})
    silent[0].call("POST", f"/tables/{table}/invitations", {"player": bot.told_of("begin")[0]["player"]})
    service.wait_until(lambda: silent[0].table(table)["status"] == "playing", "the bot has sat down")
    scored: set[str] = set()
    called: set[int] = set()
    while not (called == {1, 3} and "play" in scored):
        view = silent[0].table(table)
        assert view["status"] == "playing", (called, scored)
        turn = view["hand"]["turn"]
        if turn in silent:
            time.sleep(0.15 if turn == 0 else 0)  # for whoever wants to call
            silent[turn].move(table, silent[turn].table(table)["you"]["legal_moves"][0])
        log = whole_log(service.url, bot.token, table)
        scored = {event["reason"] for event in log if event["type"] == "points_scored" and event["seat"] == 2}
        called = {event["seat"] for event in log if event["type"] == "claim_closed" and event["taken_by"] == 2}
