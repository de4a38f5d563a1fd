"""Where tickets wait: one pool for all that may meet. Pure: values in, values out; no clock, no chance, no store.

Tickets are compatible if their rules come to the same, as do players, seating and clock; that is what a pool's id says.
A ticket is in exactly one place: it waits, or it is in one group that has its table's id, or it has ended. As soon as
enough wait they are a group, so never more wait than there are seats but one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.engine.events import GameStarted
from app.engine.house_rules import as_played
from app.engine.ruleset import Seating
from app.tables.terms import Clock

LAPSES_AFTER = timedelta(seconds=120)
"""A ticket whose player has not asked for it this long has been given up: nobody should wait for him at a table."""


class Terms(Struct, frozen=True, kw_only=True):
    """What is played by those who meet in a pool."""

    ruleset: str
    players: int
    seating: Seating
    house_rules: dict[str, object]
    clock: Clock


class Ticket(Struct, frozen=True, kw_only=True):
    """One player's wish to play."""

    id: str
    player_id: str
    kind: str
    """human | bot"""
    status: Literal["waiting", "matched", "cancelled", "expired"] = "waiting"
    created_at: datetime
    until: datetime
    """When it lapses unless its player asks for it before."""
    fill_at: datetime | None
    """From then on bots may take the seats nobody came for; None: people only."""
    level: str
    """Of those bots."""
    table: str | None = None
    """Once matched."""


class Group(Struct, frozen=True, kw_only=True):
    """Tickets that have met; their table may still have to be made, under this very id."""

    table: str
    tickets: tuple[Ticket, ...]
    level: str
    """Of the bots at the seats that are left."""


class Pool(Struct, frozen=True, kw_only=True):
    id: str
    version: int
    """Number of changes so far: the lock."""
    terms: Terms
    waiting: tuple[Ticket, ...] = ()
    """Oldest first."""
    groups: tuple[Group, ...] = ()
    """Those whose tables may still have to be made."""

    def waiting_of(self, player_id: str) -> Ticket | None:
        return next((ticket for ticket in self.waiting if ticket.player_id == player_id), None)

    @property
    def is_idle(self) -> bool:
        """Nothing will ever happen here by itself."""
        return not self.waiting and not self.groups


def pool_id_of(started: GameStarted, clock: Clock) -> str:
    """The pool for these terms: house rules are merged in first, so equal rules meet however they were written."""
    rules = as_played(started.rules, started.players, started.seating)
    said = [rules, started.players, started.seating, started.target, clock]
    return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()[:24]


def pool_of(ticket_id: str) -> str:
    """The pool a ticket waits in, from its id.

    >>> pool_of("0123-abc")
    '0123'
    """
    return ticket_id.rpartition("-")[0]


def joined(pool: Pool, ticket: Ticket) -> Pool:
    return replace(pool, waiting=(*pool.waiting, ticket))


def asked_for(pool: Pool, ticket_id: str, now: datetime) -> Pool:
    """Its player is still there."""
    until = now + LAPSES_AFTER
    kept = (replace(one, until=max(one.until, until)) if one.id == ticket_id else one for one in pool.waiting)
    return replace(pool, waiting=tuple(kept))


def without(pool: Pool, *ticket_ids: str) -> Pool:
    return replace(pool, waiting=tuple(one for one in pool.waiting if one.id not in ticket_ids))


def made(pool: Pool, table: str) -> Pool:
    """The group's table is there."""
    return replace(pool, groups=tuple(group for group in pool.groups if group.table != table))


def settled(pool: Pool, now: datetime, new_table: Callable[[], str]) -> tuple[Pool, tuple[Ticket, ...]]:
    """What follows from who waits: lapsed tickets end, those who are enough meet, patience ends with bots.

    Whoever allows bots at all is taken along when another's patience ends, so that two people rather meet each other.

    Returns: the pool, and the tickets that do not wait any more.
    """
    ended = [replace(one, status="expired") for one in pool.waiting if one.until <= now]
    waiting = [one for one in pool.waiting if one.until > now]
    groups = list(pool.groups)

    def meet(those: list[Ticket], level: str) -> None:
        table = new_table()
        matched = tuple(replace(one, status="matched", table=table) for one in those)
        groups.append(Group(table=table, tickets=matched, level=level))
        ended.extend(matched)
        for one in those:
            waiting.remove(one)

    seats = pool.terms.players
    while len(waiting) >= seats:
        meet(waiting[:seats], waiting[0].level)
    impatient = [one for one in waiting if one.fill_at is not None and one.fill_at <= now]
    if impatient:
        first = min(impatient, key=lambda one: (one.fill_at or now, one.id))
        meet([one for one in waiting if one.fill_at is not None], first.level)
    return replace(pool, waiting=tuple(waiting), groups=tuple(groups)), tuple(ended)


def due_at(pool: Pool, now: datetime) -> datetime | None:
    """When the pool next needs attention: a lapse, an end of patience, a table that is to be made; None: never."""
    moments = [one.until for one in pool.waiting]
    moments += [one.fill_at for one in pool.waiting if one.fill_at is not None]
    moments += [now] if pool.groups else []
    return min(moments, default=None)
