"""A move that takes too long is broken off, in the bot's code alone, and nobody can cling to one for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from ctypes import c_byte
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import app
from app.arena.contest import Contest
from app.arena.umpire import CUT_OFF, Clock, Stopped
from app.bots import medium
from app.cli import main
from app.cli.guards import Guard
from app.engine.moves import Move
from app.engine.views import SeatView
from tests.arena.casts import MEDIUM, games_of

CONTEST = Contest(games=2, seed=6)
SECONDS = 60.0
OURS = (str(Path(app.__file__).parent), str(Path(__file__).parent))
"""Code that is not ours runs whenever something is collected."""
HANGS = {
    "waits": ["try:", "    time.sleep(3600)", "finally:", "    Path(__file__).with_name('lets_go').touch()"],
    "lets go at the second ring": ["try:", "    time.sleep(3600)", "except:", "    time.sleep(3600)"],
    "clings for ever": ["while True:", "    try:", "        time.sleep(3600)", "    except:", "        pass"],
    "hears nothing": ["sum(range(10 ** 13))"],
}


@pytest.fixture
def no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bell rings only where a test rings it."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)
    monkeypatch.setattr(os, "_exit", lambda code: pytest.fail(f"the process ends with {code}"))


def rung_in(guard: Guard, *functions: str) -> Clock:
    """A clock whose guard rings whenever one of these functions is entered, calls something, or is left."""

    def ring(frame: FrameType, event: str, what: Any) -> None:
        if frame.f_code.co_name in functions and frame.f_code.co_filename.startswith(OURS):
            guard._ring(signal.SIGALRM, frame)

    def guarded(player: int) -> Guard:
        # A profiler that raises is taken away; every move gets a new one.
        sys.setprofile(ring)
        return guard(player)

    return Clock(lambda: 0.0, lambda: 0.0, guard=guarded)


def thoughtful(view: SeatView, seed: int) -> Move:
    return medium.choose(view, seed)


@pytest.mark.usefixtures("no_alarm")
@pytest.mark.parametrize("function", ["__enter__", "__exit__", "_disarm", "_ask", "_answer", "move", "decide"])
def test_it_never_rings_outside_the_bots_code(function: str) -> None:
    guard = Guard(1.0, c_byte(0), c_byte(0))
    try:
        games = games_of(CONTEST, MEDIUM, MEDIUM, rung_in(guard, function))
    finally:
        sys.setprofile(None)
    assert not any(game.marked for game in games)


@pytest.mark.usefixtures("no_alarm")
def test_a_ring_in_the_bots_code_cuts_the_move_off_and_no_other() -> None:
    guard = Guard(1.0, c_byte(0), c_byte(0))
    try:
        games = games_of(CONTEST, thoughtful, MEDIUM, rung_in(guard, "thoughtful"))
    finally:
        sys.setprofile(None)
    for mine, theirs in (game.conduct for game in games):
        assert mine.faults[CUT_OFF] == mine.moves > 0
        assert not theirs.faulty


@pytest.mark.usefixtures("no_alarm")
def test_after_ctrl_c_no_move_begins_and_a_ring_ends_the_one_that_did() -> None:
    stop = c_byte(1)
    with pytest.raises(Stopped):
        games_of(CONTEST, MEDIUM, MEDIUM, rung_in(Guard(1.0, stop, c_byte(0))))

    def stopping(view: SeatView, seed: int) -> Move:
        stop.value = 1
        return thoughtful(view, seed)

    stop.value = 0
    try:
        with pytest.raises(Stopped):
            games_of(CONTEST, stopping, MEDIUM, rung_in(Guard(1.0, stop, c_byte(0)), "thoughtful"))
    finally:
        sys.setprofile(None)


def hanging(folder: Path, how: str) -> Path:
    """A bot that leaves a mark and hangs, once in a game."""
    lines = [
        "import time",
        "from pathlib import Path",
        "def choose(view):",
        "    if view.hand_number == 1 and len(view.history) < 2:",
        "        Path(__file__).with_name('hangs').touch()",
        *(f"        {line}" for line in HANGS[how]),
        "    return view.legal_moves[0]",
    ]
    file = folder / "hanging.py"
    file.write_text("\n".join(lines))
    return file


@pytest.mark.parametrize("how", ["waits", "lets go at the second ring"])
def test_a_move_that_does_not_come_is_cut_off_even_if_the_bot_catches_everything_once(how: str, tmp_path: Path) -> None:
    arguments = ["arena", str(hanging(tmp_path, how)), "medium", "--games", "2", "--cut-off", "0.5", "--json"]
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 0, ended.output
    found = json.loads(ended.stdout)["found"]
    assert found["games"] == found["records"][0]["faults"]["cut off"] == 2


def test_a_bot_that_clings_for_ever_is_ended_and_named(tmp_path: Path) -> None:
    bot = hanging(tmp_path, "clings for ever")
    ended = CliRunner().invoke(main, ["arena", "medium", str(bot), "--games", "2", "--cut-off", "0.05"])
    assert ended.exit_code == 1
    said = f"{bot} clung to a move that was broken off again and again, and was ended with it"
    assert ended.stderr == f"allfives: {said}\n"


@pytest.mark.parametrize("how", ["waits", "clings for ever", "hears nothing"])
def test_ctrl_c_ends_a_contest_whatever_a_bot_does(how: str, tmp_path: Path) -> None:
    arguments = ["arena", str(hanging(tmp_path, how)), "medium", "--cut-off", "3600"]
    playing = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        by = time.monotonic() + SECONDS
        while not (tmp_path / "hangs").exists():
            assert playing.poll() is None
            assert time.monotonic() < by
            time.sleep(0.05)
        os.killpg(playing.pid, signal.SIGINT)
        assert playing.communicate(timeout=SECONDS)[1] == "allfives: broken off\n"
        assert playing.returncode == 130
        # Told to let go, and not just killed, if it hears anything at all.
        assert (tmp_path / "lets_go").exists() == (how == "waits")
    finally:
        if playing.poll() is None:
            os.killpg(playing.pid, signal.SIGKILL)
            playing.wait()
