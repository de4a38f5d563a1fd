"""What happened at a table around its game: who sat, left, ran out of time. Together with `engine.events` they are the log."""

from __future__ import annotations

from datetime import datetime

from app.engine.events import Event, GameEvent, RuleSetName
from app.engine.moves import Move
from app.engine.rulesets import RuleSet
from app.tables.seats import Occupant
from app.tables.terms import Clock, PracticeDeal


class TableCreated(Event):
    table: str
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: str
    visibility: str
    """public | private"""
    abandonment: str
    """bot_plays_on | forfeit"""
    clock: Clock
    host: str | None
    practice: bool
    commitment: str | None = None
    script: PracticeDeal | None = None
    """The scripted first deal; hidden from everyone, `hand_dealt` shows each seat its part."""
    invite_code: str | None = None
    """Hidden in the log's readers; the table view shows it to those who sit."""
    secret: str | None = None
    """64 hex digits that bots' choices are drawn from; hidden for ever."""


class TableClosed(Event):
    reason: str
    """empty | expired"""


class SeatTaken(Event):
    seat: int
    occupant: Occupant


class SeatLeft(Event):
    seat: int


class HostChanged(Event):
    player_id: str | None


class TurnStarted(Event):
    seat: int
    deadline: datetime | None
    """None: untimed, or a bot's turn."""
    deadline_ms: int | None
    """Milliseconds from `at` to `deadline`."""
    legal_moves: tuple[Move, ...] | None
    """The seat's own; hidden from everyone else."""


class TurnTimedOut(Event):
    seat: int


class StandInSeated(Event):
    seat: int
    level: str
    reason: str
    """left | timeout"""


class SeatReclaimed(Event):
    seat: int


TableOnlyEvent = (
    TableCreated
    | TableClosed
    | SeatTaken
    | SeatLeft
    | HostChanged
    | TurnStarted
    | TurnTimedOut
    | StandInSeated
    | SeatReclaimed
)
TableEvent = GameEvent | TableOnlyEvent
