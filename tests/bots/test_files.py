"""Bots from files: what a file may look like, and what is said when it holds none."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bots.files import UnusableBot, load, what_broke
from app.engine.views import seat_view
from tests.notation import sit

VIEW = seat_view(sit("55 52 64 21 | 50 53").game, 0)


def bot(folder: Path, text: str) -> str:
    file = folder / "my bot.py"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("def choose(view):\n    return view.legal_moves[0]", "64"),
        ("def choose(view, seed):\n    return view.legal_moves[seed]", "52"),
        ("def choose(view, seed=0):\n    return view.legal_moves[seed]", "52"),
        ("choose = lambda view: view.legal_moves[-1]", "21"),
        ("class Bot:\n    def __call__(self, view):\n        return view.legal_moves[0]\nchoose = Bot()", "64"),
        (
            """
from dataclasses import dataclass
@dataclass
class Plan:
    at: int = 3
def choose(view):
    return view.legal_moves[Plan().at]""",
            "21",
        ),
    ],
)
def test_a_bot_is_a_function_of_a_view_and_may_have_a_seed(tmp_path: Path, text: str, tile: str) -> None:
    assert load(bot(tmp_path, text))(VIEW, 2).tile == tile


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no function choose(view)"),
        ("choose = 5", "has no function choose(view)"),
        ("def choose():\n    pass", "choose() takes neither (view) nor (view, seed)"),
        ("def choose(view, seed, luck):\n    pass", "takes neither"),
        ("def choose(view:\n", "is no Python: line 1: "),
        ("x = 1\n\nraise ValueError('not\\ntoday')", "breaks when it is read: ValueError: not today (line 3)"),
        ("x = '\0'", "is no Python: source code string cannot contain null bytes"),
        ("async def choose(view):\n    pass", "neither async nor a generator"),
        ("def choose(view):\n    yield view.legal_moves[0]", "neither async nor a generator"),
        ("async def choose(view):\n    yield view.legal_moves[0]", "neither async nor a generator"),
        ("raise ValueError('\\x1b[2J')", "breaks when it is read: ValueError: \\x1b[2J (line 1)"),
        ("import nowhere_at_all", "breaks when it is read: ModuleNotFoundError"),
        ("open('/nowhere/weights')", "breaks when it is read: FileNotFoundError"),
        ("raise SystemExit", "breaks when it is read: SystemExit (line 1)"),
        ("raise GeneratorExit", "breaks when it is read: GeneratorExit (line 1)"),
        ("raise ValueError('\\ud800')", "breaks when it is read: ValueError: \\ud800 (line 1)"),
    ],
)
def test_a_file_without_a_bot_is_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    path = bot(tmp_path, text)
    with pytest.raises(UnusableBot) as refused:
        load(path)
    assert says in str(refused.value)
    assert str(refused.value).startswith(path)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path, says in ((tmp_path / "none.py", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(UnusableBot, match=f"cannot be read: {says}"):
            load(str(path))


def test_two_files_do_not_meet(tmp_path: Path) -> None:
    for name, place in (("a", 0), ("b", 1)):
        (tmp_path / name).mkdir()
        bot(tmp_path / name, f"PLACE = {place}\ndef choose(view):\n    return view.legal_moves[PLACE]")
    first, second = load(str(tmp_path / "a" / "my bot.py")), load(str(tmp_path / "b" / "my bot.py"))
    assert (first(VIEW).tile, second(VIEW).tile) == ("64", "55")


def test_ctrl_c_while_a_file_is_read_is_ctrl_c(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(bot(tmp_path, "raise KeyboardInterrupt"))


def test_an_error_that_cannot_be_told_is_told_by_its_kind() -> None:
    class Muddle(Exception):
        def __str__(self) -> str:
            raise SystemExit

    assert what_broke(Muddle(), "") == "Muddle: (its text breaks)"
    assert what_broke(ValueError("half a \ud83d character"), "") == "ValueError: half a \\ud83d character"


def test_what_a_bot_raises_is_told_with_its_own_line(tmp_path: Path) -> None:
    path = bot(tmp_path, "def choose(view):\n    deeper = {}\n    return deeper['x']")
    with pytest.raises(KeyError) as raised:
        load(path)(VIEW)
    assert what_broke(raised.value, path) == "KeyError: 'x' (line 3)"
