"""A table's state: a value, always what its log says (`replay(log) == state`)."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from app.engine.events import HandEnded, RuleSetName
from app.engine.game import Game
from app.engine.ruleset import RuleSet, Seating
from app.tables.seats import Invited, Seat
from app.tables.terms import Clock, PracticeDeal


class Result(Struct, frozen=True, kw_only=True):
    """How a game ended."""

    winner: int | None
    """A side; None for a draw."""
    scores: tuple[int, ...]
    reason: str
    places: tuple[int, ...]


class Table(Struct, frozen=True, kw_only=True):
    """Everything about one table, hidden tiles included. Never shown; `views` says what a seat may see of it."""

    id: str
    version: int
    """`seq` of the last event: optimistic lock, cursor and job fence in one."""
    status: str
    """open | playing | finished | closed"""
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: Seating
    visibility: str
    abandonment: str
    clock: Clock
    host: str | None
    practice: bool
    script: PracticeDeal | None
    invite_code: str | None
    secret: str
    commitment: str | None
    """The public end of the chain all deals come from."""
    created_at: datetime
    changed_at: datetime
    """Time of the last event."""
    seats: tuple[Seat, ...]
    auto_forced: bool = False
    """Forced draws and passes are made at once."""
    all_bots: bool = False
    """Opened without a human: it is not abandoned for want of one."""
    game: Game | None = None
    """None while open."""
    turn_at: datetime | None = None
    """Start of the running turn, or of its last draw: what a bot's pace counts from."""
    played_at: datetime | None = None
    """Time of the last play, which claim windows count from."""
    deadline: datetime | None = None
    """When the running turn expires; None: untimed, a bot's turn, or nobody's."""
    bank_from: datetime | None = None
    """When the running turn begins to use up its seat's bank; None: it never does."""
    times_added: int = 0
    """How often an opponent has given the running turn more time."""
    claim_deadline: datetime | None = None
    """When the claim window of a hand's last play closes."""
    next_hand_at: datetime | None = None
    hand_seqs: tuple[int, ...] = ()
    """`seq` of each hand's `hand_dealt`, so that a finished hand is read without the whole log."""
    hand_commitment: str | None = None
    """What the link of the running or last hand hashes to; None for a scripted deal."""
    client_seeds: tuple[str, ...] | None = None
    """What the seats brought to the running or last hand's deal; None for a scripted one."""
    last_hand: HandEnded | None = None
    result: Result | None = None
    invited: tuple[Invited, ...] = ()
    """Who was asked to come; entries whose time is up may still stand here and mean nothing."""
    rematch_by: tuple[int, ...] = ()
    """Seats that asked for a rematch, the first of them first."""
    next_table: str | None = None
    """The rematch, once it is there."""

    def seat_of(self, player_id: str | None) -> int | None:
        """The seat this player has here (a stand-in may be playing it); None: a spectator."""
        if player_id is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.occupant.player_id == player_id:
                return number
        return None

    def held_for(self, player_id: str | None) -> int | None:
        """The open seat that is kept for this player; None: none is."""
        for number, seat in enumerate(self.seats):
            if seat.hold is not None and seat.hold.player_id == player_id:
                return number
        return None

    def invitation_of(self, player_id: str | None, now: datetime) -> Invited | None:
        """The invitation this player may still accept."""
        if self.status != "open":
            return None
        return next((one for one in self.invited if one.player_id == player_id and one.until > now), None)
