"""Small steps for the store's tests: a table opens, somebody sits, the host changes; folded by the real `evolve`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from app.engine.events import GameEnded, RuleSetName
from app.engine.rulesets import ALL_FIVES
from app.tables.events import HostChanged, SeatTaken, TableClosed, TableCreated, TableEvent
from app.tables.log import evolve
from app.tables.ports import Step
from app.tables.receipts import Receipt
from app.tables.seats import Occupant
from app.tables.table import Table
from app.tables.terms import Clock

T0 = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
KEEP = timedelta(hours=1)


def opened(
    table_id: str,
    *,
    host: str | None = "ann",
    at: datetime = T0,
    visibility: str = "public",
    practice: bool = False,
    due: datetime | None = None,
    keep: timedelta = KEEP,
) -> Step:
    """The first step: a table for two, opened by this host, nobody seated."""
    created = TableCreated(
        seq=1,
        at=at,
        table=table_id,
        ruleset=RuleSetName(id="all-fives", house_rules={"target": {"2": 100}}),
        rules=ALL_FIVES,
        players=2,
        seating="solo",
        visibility=visibility,
        abandonment="bot_plays_on",
        clock=Clock(),
        host=host,
        practice=practice,
        invite_code="ABCDEFGHJK",
        secret="5" * 64,
    )
    return Step(before=0, table=evolve(None, created), events=(created,), receipts=(), due=due, keep=keep)


def then(
    before: Table,
    *events: TableEvent,
    status: str | None = None,
    receipts: Sequence[Receipt] = (),
    due: datetime | None = None,
    keep: timedelta = KEEP,
) -> Step:
    """The step with these events on top, stamped one after the other."""
    table = before
    stamped: list[TableEvent] = []
    for number, event in enumerate(events, start=1):
        at = before.changed_at + timedelta(seconds=number)
        stamped.append(replace(event, seq=before.version + number, at=at))
        if isinstance(event, GameEnded):  # there is no game here to fold it into
            table = replace(table, version=table.version + 1, changed_at=at)
        else:
            table = evolve(table, stamped[-1])
    if status is not None:
        table = replace(table, status=status)
    return Step(before=before.version, table=table, events=tuple(stamped), receipts=tuple(receipts), due=due, keep=keep)


def sits(player_id: str, seat: int = 0) -> SeatTaken:
    return SeatTaken(seat=seat, occupant=Occupant(kind="human", player_id=player_id))


def host(player_id: str) -> HostChanged:
    return HostChanged(player_id=player_id)


def ended() -> GameEnded:
    return GameEnded(winner=None, scores=(0, 0), places=(1, 1), reason="abandoned")


def closed() -> TableClosed:
    return TableClosed(reason="empty")


def receipt(key: str, before: int, after: int) -> Receipt:
    return Receipt(player_id="ann", key=key, digest="d" * 64, before=before, after=after, at=T0, connected=(True, None))
