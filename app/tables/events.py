"""What happened at a table around its game: who sat, left, ran out of time. With `engine.events` it is the log."""

from __future__ import annotations

from datetime import datetime

from app.engine.events import Event, GameEvent, RuleSetName
from app.engine.moves import Move
from app.engine.ruleset import RuleSet, Seating
from app.tables.seats import Occupant
from app.tables.terms import Clock, PracticeDeal


class TableCreated(Event, frozen=True, kw_only=True):
    table: str
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: Seating
    visibility: str
    """public | private"""
    abandonment: str
    """bot_plays_on | forfeit"""
    clock: Clock
    host: str | None
    practice: bool
    auto_forced: bool = False
    commitment: str | None = None
    """The public end of the chain all deals come from, 64 hex digits."""
    script: PracticeDeal | None = None
    """The scripted first deal; hidden from everyone, `hand_dealt` shows each seat its part."""
    invite_code: str | None = None
    """Hidden in the log's readers; the table view shows it to those who sit."""
    secret: str | None = None
    """64 hex digits that the chain of deals, and apart from it the bots' choices, are drawn from; hidden for ever."""


class TableClosed(Event, frozen=True, kw_only=True):
    reason: str
    """empty | expired"""


class SeatTaken(Event, frozen=True, kw_only=True):
    seat: int
    occupant: Occupant


class SeatLeft(Event, frozen=True, kw_only=True):
    seat: int


class SeatHeld(Event, frozen=True, kw_only=True):
    """An open seat is kept for one player."""

    seat: int
    player_id: str
    until: datetime


class SeatFreed(Event, frozen=True, kw_only=True):
    """A seat is kept for nobody any more: the time was up, or somebody who may said so."""

    seat: int


class HostChanged(Event, frozen=True, kw_only=True):
    player_id: str | None


class InviteRenewed(Event, frozen=True, kw_only=True):
    """The table has a new invite code; the old one stopped working."""

    invite_code: str | None
    """Hidden in the log's readers, as in `table_created`."""


class PlayerInvited(Event, frozen=True, kw_only=True):
    """A player was asked to come and play; until he answers or the time is up he may look and sit."""

    player_id: str | None
    """Hidden, like `inviter`, from all but these two, wherever they sit now or later."""
    inviter: str | None
    """The player who asked."""
    until: datetime


class InvitationDeclined(Event, frozen=True, kw_only=True):
    player_id: str | None
    """Hidden, like `inviter` and `reason`, from all but these two."""
    inviter: str | None = None
    """The player who had asked; None in entries older than this field."""
    reason: str | None
    """One of `app.tables.direct_invitations.REASONS`."""


class TurnStarted(Event, frozen=True, kw_only=True):
    seat: int
    deadline: datetime | None
    """None: untimed, or a bot's turn."""
    deadline_ms: int | None
    """Milliseconds from `at` to `deadline`."""
    bank_from: datetime | None = None
    """From then on the seat's bank is used up; it is all gone at `deadline`. None: no bank."""
    legal_moves: tuple[Move, ...] | None
    """The seat's own; hidden from everyone else."""


class TimeAdded(Event, frozen=True, kw_only=True):
    """An opponent gave the seat on turn more time."""

    seat: int
    deadline: datetime


class TurnTimedOut(Event, frozen=True, kw_only=True):
    seat: int


class StandInSeated(Event, frozen=True, kw_only=True):
    seat: int
    level: str
    reason: str
    """left | timeout"""


class SeatReclaimed(Event, frozen=True, kw_only=True):
    seat: int


class RematchAsked(Event, frozen=True, kw_only=True):
    """A seat of a finished table wants another game."""

    seat: int


class RematchReady(Event, frozen=True, kw_only=True):
    """The next table is there."""

    table: str


TableOnlyEvent = (
    TableCreated
    | TableClosed
    | SeatTaken
    | SeatLeft
    | SeatHeld
    | SeatFreed
    | HostChanged
    | InviteRenewed
    | PlayerInvited
    | InvitationDeclined
    | TurnStarted
    | TimeAdded
    | TurnTimedOut
    | StandInSeated
    | SeatReclaimed
    | RematchAsked
    | RematchReady
)
TableEvent = GameEvent | TableOnlyEvent
