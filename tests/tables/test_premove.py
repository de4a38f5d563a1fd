"""A move made ahead: played the moment the turn comes, if it is legal then; seen by nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from app.engine.events import TilePlayed, TilesDrawn, TurnPassed
from app.tables.chance import SystemChance
from app.tables.premoving import PreMoveRequest
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.tables.room import Room, key
from tests.tables.test_seats import refusal
from tests.tables.test_secrets import everything_seen, names_of, room_with

OPEN: dict[str, Any] = {"holdings": "55 50 51 52 | 53 54 44 33", "boneyard": "00 11"}
DRAW: dict[str, Any] = {"holdings": "61 66 11 62 | 00 22 33 44", "boneyard": "50 40 32 64 10"}


def premove(room: Room, asker: Asker, table_id: str, move: str) -> None:
    tile, _, end = move.partition(">")
    room.tables.premove(asker, table_id, PreMoveRequest(tile=tile, end=end or None))


def test_it_is_played_in_the_step_that_begins_the_turn_and_costs_no_time(room: Room) -> None:
    table_id = room.practice(**OPEN, clock=Clock(turn_seconds=10, bank_seconds=10))
    premove(room, room.bob, table_id, "53>55.left")
    answer = room.play(room.ann, table_id, "55")
    played = [event for event in answer.events if isinstance(event, TilePlayed)]
    assert [(event.seat, event.tile, event.end, event.by) for event in played] == [
        (0, "55", "lead", "player"),
        (1, "53", "55.left", "player"),
    ]
    assert {event.at for event in answer.events} == {room.clock.now}
    assert room.table(table_id).seats[1].bank_ms == 10_000
    room.log(table_id)


def test_one_after_the_other(room: Room) -> None:
    table_id = room.open(room.bob, room.cat, players=3, ruleset="all-fives-classic")
    order = [room.ann, room.bob, room.cat]
    first = room.table(table_id).game.hand.turn  # type: ignore[union-attr]
    for asker in (order[(first + 1) % 3], order[(first + 2) % 3]):
        premove(room, asker, table_id, room.view(asker, table_id).you.holding[0])  # type: ignore[union-attr]
    move = room.view(order[first], table_id).you.legal_moves[0]  # type: ignore[union-attr]
    before = room.table(table_id).version
    room.play(order[first], table_id, f"{move.tile}>{move.end}")
    started = [name for name in room.types(table_id, before) if name == "turn_started"]
    assert 1 <= len(started) <= 3
    loaded = room.store.load(table_id)
    assert (order.index(order[(first + 1) % 3])) not in loaded.premoves, "used up, played or not"
    room.log(table_id)


def test_without_an_end_it_goes_where_it_fits_if_there_is_one_way(room: Room) -> None:
    for tile, plays in (("53", 1), ("54", 1)):
        table_id = room.practice("50 55 | 53 54", boneyard="11 22", house_rules={"deal": {"2": 2}})
        premove(room, room.bob, table_id, tile)
        room.play(room.ann, table_id, "50")
        assert room.types(table_id).count("tile_played") == 1 + plays
    lone_double = room.practice(**OPEN)
    premove(room, room.bob, lone_double, "53")
    room.play(room.ann, lone_double, "55")
    assert room.types(lone_double).count("tile_played") == 1, "two ends: the player chooses"


def test_what_is_not_legal_then_leaves_the_turn_to_the_player(room: Room) -> None:
    table_id = room.practice(**OPEN)
    premove(room, room.bob, table_id, "44>55.left")
    room.play(room.ann, table_id, "55")
    hand = room.view(room.bob, table_id).hand
    assert hand is not None
    assert (hand.turn, hand.deadline_ms) == (1, 60_000)
    assert room.store.load(table_id).premoves == {}


def test_a_forced_draw_is_made_and_the_drawn_tile_left_to_the_player(room: Room) -> None:
    table_id = room.practice(**DRAW)
    premove(room, room.bob, table_id, "00")
    answer = room.play(room.ann, table_id, "61")
    assert [(event.number, event.by) for event in answer.events if isinstance(event, TilesDrawn)] == [(4, "player")]
    assert room.view(room.bob, table_id).hand.turn == 1  # type: ignore[union-attr]


def test_a_forced_pass_is_made(room: Room) -> None:
    table_id = room.practice("61 66 11 | 00 22 33", house_rules={"deal": {"2": 3}, "drawing": False})
    premove(room, room.bob, table_id, "00")
    answer = room.play(room.ann, table_id, "61")
    assert [event.by for event in answer.events if isinstance(event, TurnPassed)] == ["player"]


def test_it_goes_with_a_timeout_of_the_seat_before_too(room: Room) -> None:
    table_id = room.practice("55 66 | 53 54", boneyard="11", clock=Clock(turn_seconds=10))
    premove(room, room.bob, table_id, "53>55.left")
    room.clock.advance(10)
    room.run(table_id)
    assert [(event.seat, event.by) for event in room.log(table_id) if isinstance(event, TilePlayed)][:2] == [
        (0, "timeout"),
        (1, "player"),
    ]


def test_it_is_replaced_taken_back_and_ends_with_the_hand(room: Room) -> None:
    table_id = room.practice(**OPEN)
    premove(room, room.bob, table_id, "44")
    premove(room, room.bob, table_id, "53>55.right")
    room.tables.forget_premove(room.bob, table_id)
    room.tables.forget_premove(room.bob, table_id)
    room.play(room.ann, table_id, "55")
    assert room.types(table_id).count("tile_played") == 1
    short = room.practice("64 | 65", clock=Clock(hand_break_seconds=0))
    premove(room, room.bob, short, "65")
    room.play(room.ann, short, "64")
    assert room.view(room.bob, short).hand.number == 2  # type: ignore[union-attr]
    assert len([event for event in room.log(short) if isinstance(event, TilePlayed)]) == 1


def test_while_a_stand_in_plays_it_means_nothing(room: Room) -> None:
    table_id = room.practice(**OPEN)
    premove(room, room.bob, table_id, "53>55.left")
    room.tables.leave(room.bob, table_id, 1)
    answer = room.play(room.ann, table_id, "55")
    assert len([event for event in answer.events if isinstance(event, TilePlayed)]) == 1
    assert refusal(room.tables.premove, room.bob, table_id, PreMoveRequest(tile="53")) == "stand_in_plays"


def test_who_may_not_is_told_why(room: Room) -> None:
    table_id = room.practice(**OPEN)
    request = PreMoveRequest(tile="55")
    assert refusal(room.tables.premove, room.ann, table_id, request) == "premove_not_allowed"
    assert refusal(room.tables.premove, room.bob, table_id, request) == "not_in_holding"
    assert refusal(room.tables.premove, room.eve, table_id, request) == "not_found"
    assert refusal(room.tables.premove, Asker(), table_id, request) == "unauthenticated"
    assert refusal(room.tables.premove, room.ann, room.open(players=2), request) == "game_not_started"
    claims = room.practice("55 66 | 53 54", ruleset="all-fives-claim")
    assert refusal(room.tables.premove, room.bob, claims, PreMoveRequest(tile="53")) == "premove_not_allowed"


@pytest.mark.parametrize("when", ["before the step is judged", "between judging and writing"])
def test_none_is_passed_over_by_a_step_that_has_not_seen_it(
    room: Room, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Bob makes his while Ann's move is under way: it is played with her move, or he is told that it is his turn."""
    table_id = room.practice(**OPEN)
    original = room.store.commit
    tried: list[bool] = []

    def commits(step: Any) -> bool:
        if not tried:
            tried.append(True)
            if when == "between judging and writing":
                premove(room, room.bob, table_id, "53>55.left")
        return original(step)

    monkeypatch.setattr(room.store, "commit", commits)
    if when == "before the step is judged":
        premove(room, room.bob, table_id, "53>55.left")
    room.play(room.ann, table_id, "55")
    assert room.types(table_id).count("tile_played") == 2
    assert room.store.load(table_id).premoves == {}


def test_one_that_comes_too_late_is_refused_not_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = room.practice(**OPEN)
    original: Callable[..., bool] = room.store.set_premove

    def after_anns_move(*arguments: Any) -> bool:
        monkeypatch.undo()
        room.play(room.ann, table_id, "55")
        return original(*arguments)

    monkeypatch.setattr(room.store, "set_premove", after_anns_move)
    assert refusal(room.tables.premove, room.bob, table_id, PreMoveRequest(tile="53")) == "premove_not_allowed"
    assert room.store.load(table_id).premoves == {}


@pytest.mark.parametrize("viewer", ["opponent", "spectator"])
def test_nothing_that_anybody_else_gets_tells_that_there_is_one(viewer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    order = SystemChance().order()
    seen = []
    for makes_one in (False, True):
        room = room_with(order, monkeypatch)
        table_id = room.open(room.bob, players=2)
        if makes_one:
            premove(room, room.bob, table_id, order[7])
        asker = room.ann if viewer == "opponent" else Asker()
        seen.append(everything_seen(room, asker, table_id, names_of(room)))
    assert seen[0] == seen[1]


def test_a_retried_move_is_the_same_answer_with_the_pre_move_in_it(room: Room) -> None:
    table_id = room.practice(**OPEN)
    premove(room, room.bob, table_id, "53>55.left")
    first = room.play(room.ann, table_id, "55", key())
    again = room.play(room.ann, table_id, "55", key())
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
