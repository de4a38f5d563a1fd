"""A ticket as it is asked for, and as its player reads it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from app.engine.events import RuleSetName
from app.engine.ruleset import Seating
from app.tables.pools import Pool, Terms, Ticket
from app.tables.terms import Clock


class TicketRequest(Struct, frozen=True, kw_only=True):
    """What a player would like to play."""

    ruleset: str = "all-fives"
    players: int = 2
    seating: str | None = None
    """None: the rule set's default for this number of players."""
    house_rules: dict[str, object] = {}
    clock: Clock = Clock()
    fill_with_bots_after: float | None = None
    """Seconds; None: people only."""
    level: str = "medium"
    """Of those bots."""


class TicketShape(Struct, frozen=True, kw_only=True):
    """A ticket as its player reads it."""

    id: str
    status: str
    """waiting | matched | cancelled | expired"""
    ruleset: RuleSetName
    players: int
    seating: Seating
    clock: Clock
    fill_at: datetime | None
    level: str
    waiting: int
    """Compatible tickets that wait now, this one included; 0 when it does not wait."""
    created_at: datetime
    expires_at: datetime | None
    """While it waits."""
    table: str | None


def shown_ticket(terms: Terms, ticket: Ticket, pool: Pool) -> TicketShape:
    """The ticket, in the pool it waits or waited in."""
    waits = ticket.status == "waiting"
    return TicketShape(
        id=ticket.id,
        status=ticket.status,
        ruleset=RuleSetName(id=terms.ruleset, house_rules=terms.house_rules),
        players=terms.players,
        seating=terms.seating,
        clock=terms.clock,
        fill_at=ticket.fill_at,
        level=ticket.level,
        waiting=len(pool.waiting) if waits else 0,
        created_at=ticket.created_at,
        expires_at=ticket.until if waits else None,
        table=ticket.table,
    )
