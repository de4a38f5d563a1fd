"""POST /v1/tables/{id}/rematch."""

from __future__ import annotations

from tests.api.cast import Caller, House, refused


def test_the_first_who_asks_opens_the_next_table_and_the_second_starts_it(
    house: House, ann: Caller, bob: Caller
) -> None:
    table = house.finished()
    first = ann.post(f"/tables/{table}/rematch")
    assert first.status_code == 201
    following = first.get_json()
    assert first.headers["Location"] == f"/v1/tables/{following['id']}"
    assert following["seats"][0]["held_for"]["player_id"] == bob.id
    assert (following["you"]["seat"], following["seats"][1]["held_for"]) == (1, None)
    second = bob.post(f"/tables/{table}/rematch")
    assert (second.status_code, second.get_json()["id"]) == (200, following["id"])
    assert second.get_json()["status"] == "playing"
    assert ann.see(table)["next_table"] == following["id"]
    (ready,) = [event for event in bob.events(table) if event["type"] == "rematch_ready"]
    assert (ready["table"], ready["hand"]) == (following["id"], None)


def test_the_same_key_is_the_same_ask(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    key = {"Idempotency-Key": "again"}
    first = ann.post(f"/tables/{table}/rematch", headers=key)
    bob.post(f"/tables/{table}/rematch", headers=key)
    again = ann.post(f"/tables/{table}/rematch", headers=key)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert again.data == first.data


def test_who_may_not_ask_is_told_why(house: House, ann: Caller, bob: Caller, eve: Caller, spectator: Caller) -> None:
    running = house.running()
    refused(ann.post(f"/tables/{running}/rematch"), 409, "table_not_finished")
    refused(eve.post(f"/tables/{running}/rematch"), 403, "not_seated")
    refused(spectator.post(f"/tables/{running}/rematch"), 401, "unauthenticated")
    refused(eve.post(f"/tables/{house.finished()}/rematch"), 404, "not_found")
    refused(ann.post(f"/tables/{house.open_table()}/rematch"), 409, "game_not_started")


def test_leaving_after_the_end_and_a_rematch_change_no_result(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    result = ann.see(table)["result"]
    ann.post(f"/tables/{table}/rematch")
    ann.ask("DELETE", f"/tables/{table}/seats/0")
    bob.ask("DELETE", f"/tables/{table}/seats/1")
    assert bob.see(table)["result"] == result
