"""Who plays: a level of ours, or a bot from a file."""

from __future__ import annotations

from collections.abc import Callable

from app.bots.files import UnusableBot, load
from app.bots.levels import LEVELS
from app.engine.moves import Move
from app.engine.views import SeatView

Choose = Callable[[SeatView, int], Move]


def player(name: str) -> Choose:
    """The player of that name: `medium`, or a path that ends in `.py`.

    Raises:
        UnusableBot: there is no such level, or the file holds no bot.
    """
    if name in LEVELS:
        return LEVELS[name].choose
    if not name.endswith(".py"):
        raise UnusableBot(f"{name} is neither a level ({', '.join(LEVELS)}) nor a Python file")
    return load(name)


def short_names(one: str, other: str) -> tuple[str, str]:
    """What the two are called in a table: a file without its folder, and numbers if they have the same name.

    >>> short_names("bots/mine.py", "hard"), short_names("medium", "medium")
    (('mine', 'hard'), ('medium 1', 'medium 2'))
    """
    names = [name.replace("\\", "/").rpartition("/")[2].removesuffix(".py") for name in (one, other)]
    if names[0] == names[1]:
        return f"{names[0]} 1", f"{names[1]} 2"
    return names[0], names[1]
