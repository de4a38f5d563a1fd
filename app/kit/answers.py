"""What the API answers, as far as a bot's player reads it. Fields it does not know are ignored (API.md)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from app.engine.moves import Move
from app.engine.ruleset import RuleSet, Seating
from app.engine.views import LayoutView

Entry = dict[str, Any]
"""An event of a table's log as this seat was sent it."""


class Named(Struct, frozen=True, kw_only=True):
    """Which rule set is played and which of its fields the table overrides."""

    id: str
    house_rules: dict[str, Any] = {}


class Occupant(Struct, frozen=True, kw_only=True):
    kind: str
    """human | bot | house_bot | open"""
    player_id: str | None = None
    name: str | None = None
    level: str | None = None


class Seat(Struct, frozen=True, kw_only=True):
    seat: int
    side: int
    occupant: Occupant
    stand_in: dict[str, Any] | None = None
    """None: whoever sits here plays."""
    tiles: int | None = None
    """Tiles held; None before the first deal."""


class Hand(Struct, frozen=True, kw_only=True):
    number: int
    phase: str
    """playing | claim | over"""
    leader: int
    turn: int | None
    deadline_ms: int | None = None
    boneyard: int
    layout: LayoutView


class Own(Struct, frozen=True, kw_only=True):
    seat: int
    holding: tuple[str, ...]
    legal_moves: tuple[Move, ...]


class TableView(Struct, frozen=True, kw_only=True):
    """A table as this seat sees it."""

    id: str
    version: int
    status: str
    """open | playing | finished | closed"""
    ruleset: Named
    rules: RuleSet
    players: int
    seating: Seating
    target: int
    seats: tuple[Seat, ...]
    scores: tuple[int, ...]
    hand: Hand | None
    you: Own | None
    result: dict[str, Any] | None = None


class Moved(Struct, frozen=True, kw_only=True):
    """The answer to a move."""

    events: tuple[Entry, ...]
    table: TableView


class Told(Struct, frozen=True, kw_only=True):
    """One entry of the player's feed."""

    seq: int
    type: str
    table: str
    version: int


class Ticket(Struct, frozen=True, kw_only=True):
    id: str
    status: str
    """waiting | matched | cancelled | expired"""
    table: str | None = None


class Invitation(Struct, frozen=True, kw_only=True):
    id: str
    table: str
    ruleset: Named
    players: int
    seating: Seating
