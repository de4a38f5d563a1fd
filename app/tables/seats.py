"""Who sits where: a seat's occupant, and the stand-in that plays for a player who is gone."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from app.tables.terms import write_alike

OccupantKind = Literal["human", "bot", "house_bot", "open"]


class Occupant(Struct, frozen=True, kw_only=True):
    """A player (human, or a bot with a token), one of our own bots, or nobody."""

    kind: OccupantKind
    player_id: str | None = None
    name: str | None = None
    """Joined on reading; the log and the state hold None, so that a deleted player leaves no name behind."""
    level: str | None = None
    """Level of a house bot; None for players."""
    forgetfulness: float = 0
    """Share of its points a house bot forgets to announce or call on claim tables, 0 to 1."""

    def __post_init__(self) -> None:
        write_alike(self)


STAND_IN_LEVEL = "medium"
"""Plays expired turns and absent players' seats (RULES.md, "Time, leaving, coming back")."""

OPEN = Occupant(kind="open")


class StandIn(Struct, frozen=True, kw_only=True):
    """The bot that plays for a player who left or ran out of time."""

    level: str
    reason: str
    """left | timeout"""
    since: datetime


class Hold(Struct, frozen=True, kw_only=True):
    """An open seat that is kept for one player: nobody else may take it until then."""

    player_id: str
    until: datetime


class Invited(Struct, frozen=True, kw_only=True):
    """A player who was asked to come and has not answered."""

    seq: int
    """Of the entry that invited him."""
    player_id: str
    by: str
    """The player who asked."""
    at: datetime
    until: datetime


class Seat(Struct, frozen=True, kw_only=True):
    """One place at the table."""

    occupant: Occupant = OPEN
    stand_in: StandIn | None = None
    timeouts: int = 0
    """Expired turns since the seat's own last action; lasts over hands."""
    since: datetime | None = None
    """When the occupant sat down; None while open."""
    bank_ms: int = 0
    """What is left of the seat's bank, the running turn not counted; 0 before the game."""
    hold: Hold | None = None
    """Whom this open seat is kept for; None: whoever comes."""

    @property
    def is_open(self) -> bool:
        return self.occupant.kind == "open"

    def is_free_for(self, player_id: str | None) -> bool:
        """Whether this player may sit down here while the table is open."""
        return self.is_open and (self.hold is None or self.hold.player_id == player_id)

    @property
    def is_player(self) -> bool:
        """A human or a bot developer's bot: somebody with a token."""
        return self.occupant.player_id is not None

    @property
    def player_present(self) -> bool:
        return self.is_player and self.stand_in is None

    @property
    def bot_level(self) -> str | None:
        """Level of whoever plays this seat by our own hand now; None: its player does."""
        if self.stand_in is not None:
            return self.stand_in.level
        return self.occupant.level if self.occupant.kind == "house_bot" else None
