"""Invites; and for strangers everything they may not see is the same 404."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.cast import Caller, House, refused

STRANGERS_TRY: list[tuple[str, str, Any]] = [
    ("GET", "/tables/{}", None),
    ("GET", "/tables/{}?newer_than=1&wait=0", None),
    ("GET", "/tables/{}/events", None),
    ("GET", "/tables/{}/stream", None),
    ("GET", "/tables/{}/events.ndjson", None),
    ("GET", "/tables/{}/hands/1", None),
    ("GET", "/tables/{}/hands/99", None),
    ("GET", "/tables/{}/record", None),
    ("GET", "/tables/{}/knowledge", None),
    ("POST", "/tables/{}/moves", {"action": "draw"}),
    ("POST", "/tables/{}/moves", {"action": "draw", "expected_version": 3}),
    ("POST", "/tables/{}/seats", {}),
    ("POST", "/tables/{}/seats", {"seat": 1, "invite_code": "ABCDEFGHJK"}),
    ("PUT", "/tables/{}/seats/1", {"level": "easy"}),
    ("PUT", "/tables/{}/seats/1/player", {"player": "x"}),
    ("DELETE", "/tables/{}/seats/1", None),
    ("POST", "/tables/{}/rematch", None),
    ("POST", "/tables/{}/more-time", None),
    ("PUT", "/tables/{}/premove", {"tile": "55"}),
    ("DELETE", "/tables/{}/premove", None),
    ("POST", "/tables/{}/invite", None),
    ("POST", "/tables/{}/invitations", {"player": "x"}),
    ("GET", "/invitations/{}-2", None),
    ("POST", "/invitations/{}-2/accept", None),
    ("POST", "/invitations/{}-2/decline", {}),
]


def told(answer: TestResponse, table_id: str) -> tuple[int, str, dict[str, str]]:
    """All that an answer tells, but for its own ids and the time."""
    own = answer.headers["X-Request-Id"]
    text = answer.text.replace(table_id, "TABLE").replace(own, "REQUEST")
    headers = {name: value for name, value in answer.headers if name not in ("X-Request-Id", "X-Server-Time")}
    headers["Content-Length"] = str(len(text))
    return answer.status_code, text, headers


@pytest.mark.parametrize(("method", "path", "body"), STRANGERS_TRY)
def test_a_stranger_cannot_tell_a_private_table_from_none(
    house: House, eve: Caller, method: str, path: str, body: Any
) -> None:
    private = [
        house.open_table(visibility="private"),
        house.running(visibility="private"),
        house.finished(),
    ]
    unknown = "x" * len(private[0])
    options = {} if body is None else {"json": body}
    answers = [told(eve.ask(method, path.replace("{}", table), **options), table) for table in (unknown, *private)]
    assert answers[0][0] == 404
    assert all(answer == answers[0] for answer in answers)


def test_a_code_shows_the_table_and_lets_one_sit(house: House, ann: Caller, eve: Caller, spectator: Caller) -> None:
    table = house.open_table(visibility="private", house_rules={"target_points": 77})
    code = ann.see(table)["invite_code"]
    seen = spectator.get(f"/invites/{code.lower()}").get_json()
    assert (seen["id"], seen["target"], seen["you"], seen["invite_code"]) == (table, 77, None, None)
    assert eve.post(f"/tables/{table}/seats", {"invite_code": code}).status_code == 200


def test_the_host_makes_a_new_code(house: House, ann: Caller, eve: Caller) -> None:
    table = house.open_table(visibility="private")
    old = ann.see(table)["invite_code"]
    renewed = ann.post(f"/tables/{table}/invite")
    assert renewed.status_code == 200
    new = renewed.get_json()["invite_code"]
    assert new != old
    refused(eve.get(f"/invites/{old}"), 404, "not_found")
    assert eve.get(f"/invites/{new}").get_json()["id"] == table
    refused(eve.post(f"/tables/{table}/invite"), 404, "not_found")
    assert "invite_code" not in [name for event in ann.events(table) for name in event if event[name] == new]


def test_guessing_ends_with_retry_after(house: House, eve: Caller) -> None:
    for number in range(1000):
        assert eve.get(f"/invites/WRONG{number}").status_code == 404
    answer = eve.get("/invites/WRONG")
    problem = refused(answer, 429, "rate_limited")
    assert int(answer.headers["Retry-After"]) == problem["params"]["retry_after"] > 0


def test_the_host_puts_players_where_they_are_to_sit(house: House, ann: Caller, bob: Caller) -> None:
    table = house.open_table(players=4)
    bob.post(f"/tables/{table}/seats", {"seat": 1})
    moved = ann.ask("PUT", f"/tables/{table}/seats/0/player", json={"player": bob.id}).get_json()
    assert [seat["occupant"]["player_id"] for seat in moved["seats"]] == [bob.id, ann.id, None, None]
    refused(bob.ask("PUT", f"/tables/{table}/seats/2/player", json={"player": bob.id}), 403, "not_host")
    refused(ann.ask("PUT", f"/tables/{table}/seats/2/player", json={"player": "nobody"}), 422, "invalid")
