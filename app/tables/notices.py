"""What a player is told over all of his tables: one notice for each thing in a step that concerns him.

A notice holds nothing that only a seat may know; what the player may see of his table is joined when it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from app.engine.events import GameEnded, GameStarted, HandEnded
from app.tables.events import PlayerInvited, TableEvent, TurnStarted
from app.tables.table import Table


class Notice(Struct, frozen=True, kw_only=True):
    """One thing told to one player."""

    player_id: str
    type: str
    """table_started | your_turn | hand_ended | table_finished | invited; more may come."""
    table: str
    version: int
    """`seq` of the event that is told of."""
    at: datetime
    seat: int | None = None
    """The player's own; None where he does not sit."""
    deadline: datetime | None = None
    """When his turn expires; None: untimed, or no turn."""


class Entry(Struct, frozen=True, kw_only=True):
    """A notice in its place in the player's feed."""

    seq: int
    notice: Notice


def notices_of(table: Table, events: Iterable[TableEvent]) -> tuple[Notice, ...]:
    """What the players at this table are told of a step's events; `table` is as the step leaves it."""
    return tuple(notice for event in events for notice in _of_one(table, event))


def _of_one(table: Table, event: TableEvent) -> Iterator[Notice]:
    match event:
        case GameStarted():
            yield from _to_all(table, event, "table_started")
        case HandEnded():
            yield from _to_all(table, event, "hand_ended")
        case GameEnded():
            yield from _to_all(table, event, "table_finished")
        case TurnStarted(seat=seat, deadline=deadline) if table.seats[seat].player_present:
            yield from _to_one(table, event, "your_turn", seat, deadline)
        case PlayerInvited(player_id=str(player_id)):
            assert event.at is not None
            yield Notice(player_id=player_id, type="invited", table=table.id, version=event.seq, at=event.at)
        case _:
            return


def _to_all(table: Table, event: TableEvent, kind: str) -> Iterator[Notice]:
    for seat in range(table.players):
        yield from _to_one(table, event, kind, seat)


def _to_one(
    table: Table, event: TableEvent, kind: str, seat: int, deadline: datetime | None = None
) -> Iterator[Notice]:
    player_id = table.seats[seat].occupant.player_id
    if player_id is None:
        return
    assert event.at is not None
    yield Notice(
        player_id=player_id,
        type=kind,
        table=table.id,
        version=event.seq,
        at=event.at,
        seat=seat,
        deadline=deadline,
    )
