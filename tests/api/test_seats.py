"""Sitting down, bots, leaving, coming back."""

from __future__ import annotations

import pytest

from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House, refused


def test_the_last_seat_filled_starts_the_game(house: House, bob: Caller) -> None:
    answer = bob.post(f"/tables/{house.open_table()}/seats")
    assert answer.status_code == 200
    assert answer.get_json()["status"] == "playing"
    assert answer.get_json()["you"]["seat"] == 1


def test_a_seat_that_is_taken_or_a_full_table_is_refused(house: House, bob: Caller, eve: Caller) -> None:
    table = house.open_table()
    refused(bob.post(f"/tables/{table}/seats", {"seat": 0}), 409, "seat_taken")
    refused(bob.post(f"/tables/{table}/seats", {"seat": 2}), 422, "invalid")
    bob.post(f"/tables/{table}/seats")
    answer = eve.post(f"/tables/{table}/seats")
    assert answer.status_code == 409
    assert answer.get_json(force=True)["code"] in ("table_full", "table_not_open")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"seat": "1"}, "/seat"),
        ({"seat": -1}, "/seat"),
        ({"seat": True}, "/seat"),
        ({"seta": 1}, "/seta"),
        ({"invite_code": 5}, "/invite_code"),
    ],
)
def test_a_seat_is_a_number(house: House, bob: Caller, body: dict[str, object], path: str) -> None:
    problem = refused(bob.post(f"/tables/{house.open_table()}/seats", body), 422, "invalid")
    assert problem["errors"][0]["path"] == path


def test_the_invite_code_opens_a_private_table_and_a_wrong_one_does_not(house: House, ann: Caller, bob: Caller) -> None:
    table = house.open_table(visibility="private")
    code = ann.see(table)["invite_code"]
    refused(bob.post(f"/tables/{table}/seats", {"invite_code": code[:-1] + "!"}), 404, "not_found")
    refused(bob.post(f"/tables/{table}/seats", {"invite_code": "é" * 10}), 404, "not_found")
    assert bob.post(f"/tables/{table}/seats", {"invite_code": code}).status_code == 200


def test_the_host_seats_a_bot_and_nobody_else_does(house: House, ann: Caller, bob: Caller) -> None:
    table = house.open_table(players=4)
    bob.post(f"/tables/{table}/seats", {"seat": 1})
    refused(bob.ask("PUT", f"/tables/{table}/seats/2", json={"level": "easy"}), 403, "not_host")
    refused(ann.ask("PUT", f"/tables/{table}/seats/2", json={"level": "godlike"}), 422, "invalid")
    refused(ann.ask("PUT", f"/tables/{table}/seats/2"), 415, "unsupported_media_type")
    seated = ann.ask("PUT", f"/tables/{table}/seats/2", json={"level": "easy"})
    assert seated.get_json()["seats"][2]["occupant"]["kind"] == "house_bot"
    removed = ann.ask("DELETE", f"/tables/{table}/seats/2")
    assert removed.get_json()["seats"][2]["occupant"]["kind"] == "open"


def test_whoever_leaves_in_mid_hand_gets_the_same_holding_back_and_nobody_else_does(
    house: House, ann: Caller, bob: Caller
) -> None:
    namesake = house.newcomer("Bob")
    table = house.running()
    before = bob.see(table)["you"]["holding"]
    assert bob.ask("DELETE", f"/tables/{table}/seats/1").get_json()["seats"][1]["stand_in"]["reason"] == "left"
    for seat in (None, 0, 1):
        answer = namesake.post(f"/tables/{table}/seats", {"seat": seat})
        assert answer.status_code in (409, 422), answer.text
    assert namesake.see(table)["you"] is None
    refused(namesake.ask("DELETE", f"/tables/{table}/seats/1"), 403, "not_seated")
    back = bob.post(f"/tables/{table}/seats")
    assert back.get_json()["seats"][1]["stand_in"] is None
    assert back.get_json()["you"]["holding"] == before


def test_while_the_stand_in_plays_the_player_s_moves_are_refused(house: House, ann: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    ann.ask("DELETE", f"/tables/{table}/seats/0")
    refused(ann.move(table, "55"), 409, "stand_in_plays")


@pytest.mark.parametrize("seat", ["x", "-1", "1.5", "9999999", "٣", "1e3"])
def test_a_seat_that_is_no_number_is_no_path(ann: Caller, seat: str) -> None:
    refused(ann.ask("DELETE", f"/tables/x/seats/{seat}"), 404, "not_found")


def test_leaving_after_the_end_changes_nothing(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    before = ann.see(table)["result"]
    for caller, seat in ((ann, 0), (bob, 1)):
        caller.ask("DELETE", f"/tables/{table}/seats/{seat}")
    assert ann.see(table)["result"] == before
    assert not [event for event in ann.events(table) if event["type"] == "stand_in_seated"]


ONLY_WHILE_OPEN = [
    ("PUT /tables/{table}/seats/1", {"level": "hard"}),
    ("PUT /tables/{table}/seats/1/player", {"player": "{ann}"}),
    ("DELETE /tables/{table}/seats/1", None),
    ("POST /tables/{table}/invite", None),
    ("POST /tables/{table}/invitations", {"player": "{eve}"}),
]


@pytest.mark.parametrize(("asked", "body"), ONLY_WHILE_OPEN)
def test_what_goes_only_while_a_table_is_open_is_told_apart_when_it_is_over_and_when_it_plays(
    house: House, ann: Caller, eve: Caller, asked: str, body: dict[str, str] | None
) -> None:
    for table, code in ((house.running(), "table_not_open"), (house.finished(), "table_finished")):
        ids = {"table": table, "ann": ann.id, "eve": eve.id}
        sent = body and {name: value.format(**ids) for name, value in body.items()}
        method, path = asked.format(**ids).split()
        refused(ann.ask(method, path, json=sent), 409, code)


def test_a_move_where_the_game_never_started_says_so(house: House, ann: Caller) -> None:
    table = house.open_table()
    refused(ann.move(table, "55"), 409, "game_not_started")
    house.room.later(table, 31 * 60)
    refused(ann.move(table, "55"), 409, "table_not_open")


def test_a_draw_shows_its_tiles_to_nobody_else(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_DRAW)
    ann.move(table, "61")
    assert bob.move(table, "draw").status_code == 200
    drawn = ["50", "40", "32", "64"]
    for caller, tiles in ((ann, None), (bob, drawn)):
        (event,) = [event for event in caller.events(table) if event["type"] == "tiles_drawn"]
        assert (event["number"], event["tiles"]) == (4, tiles)
    assert ann.get(f"/tables/{table}/record").get_json()["hands"] == []
