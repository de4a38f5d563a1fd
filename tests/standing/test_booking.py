"""Booking finished games: once, whatever runs twice or dies on the way; and never a deleted player."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from app.standing.pools import Pool, pool_of
from app.standing.ports import Written
from app.standing.record import Record
from app.tables.ports import Step
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.standing.games import game
from tests.tables.room import QUICK, Room, bot

POOL = pool_of("all-fives", 2, "solo")


@pytest.fixture
def room() -> Room:
    return Room()


def between(room: Room, table_id: str = "T1", **more: object) -> Step:
    """A finished game of Ann and Bob, in the store."""
    step = game(*(who.player_id or "" for who in (room.ann, room.bob)), table_id=table_id, **more)  # type: ignore[arg-type]
    assert room.store.commit(step)
    return step


def record(room: Room, who: Asker, pool: Pool = POOL) -> Record | None:
    return room.kept.records(pool, [who.player_id or ""]).get(who.player_id or "")


def test_a_game_that_ends_asks_the_clerk_and_waits_in_the_list() -> None:
    room = Room()
    table_id = room.open(room.bob, ruleset="block", clock=QUICK)
    while (table := room.table(table_id)).status == "playing":
        assert not room.queue.to_book
        assert not room.store.pending.entries
        for who in (room.ann, room.bob):
            you = room.view(who, table_id).you
            if you is not None and you.legal_moves:
                move = you.legal_moves[0]
                room.play(who, table_id, f"{move.tile}>{move.end}" if move.action == "play" else move.action)
                break
    assert room.queue.to_book == [table_id]
    assert set(room.store.pending.entries) == {table_id}
    assert room.standing.book(table_id)
    assert room.store.pending.entries == {}
    assert table.result is not None
    both = [record(room, who, pool_of("block", 2, "solo")) for who in (room.ann, room.bob)]
    assert [one is not None and one.won for one in both] == [side == table.result.winner for side in (0, 1)]
    assert room.view(room.ann, table_id).rated


def test_practice_leaves_no_mark(room: Room) -> None:
    table_id = room.practice("55 52 | 53 66", house_rules={"deal": {"2": 2}, "target": {"2": 10}})
    room.play(room.ann, table_id, "55")
    assert room.table(table_id).status == "finished"
    assert room.queue.to_book == []
    assert room.store.pending.entries == {}
    assert not room.standing.book(table_id)
    assert room.kept.kept == {}


def test_a_game_is_booked_once_however_often_the_job_runs(room: Room) -> None:
    between(room)
    assert [room.standing.book("T1") for _ in range(3)] == [True, False, False]
    ann = record(room, room.ann)
    assert ann is not None
    assert (ann.won, ann.rated, ann.version) == (1, 1, 1)


def test_a_job_that_died_after_writing_is_not_done_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    between(room)

    def dies(table_id: str) -> None:
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(room.store.pending, "remove", dies)
        with pytest.raises(SystemExit):
            room.standing.book("T1")
    assert set(room.store.pending.entries) == {"T1"}
    assert room.standing.book("T1") is False
    assert room.store.pending.entries == {}
    ann = record(room, room.ann)
    assert ann is not None
    assert ann.rated == 1


def test_a_job_that_died_before_writing_is_done_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    between(room)

    def dies(*_: object) -> Written:
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(room.kept, "write", dies)
        with pytest.raises(SystemExit):
            room.standing.book("T1")
    assert room.standing.book("T1") is True


def test_a_game_booked_in_between_is_not_forgotten(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    between(room, "T1")
    between(room, "T2")
    write = room.kept.write
    others = iter(["T2"])

    def beaten(pool: Pool, table_id: str, records: Mapping[str, Record]) -> Written:
        for other in others:
            room.standing.book(other)
        return write(pool, table_id, records)

    monkeypatch.setattr(room.kept, "write", beaten)
    assert room.standing.book("T1")
    ann = record(room, room.ann)
    assert ann is not None
    assert (ann.won, ann.rated, ann.version) == (2, 2, 2)


def test_a_game_that_is_still_running_stays_in_the_list(room: Room) -> None:
    table_id = room.open(room.bob)
    room.store.pending.entries[table_id] = room.clock.now
    assert not room.standing.book(table_id)
    assert table_id in room.store.pending.entries


def test_what_is_not_there_is_taken_off_the_list(room: Room) -> None:
    room.store.pending.entries["nowhere"] = room.clock.now
    assert not room.standing.book("nowhere")
    assert room.store.pending.entries == {}


def test_bots_are_booked_with_those_they_play(room: Room) -> None:
    table_id = room.open(ruleset="block", clock=QUICK, bots=(bot(1, "easy"),))
    room.tables.leave(room.ann, table_id, 0)
    room.later(table_id, 600)
    assert room.table(table_id).result is not None
    room.standing.book(table_id)
    ann = record(room, room.ann, pool_of("block", 2, "solo"))
    assert ann is not None
    assert (ann.abandoned, ann.finished) == (1, 0)


def test_an_untimed_game_nobody_went_on_with_is_booked_for_the_seat_on_turn(room: Room) -> None:
    table_id = room.open(room.bob, clock=Clock(turn_seconds=None))
    on_turn = room.table(table_id).game
    assert on_turn is not None
    assert on_turn.hand is not None
    idle, other = (room.ann, room.bob) if on_turn.hand.turn == 0 else (room.bob, room.ann)
    room.later(table_id, 25 * 3600)
    result = room.table(table_id).result
    assert result is not None
    assert result.reason == "abandoned"
    room.standing.book(table_id)
    idler = record(room, idle)
    assert idler is not None
    assert idler.abandoned == 1
    assert record(room, other) is None


def test_leaving_after_the_end_changes_nothing(room: Room) -> None:
    between(room)
    for seat, who in enumerate((room.ann, room.bob)):
        room.tables.leave(who, "T1", seat)
    room.standing.book("T1")
    ann, bob = record(room, room.ann), record(room, room.bob)
    assert ann is not None
    assert bob is not None
    assert (ann.won, bob.lost, bob.abandoned) == (1, 1, 0)


def test_a_deleted_player_is_not_booked_and_his_opponent_is(room: Room) -> None:
    between(room)
    room.players.delete(room.bob)
    room.standing.book("T1")
    assert record(room, room.bob) is None
    ann = record(room, room.ann)
    assert ann is not None
    assert ann.won == 1


def test_a_player_deleted_while_a_game_is_booked_leaves_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    between(room)
    write = room.kept.write

    def late(pool: Pool, table_id: str, records: Mapping[str, Record]) -> Written:
        room.players.delete(room.bob)
        return write(pool, table_id, records)

    monkeypatch.setattr(room.kept, "write", late)
    assert room.standing.book("T1")
    assert record(room, room.bob) is None
    assert record(room, room.ann) is not None
