"""Names change whenever their players like, but for hands in which a partner would read them."""

from __future__ import annotations

import pytest

from app.tables.refusals import Refusal
from app.tables.terms import Clock
from tests.tables.room import Room

ONE_TILE_EACH = "66 | 11 | 64 | 22"


def pairs(room: Room) -> str:
    others = (room.bob, room.cat, room.dan)
    return room.practice(ONE_TILE_EACH, "", 0, *others, seating="pairs", clock=Clock(hand_break_seconds=5))


def refused(room: Room) -> dict[str, object]:
    with pytest.raises(Refusal) as caught:
        room.players.rename(room.cat, "I hold 64")
    assert caught.value.code == "hand_not_finished"
    assert room.players.get(room.cat).name == "Cat"
    return caught.value.params


def test_no_partner_reads_a_new_name_while_the_hand_is_played(room: Room) -> None:
    table_id = pairs(room)
    assert refused(room) == {"table": table_id}
    room.tables.leave(room.cat, table_id, 2)
    assert refused(room) == {"table": table_id}, "he has seen his tiles, and his partner goes on"
    room.play(room.ann, table_id, "66")
    assert room.view(room.ann, table_id).hand.phase == "over"  # type: ignore[union-attr]
    assert room.players.rename(room.cat, "Kate").name == "Kate"


def test_without_a_partner_a_name_may_change_at_any_time(room: Room) -> None:
    room.open(room.bob, room.cat, players=3, ruleset="all-fives-classic")
    assert room.players.rename(room.cat, "Kate").name == "Kate"
    waiting = room.open(room.cat, players=4, seating="pairs")
    assert room.table(waiting).status == "open"
    assert room.players.rename(room.cat, "Cathy").name == "Cathy"
