"""Bank, more time, forced moves and pre-moves over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House, refused


def test_a_bank_is_shown_and_in_the_deadline(house: House, ann: Caller) -> None:
    table = house.scripted(P_DRAW, clock={"turn_seconds": 10, "bank_seconds": 20})
    seen = ann.see(table)
    assert (seen["hand"]["deadline_ms"], [seat["bank_ms"] for seat in seen["seats"]]) == (30_000, [20_000, 20_000])
    house.room.clock.advance(15)
    assert ann.see(table)["seats"][0]["bank_ms"] == 15_000
    (started,) = [event for event in ann.events(table) if event["type"] == "turn_started"]
    assert started["bank_from"] == seen["hand"]["bank_from"]


def test_an_opponent_gives_more_time(house: House, ann: Caller, bob: Caller, eve: Caller) -> None:
    table = house.running(clock={"turn_seconds": 20})
    on_turn, other = (ann, bob) if ann.see(table)["hand"]["turn"] == 0 else (bob, ann)
    given = other.post(f"/tables/{table}/more-time", headers={"Idempotency-Key": "t"})
    assert (given.status_code, given.get_json()["hand"]["deadline_ms"]) == (200, 30_000)
    again = other.post(f"/tables/{table}/more-time", headers={"Idempotency-Key": "t"})
    assert (again.headers["Idempotent-Replayed"], again.data) == ("true", given.data)
    assert on_turn.events(table)[-1]["type"] == "time_added"
    problem = refused(on_turn.post(f"/tables/{table}/more-time"), 409, "no_more_time")
    assert problem["params"]["reason"] == "own_side"
    refused(eve.post(f"/tables/{table}/more-time"), 403, "not_seated")


def test_forced_moves_are_made_by_the_table(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_DRAW, auto_forced=True)
    assert ann.see(table)["auto_forced"] is True
    answer = ann.move(table, "61").get_json()
    (drawn,) = [event for event in answer["events"] if event["type"] == "tiles_drawn"]
    assert (drawn["by"], drawn["number"], drawn["tiles"]) == ("forced", 4, None)
    refused(bob.move(table, "draw"), 409, "must_play_drawn_tile")
    problem = refused(ann.post("/tables", {"ruleset": "all-fives-claim", "auto_forced": True}), 422, "invalid")
    assert problem["errors"][0]["path"] == "/auto_forced"


def test_a_pre_move_is_played_when_the_turn_comes(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    made = bob.ask("PUT", f"/tables/{table}/premove", json={"tile": "35", "end": "55.left"})
    assert made.get_json() == {"player_id": bob.id, "hand": 1, "tile": "53", "end": "55.left", "lengthwise": False}
    events = ann.move(table, "55").get_json()["events"]
    assert [event["tile"] for event in events if event["type"] == "tile_played"] == ["55", "53"]


def test_a_pre_move_is_taken_back(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    bob.ask("PUT", f"/tables/{table}/premove", json={"tile": "53"})
    for _ in range(2):
        assert bob.ask("DELETE", f"/tables/{table}/premove").status_code == 204
    refused(ann.ask("PUT", f"/tables/{table}/premove", json={"tile": "55"}), 409, "premove_not_allowed")
    refused(bob.ask("PUT", f"/tables/{table}/premove", json={"tile": "55"}), 409, "not_in_holding")


@pytest.mark.parametrize(
    ("body", "path"),
    [({}, "/tile"), ({"tile": "77"}, "/tile"), ({"tile": "55", "end": "up"}, "/end"), ({"tile": "55", "x": 1}, "/x")],
)
def test_a_pre_move_of_another_form_is_refused(house: House, bob: Caller, body: dict[str, Any], path: str) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    problem = refused(bob.ask("PUT", f"/tables/{table}/premove", json=body), 422, "invalid")
    assert path in [error["path"] for error in problem["errors"]]
