"""`allfives arena`, as one types it."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result

from app.arena.contest import Contest
from app.arena.statistics import summary, whole_series
from app.arena.umpire import CRASH
from app.cli import main
from app.cli.scoreboard import result
from tests.arena.casts import EASY, MEDIUM, games_of

SECONDS = 60.0


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["arena", *arguments])


def without_times(found: dict[str, Any]) -> dict[str, Any]:
    for record in found["found"]["records"]:
        for name in [name for name in record if name == "slow" or name.endswith("seconds")]:
            del record[name]
    return found


@pytest.fixture
def wild(tmp_path: Path) -> str:
    """A bot that crashes, cheats, dawdles and hangs."""
    file = tmp_path / "wild.py"
    file.write_text(
        "import time\n"
        "from msgspec.structs import replace\n"
        "def choose(view):\n"
        "    move, laid = view.legal_moves[0], len(view.history)\n"
        "    if laid == 3:\n"
        "        raise RuntimeError('lost')\n"
        "    if laid == 4:\n"
        "        return replace(move, tile='99')\n"
        "    if laid == 5 and view.hand_number == 2:\n"
        "        time.sleep(0.15)\n"
        "    if laid == 6 and view.hand_number == 2:\n"
        "        try:\n"
        "            time.sleep(3600)\n"
        "        except Exception:\n"
        "            pass\n"
        "    return move\n"
    )
    return str(file)


def test_it_says_who_is_better_and_how_sure_that_is(tmp_path: Path) -> None:
    rows, chart = tmp_path / "games.csv", tmp_path / "chart.svg"
    ended = arena("medium", "easy", "--games", "61", "--csv", str(rows), "--chart", str(chart))
    assert ended.exit_code == 0, ended.output
    assert ended.stderr == f"wrote {rows}\nwrote {chart}\n"
    assert "medium against easy: all-fives, two players, each deal from every side, seed 1" in ended.stdout
    assert re.search(
        r"^medium won \d+ of 62 games.*: [\d.]+ % \(95 %: [\d.]+ to [\d.]+\); 50 % would be even$",
        ended.stdout,
        re.MULTILINE,
    )
    assert "point difference a game: +" in ended.stdout
    with rows.open() as file:
        games = list(csv.DictReader(file))
    assert len(games) == 62
    assert [row["seats"] for row in games[:2]] == ["medium easy", "easy medium"]
    for row in games:
        own, other = (int(score) for score in row["scores"].split())
        difference = own - other if row["seats"].startswith("medium") else other - own
        assert (float(row["difference"]), float(row["won"])) == (difference, difference > 0)
    picture = chart.read_text()
    assert picture.startswith("<?xml")
    assert "</svg>" in picture


def test_the_same_games_are_played_on_one_core_and_on_two() -> None:
    told = [arena("medium", "easy", "--games", "30", "--seed", "5", "--cores", cores, "--json") for cores in ("1", "2")]
    one, two = (without_times(json.loads(ended.stdout)) for ended in told)
    assert one == two
    assert one["found"]["games"] == 30
    assert one["contest"]["seed"] == 5


def test_crashes_cheating_and_hanging_are_shown_and_the_games_marked(wild: str, tmp_path: Path) -> None:
    rows = tmp_path / "games.csv"
    # Three seconds: a level is not cut off because the machine has other work.
    arguments = (wild, "medium", "--games", "4", "--slow", "0.1", "--cut-off", "3", "--csv", str(rows))
    ended = arena(*arguments, "--json")
    found = json.loads(ended.stdout)["found"]
    mine, theirs = found["records"]
    assert mine["faults"]["crash"] > 0
    assert mine["faults"]["illegal"] > 0
    assert mine["faults"]["cut off"] > 0
    assert mine["slow"] >= mine["faults"]["cut off"]
    assert set(theirs["faults"].values()) == {0}
    assert found["marked"] == found["games"] == 4
    assert "RuntimeError: lost (line 6)" in " ".join(mine["notes"])
    assert {row["marked"] for row in csv.DictReader(rows.read_text().splitlines())} == {"1"}


def test_a_few_games_prove_little_and_the_words_say_so() -> None:
    told = arena("medium", "easy", "--games", "4", "--seed", "3").stdout
    assert "medium won 4 of 4 games: 100.0 % (95 %: 25.0 to 100.0); 50 % would be even\n" in told
    assert re.search(r"^point difference a game: \+[\d.]+ \(95 %: too few series to tell\)$", told, re.MULTILINE)
    figures = json.loads(arena("medium", "easy", "--games", "4", "--json").stdout)["found"]
    assert (figures["difference"]["low"], figures["difference"]["high"]) == (None, None)


def test_what_went_wrong_is_told_in_words(tmp_path: Path) -> None:
    file = tmp_path / "lost.py"
    file.write_text("def choose(view):\n    if len(view.history) == 3:\n        raise RuntimeError('lost')\n")
    file.write_text(file.read_text() + "    return view.legal_moves[0]\n")
    told = arena(str(file), "medium", "--games", "1").stdout
    assert "; 50 % would be even; but 2 games are marked\n" in told
    assert "2 games are marked: the first legal move was made in the place of a player's own there\n" in told
    assert "RuntimeError: lost (line 3)" in told


@pytest.mark.parametrize(("games", "says"), [(2, ""), (20, ""), (10, "; but 1 game is marked"), (3, "; but")])
def test_the_first_line_warns_when_a_tenth_of_the_games_or_more_are_marked(games: int, says: str) -> None:
    contest = Contest(games=games, duplicate=False)
    played = games_of(contest, MEDIUM, EASY)
    for game in played[: {2: 0, 3: 2}.get(games, 1)]:
        game.conduct[0].faults[CRASH] += 1
    first = next(result(contest, ("one", "other"), summary(whole_series(contest, played))))
    assert first.partition("would be even")[2].startswith(says)
    assert ("marked" in first) == bool(says)


@pytest.mark.parametrize("options", [("--json",), ()])
def test_what_a_bot_prints_goes_to_standard_error(options: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text(
        "import os, sys\n"
        "print('LOUD when brought in')\n"
        "def choose(view):\n"
        "    print('LOUD in words')\n"
        "    os.write(1, b'LOUD in bytes\\n')\n"
        "    return view.legal_moves[0]\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "app.cli", "arena", str(file), "easy", "--games", "2", *options],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    assert "LOUD" not in ended.stdout
    assert {"LOUD when brought in", "LOUD in words", "LOUD in bytes"} <= set(ended.stderr.splitlines())
    if options:
        assert json.loads(ended.stdout)["found"]["games"] == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_costs_the_file_and_not_the_figures() -> None:
    ended = arena("medium", "easy", "--games", "2", "--csv", "/dev/full")
    assert ended.exit_code == 1
    assert ended.stderr == "allfives: /dev/full cannot be written: No space left on device\n"
    assert "medium won " in ended.stdout


def test_a_bot_that_ends_its_process_ends_the_contest_with_a_word(tmp_path: Path) -> None:
    file = tmp_path / "deadly.py"
    file.write_text("import os\ndef choose(view):\n    os._exit(1)\n")
    ended = arena(str(file), "medium", "--games", "2")
    assert ended.exit_code == 1
    assert ended.stderr == "allfives: a process that played ended in the middle of a game\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("hardest", "medium"), "hardest is neither a level (easy, medium, hard, expert) nor a Python file"),
        (("none.py", "medium"), "none.py cannot be read: No such file or directory"),
        (("hard", "medium", "--ruleset", "chess"), "There is no rule set 'chess'"),
        (("hard", "medium", "--pairs", "--players", "3"), "--pairs is for four players, not for 3"),
        (("hard", "medium", "--chart", "chart.pdf"), "ends in .svg or .png"),
        (("hard", "medium", "--chart", "nowhere/chart.png"), "--chart nowhere/chart.png: there is no folder nowhere"),
        (("hard", "medium", "--csv", "nowhere/games.csv"), "--csv nowhere/games.csv: there is no folder nowhere"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(arguments: tuple[str, ...], says: str) -> None:
    ended = arena(*arguments)
    assert ended.exit_code == 1
    assert says in ended.stderr
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--slow", "--cut-off"])
@pytest.mark.parametrize("seconds", ["-1", "0", "1e-9", "nan", "inf", "-inf", "1e300", "soon"])
def test_patience_is_a_number_of_seconds_above_none(option: str, seconds: str) -> None:
    ended = arena("easy", "easy", "--games", "1", option, seconds)
    assert ended.exit_code == 2
    assert f"Invalid value for '{option}': " in ended.stderr


def test_ctrl_c_while_the_figures_are_reckoned_is_ctrl_c_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.cli.arena.summary", interrupted)
    ended = arena("easy", "easy", "--games", "2")
    assert (ended.exit_code, ended.stderr) == (130, "allfives: broken off\n")


def cpu_seconds_of_children(pid: int) -> float:
    return sum(sum(child.cpu_times()[:2]) for child in psutil.Process(pid).children())


def test_ctrl_c_prints_what_was_played(tmp_path: Path) -> None:
    playing = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "arena", "medium", "easy", "--games", "200000", "--csv", str(tmp_path / "g")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    by = time.monotonic() + SECONDS
    while cpu_seconds_of_children(playing.pid) < 3:
        assert playing.poll() is None
        assert time.monotonic() < by
        time.sleep(0.1)
    # To the whole group, as a terminal does it, and twice, as people do.
    os.killpg(playing.pid, signal.SIGINT)
    os.killpg(playing.pid, signal.SIGINT)
    said, errors = playing.communicate(timeout=SECONDS)
    assert playing.returncode == 130
    assert errors.startswith(f"wrote {tmp_path / 'g'}\nallfives: broken off: ")
    assert errors.endswith(" of 200,000 games played\n")
    assert "medium won " in said
    assert (tmp_path / "g").read_text().count("\n") > 2
