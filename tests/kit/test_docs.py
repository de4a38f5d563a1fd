"""docs/bots.md is what the code does: its bot plays, its fields are all there, its session is run in tests/whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from app.bots.files import load
from app.cli.arena import arena
from app.cli.bot import bot
from app.engine.views import SeatView, seat_view
from app.kit.bot import Bot, legal
from app.kit.gamelog import Troubles
from tests.notation import sit

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def view() -> SeatView:
    sitting = sit("55 52 | 50 53 66", "10 20")
    sitting.plays("55")
    return seat_view(sitting.game, 1)


def test_the_bot_on_the_page_takes_the_points(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(PYTHON[0])
    move = legal(view(), load(str(file))(view(), 1))
    assert move is not None
    assert (move.tile, move.points) == ("50", 10)


def test_every_field_of_a_view_is_explained() -> None:
    table = PAGE[PAGE.index("### What a `SeatView` holds") : PAGE.index("A `Move` has")]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    named = {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}
    assert named == set(SeatView.__struct_fields__)


def options_of(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}


def test_every_option_on_the_page_is_one_of_the_commands() -> None:
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", PAGE))
    assert named - options_of(bot) - options_of(arena) == set()
    assert options_of(bot) - named == {"bot"}
    assert options_of(arena) - named == {"one", "other", "--duplicate"}


def test_a_bot_is_asked_again_what_it_broke_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(*_: Any) -> Any:
        raise LookupError("lost")

    decision = Bot("test", breaks, seed=1).decide(view(), "T", 5)
    assert decision is not None
    logs = tmp_path / "bot-logs" / "P1"
    logs.mkdir(parents=True)
    Troubles(logs).add("T", 5, view(), decision)
    (tmp_path / "my_bot.py").write_text(PYTHON[0])
    monkeypatch.chdir(tmp_path)
    exec(PYTHON[1], {})
    assert capsys.readouterr().out.startswith("LookupError: lost")
    assert json.loads((logs / "troubles.jsonl").read_text())["version"] == 5
