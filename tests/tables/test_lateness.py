"""Whoever does what was due tells how late it was done."""

from __future__ import annotations

import pytest

from app.tables.premoving import PreMoveRequest
from app.tables.terms import Clock
from tests.tables.room import Room


@pytest.fixture
def told(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    told: list[tuple[str, float]] = []
    monkeypatch.setattr(room.tables, "_done_late", lambda why, seconds: told.append((why, seconds)))
    return told


def test_a_request_that_meets_a_deadline(room: Room, told: list[tuple[str, float]]) -> None:
    table_id = room.practice("55 52 | 53 66", clock=Clock(turn_seconds=10))
    room.clock.advance(10.5)
    room.play(room.bob, table_id, "53>55.left")
    assert told == [("turn", 0.5)]


def test_a_move_made_ahead_that_meets_one(room: Room, told: list[tuple[str, float]]) -> None:
    table_id = room.practice("55 52 11 | 53 66 22", clock=Clock(turn_seconds=10))
    room.clock.advance(10.25)
    room.tables.premove(room.ann, table_id, PreMoveRequest(tile="52"))
    assert told == [("turn", 0.25)]


def test_a_worker_and_nobody_who_was_too_slow_for_it(room: Room, told: list[tuple[str, float]]) -> None:
    table_id = room.practice("55 52 | 53 66", clock=Clock(turn_seconds=10))
    room.clock.advance(11)
    for _ in range(2):
        room.run(table_id)
    room.play(room.bob, table_id, "53>55.left")
    assert told == [("turn", 1.0)]
