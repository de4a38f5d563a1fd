"""Tickets over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import Caller, House, refused


def test_two_tickets_meet_and_the_game_is_running(ann: Caller, bob: Caller) -> None:
    first = ann.post("/tickets", {"house_rules": {"target_points": 60}})
    assert first.status_code == 201
    ticket = first.get_json()
    assert first.headers["Location"] == f"/v1/tickets/{ticket['id']}"
    assert (ticket["status"], ticket["table"]) == ("waiting", None)
    table = bob.post("/tickets", {"house_rules": {"target": {"2": 60}}}).get_json()["table"]
    assert ann.get(f"/tickets/{ticket['id']}?wait=5").get_json()["table"] == table
    assert ann.see(table)["status"] == "playing"
    refused(ann.ask("DELETE", f"/tickets/{ticket['id']}"), 409, "ticket_matched")


def test_a_second_ticket_on_the_same_terms_is_the_first(ann: Caller) -> None:
    first = ann.post("/tickets").get_json()
    again = ann.post("/tickets", {})
    assert (again.status_code, again.get_json()["id"]) == (200, first["id"])


def test_the_key_of_a_ticket_that_was_there_already_gets_the_same_answer_again(
    house: House, ann: Caller, bob: Caller
) -> None:
    key = {"Idempotency-Key": "again"}
    house.room.clock.advance(1)
    ticket = ann.post("/tickets", {}).get_json()["id"]
    first = ann.post("/tickets", {}, headers=key)
    assert (first.status_code, first.get_json()["id"], first.get_json()["waiting"]) == (200, ticket, 1)
    house.room.clock.advance(5)
    ann.get(f"/tickets/{ticket}")
    bob.post("/tickets", {})
    again = ann.post("/tickets", {"players": 2}, headers=key)
    assert (again.status_code, again.get_json()) == (200, first.get_json())
    assert (again.headers["Idempotent-Replayed"], again.headers["Location"]) == ("true", first.headers["Location"])
    refused(ann.post("/tickets", {"players": 4}, headers=key), 422, "idempotency_key_reused")
    refused(ann.post("/tables", {}, headers=key), 422, "idempotency_key_reused")


def test_a_ticket_is_cancelled_and_is_nobody_elses(ann: Caller, bob: Caller, spectator: Caller) -> None:
    ticket = ann.post("/tickets").get_json()["id"]
    refused(bob.get(f"/tickets/{ticket}"), 404, "not_found")
    refused(bob.ask("DELETE", f"/tickets/{ticket}"), 404, "not_found")
    refused(spectator.get(f"/tickets/{ticket}"), 401, "unauthenticated")
    assert ann.ask("DELETE", f"/tickets/{ticket}").status_code == 204
    assert ann.get(f"/tickets/{ticket}").get_json()["status"] == "cancelled"


def test_the_same_key_is_the_same_ticket(ann: Caller, bob: Caller) -> None:
    key = {"Idempotency-Key": "find"}
    first = ann.post("/tickets", {}, headers=key)
    bob.post("/tickets", {})
    again = ann.post("/tickets", {"players": 2}, headers=key)
    assert (again.headers["Idempotent-Replayed"], again.get_json()) == ("true", first.get_json())
    refused(ann.post("/tickets", {"players": 4}, headers=key), 422, "idempotency_key_reused")


def test_bots_come_when_asked_for(house: House, ann: Caller) -> None:
    ticket = ann.post("/tickets", {"players": 4, "fill_with_bots_after": 0}).get_json()
    assert ticket["status"] == "matched"
    assert [seat["occupant"]["kind"] for seat in ann.see(ticket["table"])["seats"]] == ["human", *["house_bot"] * 3]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"ruleset": "whist"}, "/ruleset"),
        ({"players": 5}, "/players"),
        ({"seating": "pairs"}, "/seating"),
        ({"house_rules": {"deal": {"2": 15}}}, "/house_rules/deal/2"),
        ({"clock": {"turn_seconds": 0}}, "/clock/turn_seconds"),
        ({"fill_with_bots_after": -1}, "/fill_with_bots_after"),
        ({"fill_with_bots_after": 601}, "/fill_with_bots_after"),
        ({"level": "genius"}, "/level"),
        ({"visibility": "private"}, "/visibility"),
    ],
)
def test_what_cannot_be_is_refused_with_the_field_named(ann: Caller, body: dict[str, Any], path: str) -> None:
    problem = refused(ann.post("/tickets", body), 422, "invalid")
    assert path in [error["path"] for error in problem["errors"]]
