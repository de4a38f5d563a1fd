"""A bot by its name: one of our levels, or somebody's Python file."""

from __future__ import annotations

from collections.abc import Callable

from app.bots.files import UnusableBot, load
from app.bots.levels import LEVELS
from app.engine.moves import Move
from app.engine.views import SeatView

Choose = Callable[[SeatView, int], Move]


def named(name: str) -> Choose:
    """The bot of that name: `medium`, or a path that ends in `.py`.

    Raises:
        UnusableBot: there is no such level, or the file holds no bot.
    """
    if name in LEVELS:
        return LEVELS[name].choose
    if not name.endswith(".py"):
        raise UnusableBot(f"{name} is neither a level ({', '.join(LEVELS)}) nor a Python file")
    return load(name)


def short_name(name: str) -> str:
    """What a bot is called: a file without its folder.

    >>> short_name("bots/mine.py"), short_name("hard")
    ('mine', 'hard')
    """
    return name.replace("\\", "/").rpartition("/")[2].removesuffix(".py")


def short_names(one: str, other: str) -> tuple[str, str]:
    """What two are called side by side, with numbers if they have the same name.

    >>> short_names("bots/mine.py", "hard"), short_names("medium", "medium")
    (('mine', 'hard'), ('medium 1', 'medium 2'))
    """
    names = short_name(one), short_name(other)
    return names if names[0] != names[1] else (f"{names[0]} 1", f"{names[1]} 2")
