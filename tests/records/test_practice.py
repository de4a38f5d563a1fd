"""A recorded game taken up at any point: the practice table stands where the game stood."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.api.schemas.tables import NewTableSchema, open_table
from app.records.practice import NoSuchPoint, Point, moves_of, point
from app.tables.requests import Asker, MoveRequest
from app.tables.shapes import GameRecord, TableView
from tests.records import games
from tests.tables.room import Room


def taken_up(room: Room, there: Point) -> tuple[str, list[Asker]]:
    """The table opened through the API's schema, everybody seated, the moves made."""
    body = msgspec.json.decode(msgspec.json.encode(there.body))
    view = room.tables.open(room.eve, open_table(NewTableSchema().load(body)), None).value
    seated = [room.ann, room.bob, room.cat, room.dan][: there.players]
    for seat, asker in enumerate(seated):
        room.tables.sit(asker, view.id, seat, view.invite_code, None)
    for made in there.made:
        move = made.move
        request = MoveRequest(
            action=move.action, tile=move.tile, end=move.end, lengthwise=move.lengthwise, announce=move.announce
        )
        room.tables.act(seated[made.seat], view.id, request, None)
    return view.id, seated


@pytest.mark.parametrize("table", games.TABLES, ids=lambda table: " ".join(map(str, table)))
def test_every_hand_of_every_rule_set_can_be_taken_up_in_its_middle(table: tuple[str, int, str]) -> None:
    ruleset, players, seating = table
    record = games.played_by_bots(f"one {ruleset} {players}", ruleset, players, seating)
    for hand in record.hands[:2]:
        moves = moves_of(hand)
        for number in (0, len(moves) // 2, len(moves) - 1):
            there = point(record, hand.number, number)
            room = Room()
            table_id, seated = taken_up(room, there)
            assert there.next == moves[number]
            view = room.view(seated[there.next.seat], table_id)
            assert view.practice
            assert view.hand is not None
            assert view.hand.leader == hand.leader
            assert_can_go_on(view, there)


def assert_can_go_on(view: TableView, there: Point) -> None:
    """What was played next is among the legal moves."""
    assert view.you is not None
    wanted = (there.next.move.action, there.next.move.tile, there.next.move.end, there.next.move.lengthwise)
    assert wanted in [(move.action, move.tile, move.end, move.lengthwise) for move in view.you.legal_moves]


@pytest.mark.parametrize("first_lead", ["lot", "highest_double"])
def test_a_hand_led_by_another_rule_than_the_first_is_led_the_same_way(first_lead: str) -> None:
    next_lead = "highest_double" if first_lead == "lot" else "went_out"
    rules: dict[str, Any] = {"first_lead": first_lead, "next_lead": next_lead}
    record = games.played_by_bots("leads", "all-fives", 2, house_rules=rules)
    for hand in record.hands[:3]:
        room = Room()
        table_id, seated = taken_up(room, point(record, hand.number, 1))
        assert_can_go_on(room.view(seated[moves_of(hand)[1].seat], table_id), point(record, hand.number, 1))


def test_against_bots_the_caller_sits_at_seat_0_or_takes_another_afterwards() -> None:
    there = point(games.played_by_bots("bots", "all-fives", 4), 1, 0)
    body = there.against_bots(0)
    assert (body["sit"], [bot["seat"] for bot in body["bots"]]) == (True, [1, 2, 3])  # type: ignore[attr-defined]
    body = there.against_bots(2)
    assert (body["sit"], [bot["seat"] for bot in body["bots"]]) == (False, [0, 1, 3])  # type: ignore[attr-defined]
    assert there.body["sit"] is False


@pytest.mark.parametrize(("hand", "move", "says"), [(99, 0, "hands 1 to"), (1, 999, "moves"), (1, -1, "moves")])
def test_a_point_that_is_not_there_says_which_are(hand: int, move: int, says: str) -> None:
    record = games.played_by_bots("points", "all-fives", 2)
    with pytest.raises(NoSuchPoint, match=says):
        point(record, hand, move)


def test_a_record_without_hands_has_no_point() -> None:
    empty: GameRecord = games.abandoned("empty")
    if not empty.hands:
        with pytest.raises(NoSuchPoint, match="no hand"):
            point(empty, 1, 0)
