"""Records hold what came about by forced moves, moves made ahead and added time, and verify all the same."""

from __future__ import annotations

from contextlib import suppress

from app.records.verify import verify
from app.tables.premoving import PreMoveRequest
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.tables.room import Room


def play_on(room: Room, table_id: str, askers: list[Asker]) -> None:
    """The first legal move of whoever is on turn; the other makes his first tile ahead and gives time."""
    for _ in range(2000):
        table = room.table(table_id)
        if table.status != "playing":
            return
        for number, asker in enumerate(askers):
            you = room.view(asker, table_id).you
            assert you is not None
            if you.legal_moves:
                other = askers[1 - number]
                ahead = room.view(other, table_id).you
                assert ahead is not None
                room.tables.premove(other, table_id, PreMoveRequest(tile=ahead.holding[0]))
                with suppress(Refusal):  # three times a turn at most
                    room.tables.more_time(other, table_id, None)
                move = you.legal_moves[0]
                room.play(asker, table_id, move.action if move.action != "play" else f"{move.tile}>{move.end}")
                break
    raise AssertionError("the game does not end")


def test_a_record_of_all_of_them_verifies(room: Room) -> None:
    table_id = room.open(
        room.bob,
        players=2,
        auto_forced=True,
        clock=Clock(bank_seconds=20, hand_break_seconds=0),
        house_rules={"max_hands": 6},
    )
    play_on(room, table_id, [room.ann, room.bob])
    room.tables.rematch(room.ann, table_id, None)
    types = room.types(table_id)
    assert "time_added" in types
    assert types.index("tiles_drawn")
    record = room.tables.record(room.ann, table_id)
    report = verify(record)
    assert not report.findings, report.findings
