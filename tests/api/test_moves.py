"""POST /v1/tables/{id}/moves."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House, refused


@pytest.fixture
def table(house: House) -> str:
    """Ann leads with 55 or 52; Bob holds 53 and 66."""
    return house.scripted(P_OUT, house_rules=SHORT)


def test_a_legal_move_is_a_valid_body_as_it_stands(table: str, ann: Caller) -> None:
    (move,) = [move for move in ann.see(table)["you"]["legal_moves"] if move["tile"] == "55"]
    answer = ann.post(f"/tables/{table}/moves", move)
    assert answer.status_code == 200
    moved = answer.get_json()
    assert [event["type"] for event in moved["events"]] == ["tile_played", "points_scored", "turn_started"]
    assert moved["version"] == moved["table"]["version"] == moved["events"][-1]["seq"]
    assert moved["table"]["scores"] == [10, 0]


def test_tiles_and_ends_are_accepted_either_way_round(table: str, ann: Caller, bob: Caller) -> None:
    ann.move(table, "55")
    assert bob.move(table, "35>55.left").status_code == 200
    assert ann.move(table, "25>55.right").status_code == 200


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "/action"),
        ({"action": "fold"}, "/action"),
        ({"action": None}, "/action"),
        ({"action": "play"}, "/tile"),
        ({"action": "play", "tile": None}, "/tile"),
        ({"action": "play", "tile": "77"}, "/tile"),
        ({"action": "play", "tile": "5"}, "/tile"),
        ({"action": "play", "tile": "\u0665\u0665"}, "/tile"),
        ({"action": "play", "tile": "55\n"}, "/tile"),
        ({"action": "play", "tile": 55}, "/tile"),
        ({"action": "play", "tile": ["55"]}, "/tile"),
        ({"action": "play", "tile": "55", "end": "55"}, "/end"),
        ({"action": "play", "tile": "55", "end": "55.top"}, "/end"),
        ({"action": "play", "tile": "55", "end": 5}, "/end"),
        ({"action": "play", "tile": "55", "lengthwise": "no"}, "/lengthwise"),
        ({"action": "play", "tile": "55", "lengthwise": 0}, "/lengthwise"),
        ({"action": "play", "tile": "55", "announce": "10"}, "/announce"),
        ({"action": "play", "tile": "55", "announce": -10}, "/announce"),
        ({"action": "play", "tile": "55", "announce": True}, "/announce"),
        ({"action": "play", "tile": "55", "announce": 5.0}, "/announce"),
        ({"action": "play", "tile": "55", "expected_version": "7"}, "/expected_version"),
        ({"action": "play", "tile": "55", "seat": 0}, "/seat"),
        ({"action": "draw", "tile": "55"}, "/tile"),
        ({"action": "pass", "end": "55.left"}, "/end"),
    ],
)
def test_what_is_no_move_is_refused_with_the_field_named(
    table: str, ann: Caller, body: dict[str, Any], path: str
) -> None:
    before = ann.see(table)
    problem = refused(ann.post(f"/tables/{table}/moves", body), 422, "invalid")
    assert path in [error["path"] for error in problem["errors"]]
    assert ann.see(table)["version"] == before["version"]


def test_a_refusal_on_turn_carries_version_and_legal_moves(table: str, ann: Caller) -> None:
    problem = refused(ann.move(table, "draw"), 409, "must_play")
    seen = ann.see(table)
    assert problem["version"] == seen["version"]
    assert problem["legal_moves"] == seen["you"]["legal_moves"]


def test_out_of_turn_a_refusal_tells_only_whose_turn_it_is(table: str, bob: Caller) -> None:
    for move in ("53", "66", "00", "draw", "pass"):
        problem = refused(bob.move(table, move), 409, "not_your_turn")
        assert problem["params"] == {"turn": 0}
        assert problem["legal_moves"] is None


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("66>55.left", "not_in_holding"),
        ("52>55.up", "end_closed"),
        ("52>53.right", "does_not_fit"),
        ("52", "end_required"),
        ("pass", "must_play"),
        ("draw", "must_play"),
        ("muggins", "nothing_to_call"),
    ],
)
def test_what_the_rules_refuse_has_its_code(table: str, ann: Caller, bob: Caller, move: str, code: str) -> None:
    ann.move(table, "55")
    bob.move(table, "53>55.left")
    problem = refused(ann.move(table, move), 409, code)
    assert problem["legal_moves"] == ann.see(table)["you"]["legal_moves"]


def test_the_checks_run_in_the_contract_s_order(
    house: House, table: str, ann: Caller, eve: Caller, spectator: Caller
) -> None:
    public = house.running()
    waiting = house.open_table()
    assert spectator.post(f"/tables/{table}/moves", data="{", content_type="application/json").status_code == 400
    assert spectator.post(f"/tables/{table}/moves", data="{}", content_type="text/plain").status_code == 415
    refused(spectator.move("nowhere", "55"), 401, "unauthenticated")
    refused(spectator.post(f"/tables/{table}/moves", {"action": "fold"}), 401, "unauthenticated")
    refused(eve.move("nowhere", "55"), 404, "not_found")
    refused(eve.move(table, "55"), 404, "not_found")
    refused(eve.move(public, "55"), 403, "not_seated")
    refused(ann.move(waiting, "55"), 409, "game_not_started")
    refused(ann.move(house.finished(), "55"), 409, "table_finished")


def test_an_expected_version_that_has_passed_is_a_conflict(table: str, ann: Caller, bob: Caller) -> None:
    version = ann.see(table)["version"]
    problem = refused(ann.move(table, "55", expected_version=version - 1), 409, "version_conflict")
    assert problem["version"] == version
    assert ann.move(table, "55", expected_version=version).status_code == 200


def test_points_at_the_target_end_the_game_on_the_spot(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    seen = bob.see(table)
    assert (seen["status"], seen["scores"], seen["result"]["reason"]) == ("finished", [10, 0], "target")


def test_a_draw_is_one_action_until_a_tile_fits(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_DRAW)
    ann.move(table, "61")
    refused(ann.move(table, "draw"), 409, "not_your_turn")
    refused(bob.move(table, "pass"), 409, "must_draw")
    moved = bob.move(table, "draw").get_json()
    assert moved["table"]["hand"]["boneyard"] == 10
    assert {move["tile"] for move in moved["table"]["you"]["legal_moves"]} == {"64"}
    refused(bob.move(table, "draw"), 409, "must_play_drawn_tile")
