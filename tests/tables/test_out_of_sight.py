"""A request that takes away the asker's sight of a private table has its first answer again, like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.tables.requests import Asker, Key
from app.tables.shapes import Answer
from tests.tables.room import Room, key
from tests.tables.test_seats import refusal

Request = Callable[[Key | None], Answer[Any]]


@pytest.fixture
def table_id(room: Room) -> str:
    return room.open(players=4, visibility="private")


def declines(room: Room, table_id: str) -> Request:
    invitation = room.tables.invite(room.ann, table_id, room.eve.player_id or "", None).value.id
    return lambda key: room.tables.decline(room.eve, invitation, "not_now", key)


def accepts_and_leaves(room: Room, table_id: str) -> Request:
    invitation = room.tables.invite(room.ann, table_id, room.eve.player_id or "", None).value.id
    return lambda key: room.tables.accept(room.eve, invitation, key)


def sits_by_a_code_that_goes(room: Room, table_id: str) -> Request:
    code = room.table(table_id).invite_code
    return lambda key: room.tables.sit(room.eve, table_id, None, code, key)


@pytest.mark.parametrize("way", [declines, accepts_and_leaves, sits_by_a_code_that_goes])
def test_it_is_answered_again_and_done_once(room: Room, table_id: str, way: Callable[[Room, str], Request]) -> None:
    request = way(room, table_id)
    first = request(key("k", "this"))
    seat = room.table(table_id).seat_of(room.eve.player_id)
    if seat is not None:
        room.tables.leave(room.eve, table_id, seat)
    room.tables.renew_invite(room.ann, table_id, None)
    assert refusal(room.tables.view, room.eve, table_id) == "not_found"
    version = room.table(table_id).version
    again = request(key("k", "this"))
    assert (again.value, again.status, again.replayed) == (first.value, first.status, True)
    assert refusal(request, key("k", "that")) == "idempotency_key_reused"
    assert refusal(request, key("other")) == "not_found"
    assert refusal(request, None) == "not_found"
    assert room.table(table_id).version == version


def test_a_key_makes_no_difference_between_a_table_out_of_sight_and_none(
    room: Room, table_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(room.register, "key_used_for", lambda _, value: asked.append(value))
    for unknown in (table_id, "nowhere"):
        assert refusal(room.tables.leave, room.eve, unknown, 1) == "not_found"
        assert refusal(room.tables.sit, room.eve, unknown, None, None, key()) == "not_found"
    assert asked == []


def test_who_was_deleted_a_moment_ago_is_unknown(room: Room) -> None:
    room.players.delete(room.eve)
    assert refusal(room.players.get, room.eve) == "unauthenticated"
    assert refusal(room.players.get, Asker()) == "unauthenticated"
