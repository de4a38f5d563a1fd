"""Asks the players for their moves, times them, and puts a medium move in the place of one that cannot be made.

A crash, a move that is not allowed, and a move that never comes are **faults**: each is counted, its game is marked,
and level medium moves instead. A slow move is counted and stands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import msgspec
from msgspec import Struct, field

from app.arena.players import Choose
from app.bots import medium
from app.bots.files import what_broke
from app.engine.actions import Action, Draw, Muggins, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.events import GameEvent
from app.engine.game import Game
from app.engine.moves import Move
from app.engine.turns import decide
from app.engine.views import SeatView, preview, seat_view

CRASH, ILLEGAL, CUT_OFF = "crash", "illegal", "cut off"
FAULTS = (CRASH, ILLEGAL, CUT_OFF)
NOTES = 3
"""Faults of a player that are told in words, in one game."""


class CutOff(BaseException):
    """A move did not come in time. No bot catches it by accident: it is no `Exception`."""


class Clock(Struct, frozen=True):
    """What measures; it comes from outside, for nothing here reads a clock."""

    seconds: Callable[[], float]
    cpu_seconds: Callable[[], float]
    slow: float = 1.0
    """Seconds after which a move is slow."""
    guard: Callable[[], AbstractContextManager[object]] = nullcontext
    """A block in which `CutOff` is raised when it takes too long."""


class Conduct(Struct):
    """How one player behaved in a game."""

    faults: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0))
    slow: int = 0
    moves: int = 0
    """Everything it was asked for."""
    seconds: array[float] = field(default_factory=lambda: array("d"))
    """Of every move that left it a choice."""
    cpu_seconds: float = 0.0
    """Of all those together."""
    notes: list[str] = field(default_factory=list)
    """Its first faults, in words."""

    @property
    def faulty(self) -> bool:
        """Whether a medium move was made in the place of one of its own."""
        return any(self.faults.values())


class Umpire:
    """Asks the players of one game."""

    def __init__(self, players: tuple[Choose, Choose], clock: Clock) -> None:
        self._players, self._clock = players, clock
        self.conduct = (Conduct(), Conduct())

    def move(self, game: Game, seat: int, player: int, seed: int) -> tuple[GameEvent, ...]:
        """What happens when the player moves for the seat on turn."""
        view, conduct = seat_view(game, seat), self.conduct[player]
        asked = self._ask(view, player, seed)
        if isinstance(asked, Move):
            try:
                return decide(game, _action(seat, _announced(view, asked)))
            except RuleViolation as refusal:
                said = f"{refusal.code}: {refusal}"
            except (TypeError, ValueError) as error:
                said = f"no move: {error}"
            asked = (ILLEGAL, f"{_words(asked)} is not allowed ({said})")
        fault, note = asked
        conduct.faults[fault] += 1
        if len(conduct.notes) < NOTES:
            conduct.notes.append(f"hand {game.hand_number}, seat {seat}: {fault}: {note}")
        return decide(game, _action(seat, _announced(view, medium.choose(view, seed))))

    def _ask(self, view: SeatView, player: int, seed: int) -> Move | tuple[str, str]:
        """The player's answer, or its fault and what to say of it."""
        clock, conduct, choose = self._clock, self.conduct[player], self._players[player]
        conduct.moves += 1
        answer: object = None
        fault: tuple[str, str] | None = None
        cpu, start = clock.cpu_seconds(), clock.seconds()
        try:
            with clock.guard():
                answer = choose(view, seed)
        except CutOff:
            fault = CUT_OFF, "the move did not come in time"
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a bot may break in any way, and the match goes on
            fault = CRASH, what_broke(error, getattr(choose, "path", ""))
        seconds = clock.seconds() - start
        conduct.slow += seconds > clock.slow
        if len(view.legal_moves) > 1:
            conduct.seconds.append(seconds)
            conduct.cpu_seconds += clock.cpu_seconds() - cpu
        if fault is not None:
            return fault
        if not isinstance(answer, Move):
            return ILLEGAL, f"{type(answer).__name__} is no Move"
        return answer


def _announced(view: SeatView, move: Move) -> Move:
    """The move with its points announced, where a claim table asks for them and the bot has not done so itself."""
    if move.action != "play" or not view.rules.claim or move.announce is not None:
        return move
    try:
        return msgspec.structs.replace(move, announce=preview(view, move)[1] or None)
    except ValueError:
        return move


def _action(seat: int, move: Move) -> Action:
    """What the move asks for. Raises: ValueError when a field is not what it should be."""
    move = msgspec.convert(msgspec.structs.asdict(move), Move)
    match move.action:
        case "play" if move.tile is not None:
            return Play(seat=seat, tile=move.tile, end=move.end, lengthwise=move.lengthwise, announce=move.announce)
        case "play":
            raise ValueError("a play names its tile")
        case "draw":
            return Draw(seat=seat)
        case "pass":
            return Pass(seat=seat)
        case "muggins":
            return Muggins(seat=seat)


def _words(move: Move) -> str:
    return " ".join(str(part) for part in (move.action, move.tile, move.end and f"on {move.end}") if part)
