"""Asks a bot for its move, and makes the first legal one in its place when it breaks or breaks the rules."""

from __future__ import annotations

import hashlib
import reprlib
import threading
import time
import traceback

from msgspec import Struct
from msgspec.structs import replace

from app.bots.announcing import MOST_ANNOUNCED, announced, without_calls
from app.bots.files import in_a_line, what_broke, writable
from app.bots.levels import HouseBots
from app.bots.named import Choose, named, short_name
from app.engine.legality import canonical_end
from app.engine.moves import Move
from app.engine.tiles import parse_tile, tile_name
from app.engine.views import SeatView

CRASH, ILLEGAL = "crash", "illegal"


class Decision(Struct, frozen=True, kw_only=True):
    """What is played, and how it came about."""

    move: Move
    seconds: float
    """The bot thought; 0.0 where it was not asked."""
    seed: int
    trouble: str | None = None
    """crash | illegal: the bot's own answer could not be played."""
    why: str | None = None
    """That in words."""
    traceback: str | None = None
    """Of a crash."""


class Bot:
    """One bot. It is asked one question at a time, whatever happens at its tables."""

    def __init__(self, name: str, choose: Choose, *, seed: int, path: str = "") -> None:
        self.name = name
        self.thinking_since: float | None = None
        """Monotonic seconds when it was asked; None: it is not being asked."""
        self._choose = choose
        self._seed = seed
        self._path = path
        self._lock = threading.Lock()

    @classmethod
    def named(cls, name: str, *, seed: int) -> Bot:
        """The bot of a file, or one of our levels. Raises: UnusableBot."""
        return cls(in_a_line(short_name(name)), named(name), seed=seed, path=name)

    def decide(self, view: SeatView, table: str, version: int) -> Decision | None:
        """The move of the seat now; None: it may only call, and there is nothing to call.

        On claim tables missed points are called, and points announced, in the bot's place, unless it announces itself.
        """
        seed = int.from_bytes(hashlib.sha256(f"{self._seed}:{table}:{version}".encode()).digest()[:8])
        call = HouseBots().choose_call("medium", view, seed, forgetfulness=0.0)
        if call is not None:
            return Decision(move=call, seconds=0.0, seed=seed)
        if view.turn != view.seat:
            return None
        return self._asked(without_calls(view), seed)

    def _asked(self, view: SeatView, seed: int) -> Decision:
        answer: object = None
        trouble = why = trace = None
        with self._lock:
            self.thinking_since = started = time.monotonic()
            try:
                answer = self._choose(view, seed)
            except BaseException as error:  # noqa: BLE001 - it may break in any way, and Ctrl-C reaches no thread of a game
                trouble, why, trace = CRASH, what_broke(error, self._path), writable(traceback.format_exc())
            finally:
                self.thinking_since = None
        seconds = time.monotonic() - started
        move = legal(view, answer)
        if move is None and trouble is None:
            trouble, why = ILLEGAL, _objection(answer)
        if move is None:
            move = view.legal_moves[0]
        return Decision(
            move=announced(view, move), seconds=seconds, seed=seed, trouble=trouble, why=why, traceback=trace
        )


def legal(view: SeatView, answer: object) -> Move | None:
    """The answer as a move that may be made now, its tile and end as the rules write them; None: it may not.

    Either half of a tile may come first, and the lead needs no end. Counts and points do not matter, and only plays
    are announced.
    """
    if not isinstance(answer, Move) or not _is_well_formed(answer):
        return None
    wanted = _as_written(answer)
    for move in without_calls(view).legal_moves:
        if wanted == (move.action, move.tile, move.end, move.lengthwise):
            return replace(move, announce=answer.announce) if move.action == "play" else move
    return None


def _is_well_formed(move: Move) -> bool:
    """Whether its fields are what they should be; a bot may have put in anything."""
    names: tuple[object, ...] = (move.action, move.tile, move.end)
    named = all(isinstance(name, str | None) for name in names)
    return named and _may_lie(move.lengthwise) and _may_be_announced(move.announce)


def _may_lie(lengthwise: object) -> bool:
    return isinstance(lengthwise, int | None)


def _may_be_announced(points: object) -> bool:
    return points is None or (type(points) is int and 0 <= points <= MOST_ANNOUNCED)


def _as_written(move: Move) -> tuple[str, str | None, str | None, bool]:
    if move.action != "play":
        return move.action, None, None, False
    try:
        tile = tile_name(parse_tile(move.tile or ""))
        end = "lead" if move.end is None else canonical_end(move.end)
    except ValueError:
        return move.action, None, None, False
    return move.action, tile, end, bool(move.lengthwise)


def _objection(answer: object) -> str:
    """Why it cannot be played."""
    if not isinstance(answer, Move):
        return f"it returned {in_a_line(answer, reprlib.repr)}, which is no Move"
    on = None if answer.end is None else f"on {in_a_line(answer.end)}"
    across = _may_lie(answer.lengthwise) and not answer.lengthwise
    lengthwise = None if across else "lengthwise"
    announcing = None if _may_be_announced(answer.announce) else f"announcing {in_a_line(answer.announce)}"
    parts = (answer.action, answer.tile, on, lengthwise, announcing)
    return " ".join(in_a_line(part) for part in parts if part is not None) + " is not allowed"
