"""When a table next needs attention, and why: a pure function of its state (one due time per table).

A moment is released at a time that does not depend on anybody's tiles. `think` says how many seconds after the start of
its turn a move of each bot level is released.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from app.engine.game import phase, rules_of, turn
from app.engine.legality import may_call
from app.tables.table import Table

OPEN_FOR = timedelta(minutes=30)
"""An open table nobody changes is closed after this."""
UNTIMED_FOR = timedelta(hours=24)
"""A game without a turn clock is abandoned when nobody moves for this long."""
CLAIM_THINK = timedelta(seconds=2)
"""On claim tables bots and stand-ins act or call no sooner than this after a play."""
LOOK_FOR = timedelta(seconds=10)
"""That long bots are asked to look at a play; each look brings the same answer."""
RESCUE_AFTER = timedelta(seconds=10)
"""A bot that has not moved this long after its release is moved for by level medium."""

REMATCH_WITHIN = timedelta(seconds=1)
"""Whoever asks for a rematch makes the next table at once; if he died on the way, it is made after this."""

Why = Literal["close", "free", "calls", "bot", "rescue", "turn", "claim", "deal", "abandon", "rematch"]


class _AtOnce(dict[str, float]):
    """Nobody thinks: for questions that leave bots out."""

    def __missing__(self, level: str) -> float:
        return 0.0


_AT_ONCE = _AtOnce()


class Moment(Struct, frozen=True, order=True):
    at: datetime
    why: Why
    seat: int | None = None


def moments(table: Table, think: Mapping[str, float]) -> list[Moment]:
    """All moments of this version, earliest first; empty: nothing will ever happen by itself."""
    if table.status == "open":
        held = [(seat.hold.until, number) for number, seat in enumerate(table.seats) if seat.hold is not None]
        freed = [Moment(until, "free", number) for until, number in held]
        return sorted([Moment(table.changed_at + OPEN_FOR, "close"), *freed], key=lambda moment: moment.at)
    if table.status == "finished" and table.rematch_by and table.next_table is None:
        return [Moment(table.changed_at + REMATCH_WITHIN, "rematch")]
    if table.status != "playing" or table.game is None:
        return []
    due = _calls(table)
    match phase(table.game):
        case "over":
            if table.next_hand_at is not None:
                due.append(Moment(table.next_hand_at, "deal"))
        case "claim":
            if table.claim_deadline is not None:
                due.append(Moment(table.claim_deadline, "claim"))
        case "playing":
            due += _turn(table, think)
        case None:
            pass
    return sorted(due, key=lambda moment: moment.at)


def next_moment(table: Table, think: Mapping[str, float], after: datetime | None = None) -> Moment | None:
    """The first moment, or the first one later than `after`."""
    return next((moment for moment in moments(table, think) if after is None or moment.at > after), None)


def overdue(table: Table, now: datetime) -> bool:
    """A deadline has passed that binds people: a turn, a claim window, a break, an open table's life."""
    return any(moment.at <= now and moment.why not in ("calls", "bot", "rescue") for moment in moments(table, _AT_ONCE))


def is_expired(table: Table, now: datetime) -> bool:
    """An open table whose time has passed, though nobody may have closed it yet."""
    return table.status == "open" and table.changed_at + OPEN_FOR <= now


def bot_due(table: Table, think: Mapping[str, float], now: datetime) -> bool:
    """One of our own bots has something to do now."""
    due = (moment for moment in moments(table, think) if moment.at <= now)
    return any(moment.why == "bot" or (moment.why == "calls" and now < moment.at + LOOK_FOR) for moment in due)


def _calls(table: Table) -> list[Moment]:
    """Bots look together whether the last play missed points; looking again brings the same answer."""
    game = table.game
    if game is None or game.hand is None or table.played_at is None or not table.rules.claim:
        return []
    rules = rules_of(game)
    for number, seat in enumerate(table.seats):
        if seat.bot_level is not None and may_call(rules, game.hand, number):
            return [Moment(table.played_at + CLAIM_THINK, "calls")]
    return []


def _turn(table: Table, think: Mapping[str, float]) -> list[Moment]:
    assert table.game is not None
    number = turn(table.game)
    if number is None or table.turn_at is None:
        return []
    level = table.seats[number].bot_level
    if level is None:
        if table.deadline is None:
            return [Moment(table.changed_at + UNTIMED_FOR, "abandon")]
        return [Moment(table.deadline, "turn", number)]
    pace = timedelta(seconds=max(table.clock.bot_pace_seconds, think[level]))
    release = table.turn_at + pace
    if table.rules.claim and table.played_at is not None:
        release = max(release, table.played_at + CLAIM_THINK)
    return [Moment(release, "bot", number), Moment(release + RESCUE_AFTER, "rescue", number)]
