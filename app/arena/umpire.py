"""Asks the players for their moves, times them, and puts the first legal move in the place of one that cannot be made.

A crash, a move that is not allowed, and a move that never comes are **faults**: each is counted, its game is marked,
and the first of the legal moves is made instead, as on a server. A slow move is counted and stands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict

from app.bots.announcing import MOST_ANNOUNCED, announced, without_calls
from app.bots.files import what_broke, writable
from app.bots.named import Choose
from app.engine.actions import Action, Draw, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.events import GameEvent
from app.engine.game import Game
from app.engine.moves import Move
from app.engine.turns import decide
from app.engine.views import SeatView, seat_view

CRASH, ILLEGAL, CUT_OFF = "crash", "illegal", "cut off"
FAULTS = (CRASH, ILLEGAL, CUT_OFF)
NOTES = 3
"""Faults of a player that are told in words, in one game."""


class CutOff(BaseException):
    """A move did not come in time. No bot catches it by accident: it is no `Exception`."""


class Stopped(BaseException):
    """The contest is broken off, and this game with it."""


class Clock(Struct, frozen=True):
    """What measures; it comes from outside, for nothing here reads a clock."""

    seconds: Callable[[], float]
    cpu_seconds: Callable[[], float]
    slow: float = 1.0
    """Seconds after which a move is slow."""
    guard: Callable[[int], AbstractContextManager[object]] = nullcontext
    """A block for a player's move, in which `CutOff` is raised when it takes too long, `Stopped` when all is over."""


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
        """Whether the first legal move was made in the place of one of its own."""
        return any(self.faults.values())


class Umpire:
    """Asks the players of one game."""

    def __init__(self, players: tuple[Choose, Choose], clock: Clock) -> None:
        self._players, self._clock = players, clock
        self.conduct = (Conduct(), Conduct())

    def move(self, game: Game, seat: int, player: int, seed: int) -> tuple[GameEvent, ...]:
        """What happens when the player moves for the seat on turn."""
        view, conduct = without_calls(seat_view(game, seat)), self.conduct[player]
        asked = self._ask(view, player, seed)
        if isinstance(asked, Move):
            try:
                return decide(game, _action(seat, announced(view, _well_formed(asked))))
            except RuleViolation as refusal:
                said = f"{refusal.code}: {refusal}"
            except (TypeError, ValueError) as error:
                said = f"no move: {error}"
            asked = (ILLEGAL, f"{_words(asked)} is not allowed ({said})")
        fault, note = asked
        conduct.faults[fault] += 1
        if len(conduct.notes) < NOTES:
            conduct.notes.append(f"hand {game.hand_number}, seat {seat}: {fault}: {writable(note)}")
        return decide(game, _action(seat, announced(view, view.legal_moves[0])))

    def _ask(self, view: SeatView, player: int, seed: int) -> Move | tuple[str, str]:
        """The player's answer, or its fault and what to say of it."""
        clock, conduct, choose = self._clock, self.conduct[player], self._players[player]
        conduct.moves += 1
        answer: object = None
        fault: tuple[str, str] | None = None
        cpu, start = clock.cpu_seconds(), clock.seconds()
        try:
            with clock.guard(player):
                answer, fault = _answer(choose, view, seed)
        except CutOff:
            fault = CUT_OFF, "the move did not come in time"
        except Stopped:
            raise
        except BaseException as error:  # noqa: BLE001 - even the text of a bot's error may break
            fault = CRASH, f"an error whose text breaks: {type(error).__name__}"
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


def _answer(choose: Choose, view: SeatView, seed: int) -> tuple[object, tuple[str, str] | None]:
    """What the player returns, or its crash; telling that runs the bot's code, too."""
    try:
        return choose(view, seed), None
    except (CutOff, Stopped):
        raise
    except BaseException as error:  # noqa: BLE001 - a bot may break in any way, and the match goes on
        return None, (CRASH, what_broke(error, getattr(choose, "path", "")))


def _well_formed(move: Move) -> Move:
    """The move, once its fields are what they should be. Raises: ValueError, TypeError."""
    move = msgspec.convert(asdict(move), Move)
    if move.announce is not None and not 0 <= move.announce <= MOST_ANNOUNCED:
        raise ValueError(f"0 to {MOST_ANNOUNCED} points can be announced, not {move.announce}")
    return move


def _action(seat: int, move: Move) -> Action:
    """What the move asks for. Raises: ValueError when it is none that a player is asked for."""
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
            raise ValueError("calls are made in every player's place")


def _words(move: Move) -> str:
    end = f"on {move.end}" if type(move.end) is str else ""
    return " ".join(part for part in (move.action, move.tile, end) if part and type(part) is str)
