"""POST /v1/tables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House, refused


def test_an_empty_object_or_no_body_opens_a_table_with_the_caller_at_seat_0(ann: Caller) -> None:
    bodies: list[dict[str, Any]] = [{"json": {}}, {}]
    for options in bodies:
        answer = ann.ask("POST", "/tables", **options)
        assert answer.status_code == 201
        table = answer.get_json()
        assert answer.headers["Location"] == f"/v1/tables/{table['id']}"
        assert (table["status"], table["players"], table["target"]) == ("open", 2, 250)
        assert [seat["occupant"]["kind"] for seat in table["seats"]] == ["human", "open"]
        assert table["host"] == ann.id


def test_whoever_does_not_want_to_sit_only_hosts(ann: Caller) -> None:
    table = ann.post("/tables", {"sit": False}).get_json()
    assert table["you"] is None
    assert [seat["occupant"]["kind"] for seat in table["seats"]] == ["open", "open"]


def test_bots_on_the_other_seats_start_the_game_at_once(ann: Caller) -> None:
    table = ann.post("/tables", {"bots": [{"seat": 1, "level": "easy"}]}).get_json()
    assert table["status"] == "playing"
    assert table["seats"][1]["occupant"] == {
        "kind": "house_bot",
        "player_id": None,
        "name": None,
        "level": "easy",
        "forgetfulness": 0.0,
    }


def test_house_rules_are_shown_before_anyone_sits(house: House, ann: Caller, spectator: Caller) -> None:
    table = ann.post("/tables", {"house_rules": {"boneyard_keep": 2, "tiles_each": 6, "target_points": 100}}).get_json()
    seen = spectator.see(table["id"])
    assert seen["ruleset"]["house_rules"] == {"boneyard_keep": 2, "tiles_each": 6, "target_points": 100}
    assert (seen["rules"]["boneyard_keep"], seen["rules"]["deal"]["2"], seen["target"]) == (2, 6, 100)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"house_rules": {"must_play": False}}, "/house_rules/must_play"),
        ({"house_rules": {"deal": {"2": 15}}}, "/house_rules/deal/2"),
        ({"house_rules": {"scoring": "none", "points_unit": 5}}, "/house_rules/points_unit"),
        ({"house_rules": {"target": {"2": 0}}}, "/house_rules/target/2"),
        ({"house_rules": {"drawing": "no"}}, "/house_rules/drawing"),
        ({"house_rules": {"boneyard_keep": True}}, "/house_rules/boneyard_keep"),
        ({"house_rules": []}, "/house_rules"),
        ({"ruleset": "whist"}, "/ruleset"),
        ({"ruleset": 5}, "/ruleset"),
        ({"players": "2"}, "/players"),
        ({"players": 2.5}, "/players"),
        ({"players": True}, "/players"),
        ({"players": 10**30}, "/players"),
        ({"seating": "pairs"}, "/seating"),
        ({"seating": "heaps"}, "/seating"),
        ({"sit": "yes"}, "/sit"),
        ({"sit": 1}, "/sit"),
        ({"visibility": "secret"}, "/visibility"),
        ({"clock": {"turn_seconds": "60"}}, "/clock/turn_seconds"),
        ({"clock": {"turn_seconds": 0}}, "/clock/turn_seconds"),
        ({"clock": {"turns": 5}}, "/clock/turns"),
        ({"clock": None}, "/clock"),
        ({"bots": {"seat": 1}}, "/bots"),
        ({"bots": [{"seat": 1, "level": "grandmaster"}]}, "/bots/0/level"),
        ({"bots": [{"seat": 0, "level": "easy"}]}, "/bots/0/seat"),
        ({"bots": [{"seat": 1, "level": "easy", "forgetfulness": 2}]}, "/bots/0/forgetfulness"),
        ({"abandonment": "sue"}, "/abandonment"),
        ({"client_seed": "x" * 65}, "/client_seed"),
        ({"client_seed": 5}, "/client_seed"),
        ({"expected_version": 1}, "/expected_version"),
    ],
)
def test_what_cannot_be_is_refused_with_the_field_named(ann: Caller, body: dict[str, Any], path: str) -> None:
    problem = refused(ann.post("/tables", body), 422, "invalid")
    assert path in [error["path"] for error in problem["errors"]]
    assert ann.get("/me/tables").get_json()["items"] == []


def test_a_scripted_table_is_private_and_never_silently_so(house: House, ann: Caller) -> None:
    for more in ({}, {"visibility": "private"}):
        opened = ann.post("/tables", {"practice": P_DRAW, **more})
        assert (opened.status_code, opened.get_json()["visibility"]) == (201, "private")
    problem = refused(ann.post("/tables", {"practice": P_DRAW, "visibility": "public"}), 422, "invalid")
    assert [error["path"] for error in problem["errors"]] == ["/visibility"]
    assert ann.post("/tables", {"practice": None, "visibility": "public"}).status_code == 201


@pytest.mark.parametrize("number", ["0", "86401", "1e300", "-1e300", "1e400", "1" + "0" * 900])
@pytest.mark.parametrize("field", ["turn_seconds", "timeouts_before_takeover"])
def test_a_number_beyond_its_limits_is_out_of_range_however_large(ann: Caller, field: str, number: str) -> None:
    if "e" in number and field == "timeouts_before_takeover":
        pytest.skip("a whole number is written in digits")
    body = f'{{"clock": {{"{field}": {number}}}}}'
    problem = refused(ann.ask("POST", "/tables", data=body, content_type="application/json"), 422, "invalid")
    assert [(error["path"], error["code"]) for error in problem["errors"]] == [(f"/clock/{field}", "out_of_range")]


def test_a_detail_names_fields_as_errors_do(ann: Caller) -> None:
    problem = refused(ann.post("/tables", {"bots": [{"seat": 9, "level": "easy"}], "sit": 1}), 422, "invalid")
    assert "/bots/0/seat: " in problem["detail"]
    assert {error["path"] for error in problem["errors"]} == {"/bots/0/seat", "/sit"}


@pytest.mark.parametrize(
    ("deal", "field"),
    [
        ({"holdings": [["00", "00"], ["53", "66"]]}, "holdings"),
        ({"holdings": [["00", "77"], ["53", "66"]]}, "holdings"),
        ({"holdings": [["55", "52", "51"], ["53", "66"]]}, "holdings"),
        ({"holdings": [["55", "52"], ["53", "66"]], "boneyard": ["55"]}, "boneyard"),
        ({"holdings": [["55", "52"]]}, "holdings"),
        ({}, "holdings"),
    ],
)
def test_a_practice_deal_that_no_set_holds_is_refused(ann: Caller, deal: dict[str, Any], field: str) -> None:
    problem = refused(ann.post("/tables", {"practice": deal, "house_rules": SHORT}), 422, "invalid")
    assert problem["errors"][0]["path"].startswith(f"/practice/{field}")


def test_a_practice_deal_is_dealt_as_written_and_is_private(house: House, ann: Caller, spectator: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    seen = ann.see(table)
    assert (seen["practice"], seen["visibility"], seen["you"]["holding"]) == (True, "private", ["55", "52"])
    refused(spectator.get(f"/tables/{table}"), 404, "not_found")
    assert spectator.get("/tables?status=playing").get_json()["items"] == []


def test_the_document_s_example_works(ann: Caller, spectator: Caller) -> None:
    document = spectator.get("/openapi.json").get_json()
    example = document["paths"]["/v1/tables"]["post"]["requestBody"]["content"]["application/json"]["example"]
    assert ann.post("/tables", example).status_code == 201
