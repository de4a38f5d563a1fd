"""The shapes clients read (API.md): every field is always present, None when it has no value."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, TypeVar

from msgspec import Struct

from app.engine.events import HandEnded, Proof, RuleSetName
from app.engine.moves import Move
from app.engine.ruleset import RuleSet, Seating
from app.engine.views import LayoutView
from app.tables.events import TableEvent
from app.tables.seats import Occupant, StandIn
from app.tables.table import Result
from app.tables.terms import Clock

T = TypeVar("T")


class HoldShape(Struct, frozen=True, kw_only=True):
    """Whom an open seat is kept for."""

    player_id: str
    name: str | None
    until: datetime


class SeatShape(Struct, frozen=True, kw_only=True):
    seat: int
    side: int
    occupant: Occupant
    stand_in: StandIn | None
    timeouts: int
    tiles: int | None
    """Tiles held; None before the first deal."""
    connected: bool | None
    """A stream or poll touched the table in the last 15 s; None for bots and open seats."""
    bank_ms: int | None
    """What is left of the seat's bank now; None: this table has none."""
    held_for: HoldShape | None
    """An open seat only this player may take; None: whoever comes."""


class HandShape(Struct, frozen=True, kw_only=True):
    number: int
    phase: str
    """playing | claim | over"""
    leader: int
    turn: int | None
    deadline: datetime | None
    deadline_ms: int | None
    """Milliseconds from `now` to `deadline`, never below 0."""
    bank_from: datetime | None
    """From then on the bank of the seat on turn is used up; None: it is not."""
    next_hand_at: datetime | None
    boneyard: int
    layout: LayoutView
    commitment: str | None


class OwnShape(Struct, frozen=True, kw_only=True):
    """What only the asker's seat may see."""

    seat: int
    holding: tuple[str, ...]
    legal_moves: tuple[Move, ...]


class TableView(Struct, frozen=True, kw_only=True):
    id: str
    version: int
    now: datetime
    status: str
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: Seating
    target: int
    visibility: str
    invite_code: str | None
    practice: bool
    rated: bool
    """Whether its result changes ratings."""
    host: str | None
    created_at: datetime
    expires_at: datetime | None
    """When an open table closes, or a finished one is forgotten; None while playing."""
    next_table: str | None
    abandonment: str
    auto_forced: bool
    clock: Clock
    seats: tuple[SeatShape, ...]
    scores: tuple[int, ...]
    hand: HandShape | None
    last_hand: HandEnded | None
    you: OwnShape | None
    result: Result | None


class Person(Struct, frozen=True, kw_only=True):
    player_id: str
    name: str | None
    """His name now; None for a deleted player."""


class Invitation(Struct, frozen=True, kw_only=True):
    """A player is asked to come and play at a table."""

    id: str
    table: str
    player: Person
    """Who is asked."""
    inviter: Person
    """Who asks."""
    ruleset: RuleSetName
    players: int
    seating: Seating
    clock: Clock
    created_at: datetime
    expires_at: datetime


class InvitationList(Struct, frozen=True, kw_only=True):
    items: tuple[Invitation, ...]
    next_cursor: str | None = None


class TableSummary(Struct, frozen=True, kw_only=True):
    id: str
    version: int
    status: str
    ruleset: str
    house_rules: dict[str, object]
    players: int
    seating: Seating
    seats: tuple[str, ...]
    """Kind of each occupant."""
    free_seats: int
    """Seats the asker may take now; 0 unless the table is open."""
    clock: Clock
    created_at: datetime
    expires_at: datetime | None
    your_turn: bool
    """Whether the asker is to move; False while a stand-in plays for him."""


class Page(Struct, frozen=True, kw_only=True):
    items: tuple[TableSummary, ...]
    next_cursor: str | None


class MoveAnswer(Struct, frozen=True, kw_only=True):
    version: int
    events: tuple[TableEvent, ...]
    """What this move caused, as the asker may see it."""
    table: TableView


class EventPage(Struct, frozen=True, kw_only=True):
    events: tuple[TableEvent, ...]
    next_after: int
    version: int


class FeedEvent(Struct, frozen=True, kw_only=True):
    """One thing a player is told over all of his tables."""

    seq: int
    """Place in the player's feed; it grows, with gaps."""
    type: str
    at: datetime
    table: str
    version: int
    """`seq`, in the table's log, of the event that is told of."""
    seat: int | None
    deadline: datetime | None
    you: OwnShape | None
    """With `your_turn`: as it is when this is read."""


class FeedPage(Struct, frozen=True, kw_only=True):
    events: tuple[FeedEvent, ...]
    next_after: int


class FinishedHand(Struct, frozen=True, kw_only=True):
    """A hand that is over, all tiles open."""

    number: int
    leader: int
    lead_by: str
    holdings: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    """As dealt, in drawing order."""
    events: tuple[TableEvent, ...]
    result: HandEnded
    proof: Proof | None


class KnownOfSeat(Struct, frozen=True, kw_only=True):
    """What everybody can work out about one seat's holding."""

    seat: int
    tiles: int
    """Tiles it holds."""
    lacks: tuple[int, ...]
    """Numbers its draws and passes prove it not to hold right now."""


class Knowledge(Struct, frozen=True, kw_only=True):
    """What the hand has told everybody alike."""

    version: int
    hand: int | None
    """Number of the hand; None before the first deal."""
    boneyard: int
    unseen: tuple[str, ...]
    """Tiles that do not lie on the table."""
    seats: tuple[KnownOfSeat, ...]


class RecordSeat(Struct, frozen=True, kw_only=True):
    seat: int
    side: int
    occupant: Occupant


RECORD_FORMAT = "all-fives-record/1"


class RecordHead(Struct, frozen=True, kw_only=True):
    """What a record says of a game before its hands."""

    format: str
    table: str
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: Seating
    target: int
    abandonment: str
    """bot_plays_on | forfeit"""
    practice: bool
    commitment: str | None
    """The public end of the chain all deals come from, 64 hex digits."""
    seats: tuple[RecordSeat, ...]
    started_at: datetime | None


class GameRecord(RecordHead, frozen=True, kw_only=True):
    """Finished hands and the result, replayable offline by anyone."""

    hands: tuple[FinishedHand, ...]
    result: Result | None


class Answer(Struct, Generic[T], frozen=True, kw_only=True):
    """A write's answer, and whether it was given before under the same key."""

    value: T
    replayed: bool = False
    status: int = 200
