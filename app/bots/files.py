"""Bots that people write: one function in one file, `def choose(view): return move`.

The file is brought in as Python brings in a module; it does whatever its author wrote, so run only bots you trust.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location

from app.engine.moves import Move
from app.engine.views import SeatView
from app.plain import plain

FUNCTION = "choose"
"""What a bot's function is called."""

LATER = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
"""Functions that return something to be waited for."""


class UnusableBot(ValueError):
    """A file holds no bot; the message is one line that says why."""


class FileBot:
    """A bot from a file, asked with a view and, if it wants one, a seed."""

    def __init__(self, path: str, function: Callable[..., Move], *, wants_seed: bool) -> None:
        self.path = path
        self._function = function
        self._wants_seed = wants_seed

    def __call__(self, view: SeatView, seed: int = 0) -> Move:
        """The bot's move; whatever it raises comes through."""
        return self._function(view, seed) if self._wants_seed else self._function(view)


def load(path: str) -> FileBot:
    """The bot of a file: its function `choose(view)` or `choose(view, seed)`.

    Raises:
        UnusableBot: there is no such file, it is no Python, it breaks when it is read, or it has no such function.
    """
    name = "bot_" + "".join(letter if letter.isalnum() else "_" for letter in path)
    spec = spec_from_file_location(name, path, loader=SourceFileLoader(name, path))
    if spec is None or spec.loader is None:
        raise UnusableBot(f"{path} cannot be read as Python")
    module = module_from_spec(spec)
    # A class of the file is found by its module's name, as in any program.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        if error.filename != path:
            raise _broken(path, error) from error
        raise UnusableBot(f"{path} cannot be read: {error.strerror}") from None
    except SyntaxError as error:
        where = "" if error.lineno is None else f"line {error.lineno}: "
        raise UnusableBot(f"{path} is no Python: {where}{error.msg}") from None
    except KeyboardInterrupt:  # most likely Ctrl-C, by whoever starts the bot
        raise
    except BaseException as error:
        raise _broken(path, error) from error
    function = getattr(module, FUNCTION, None)
    if not callable(function):
        raise UnusableBot(f"{path} has no function {FUNCTION}(view)")
    if any(later(function) for later in LATER):
        raise UnusableBot(f"{path}: {FUNCTION} must return its move at once, and so be neither async nor a generator")
    return FileBot(path, function, wants_seed=_wants_seed(path, function))


def _broken(path: str, error: BaseException) -> UnusableBot:
    return UnusableBot(f"{path} breaks when it is read: {what_broke(error, path)}")


def what_broke(error: BaseException, path: str) -> str:
    """An error of a bot in one line, with the last line of its own file that was being run.

    >>> what_broke(ValueError("no tile\\nat all"), "my_bot.py")
    'ValueError: no tile at all'
    """
    said = in_a_line(error)
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{told} (line {lines[-1]})" if lines else told


def in_a_line(said: object, write: Callable[[object], str] = str) -> str:
    """Whatever a bot made, as one line that can be written anywhere: it may hold half a character, or not tell itself.

    >>> in_a_line("no tile\\nat all"), in_a_line(chr(0xD800)), in_a_line(chr(27) + "[2J")
    ('no tile at all', '\\\\ud800', '\\\\x1b[2J')
    """
    try:
        text = write(said)
    except BaseException:  # noqa: BLE001 - the bot's own code, as broken as it likes
        text = "(its text breaks)"
    return plain(" ".join(text.split()))


def writable(text: str) -> str:
    """The text in UTF-8; half a character is written as its number."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _wants_seed(path: str, function: Callable[..., Move]) -> bool:
    """Whether the function takes a seed beside the view; one that need not have it gets it all the same."""
    signature = inspect.signature(function)
    for wants_seed, given in ((True, (None, 0)), (False, (None,))):
        try:
            signature.bind(*given)
        except TypeError:
            continue
        return wants_seed
    raise UnusableBot(f"{path}: {FUNCTION}{signature} takes neither (view) nor (view, seed)")
