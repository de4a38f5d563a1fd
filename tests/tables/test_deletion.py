"""Whoever is deleted while he sits down stays nowhere, whichever of the two comes first and wherever a process dies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.tables.ports import Step
from app.tables.requests import OpenPractice, OpenTable
from app.tables.ticket import TicketRequest
from tests.tables.room import Room
from tests.tables.test_rematch import Killed, won


def sits_down(room: Room) -> Callable[[], object]:
    table_id = room.open(players=2)
    return lambda: room.tables.sit(room.bob, table_id, None, None, None)


def opens_a_table(room: Room) -> Callable[[], object]:
    return lambda: room.tables.open(room.bob, OpenTable(), None)


def opens_a_table_without_sitting(room: Room) -> Callable[[], object]:
    return lambda: room.tables.open(room.bob, OpenTable(sit=False), None)


def starts_practice(room: Room) -> Callable[[], object]:
    return lambda: room.tables.practice(room.bob, OpenPractice(), None)


def accepts_an_invitation(room: Room) -> Callable[[], object]:
    invitation = room.tables.invite(room.ann, room.open(players=2), room.bob.player_id or "", None).value
    return lambda: room.tables.accept(room.bob, invitation.id, None)


def comes_back(room: Room) -> Callable[[], object]:
    table_id = room.open(room.bob, players=2)
    room.tables.leave(room.bob, table_id, 1)
    return lambda: room.tables.sit(room.bob, table_id, None, None, None)


def asks_for_a_rematch(room: Room) -> Callable[[], object]:
    table_id = won(room)
    return lambda: room.tables.rematch(room.bob, table_id, None)


def is_kept_a_seat(room: Room) -> Callable[[], object]:
    table_id = won(room)
    return lambda: room.tables.rematch(room.ann, table_id, None)


def meets_another_ticket(room: Room) -> Callable[[], object]:
    room.tickets.ask(room.ann, TicketRequest(), None)
    return lambda: room.tickets.ask(room.bob, TicketRequest(), None)


def is_met_by_another_ticket(room: Room) -> Callable[[], object]:
    room.tickets.ask(room.bob, TicketRequest(), None)
    return lambda: room.tickets.ask(room.ann, TicketRequest(), None)


WAYS = [
    sits_down,
    opens_a_table,
    opens_a_table_without_sitting,
    starts_practice,
    accepts_an_invitation,
    comes_back,
    asks_for_a_rematch,
    is_kept_a_seat,
    meets_another_ticket,
    is_met_by_another_ticket,
]
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def tables_that_count_on_bob(room: Room) -> list[str]:
    """Open or running tables where he sits himself, is awaited, or is the host of an open one."""
    bob = room.bob.player_id
    found = []
    for table, _, _ in room.store._all():
        seats = [seat for seat in table.seats if seat.occupant.player_id == bob and seat.stand_in is None]
        kept = table.held_for(bob) is not None
        if table.status == "open" and (seats or kept or table.host == bob):
            found.append(table.id)
        if table.status == "playing" and seats:
            found.append(table.id)
        room.log(table.id)
    return found


@every_way
def test_a_seat_written_after_the_deletion_is_left(
    room: Room, monkeypatch: pytest.MonkeyPatch, way: Callable[[Room], Callable[[], object]]
) -> None:
    seats_bob = way(room)
    commit = room.store.commit
    deleted: list[str] = []

    def deleting_first(step: Step) -> bool:
        writes_bob = room.bob.player_id in {seat.occupant.player_id for seat in step.table.seats}
        kept = step.table.held_for(room.bob.player_id) is not None
        if step.table.status in ("open", "playing") and (writes_bob or kept or step.before == 0) and not deleted:
            deleted.append(step.table.id)
            room.players.delete(room.bob)
        return commit(step)

    monkeypatch.setattr(room.store, "commit", deleting_first)
    seats_bob()
    assert deleted, "the deletion came in between"
    assert tables_that_count_on_bob(room) == []


@every_way
def test_a_seat_written_while_he_leaves_his_tables_is_left(
    room: Room, monkeypatch: pytest.MonkeyPatch, way: Callable[[Room], Callable[[], object]]
) -> None:
    seats_bob = way(room)
    delete = room.register.delete

    def seating_first(player_id: str) -> None:
        monkeypatch.setattr(room.register, "delete", delete)
        seats_bob()
        delete(player_id)

    monkeypatch.setattr(room.register, "delete", seating_first)
    room.players.delete(room.bob)
    assert tables_that_count_on_bob(room) == []


def test_the_next_who_writes_at_the_table_finds_what_a_process_that_died_has_left(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = room.open(players=2)
    with monkeypatch.context() as patch:
        patch.setattr(room.register, "names", dies)
        with pytest.raises(Killed):
            room.tables.sit(room.bob, table_id, None, None, None)
    room.register.delete(room.bob.player_id or "")
    assert tables_that_count_on_bob(room) == [table_id]
    room.tables.leave(room.ann, table_id, 0)
    assert tables_that_count_on_bob(room) == []


def test_whoever_finishes_a_tickets_table_looks_who_is_still_there(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = room.tickets.ask(room.ann, TicketRequest(), None).value
    with monkeypatch.context() as patch:
        patch.setattr(room.tickets, "_take_out", dies)
        with pytest.raises(Killed):
            room.tickets.ask(room.bob, TicketRequest(), None)
    room.register.delete(room.bob.player_id or "")
    room.tickets.ticket(room.ann, mine.id)
    assert tables_that_count_on_bob(room) == []


def dies(*arguments: object) -> None:
    raise Killed


def test_looking_at_a_table_asks_for_no_more_than_names_and_an_ordinary_move_neither(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = room.practice("55 66 | 53 52", house_rules={"deal": {"2": 2}})
    asked: list[str] = []

    def noted(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def calling(*given: object) -> object:
            asked.append(name)
            return call(*given)

        return calling

    for name in ("names", "get", "get_many", "delete"):
        monkeypatch.setattr(room.register, name, noted(name, getattr(room.register, name)))
    room.view(room.ann, table_id)
    assert asked == ["names"]
    room.play(room.ann, table_id, "55")
    assert asked == ["names", "names"]
