"""/v1/me and below."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House, refused

MINE = [
    ("GET", "/me"),
    ("PATCH", "/me"),
    ("DELETE", "/me"),
    ("GET", "/me/tokens"),
    ("POST", "/me/tokens"),
    ("POST", "/me/link-code"),
    ("GET", "/me/tables"),
    ("GET", "/me/invitations"),
]


@pytest.mark.parametrize(("method", "path"), MINE)
def test_without_a_token_nobody_is_me(spectator: Caller, method: str, path: str) -> None:
    options = {"json": {"name": "x"} if method == "PATCH" else {}} if method in ("PATCH", "POST") else {}
    answer = spectator.ask(method, path, **options)
    refused(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="allfives"'


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer a b",
        "Bearer a5_unknown",
        "Token a5_x",
        "Bearer \x80",
        "Bearer " + "a" * 4000,
    ],
)
def test_a_header_that_is_no_known_token_is_refused_on_public_paths_too(spectator: Caller, header: str) -> None:
    for path in ("/me", "/tables"):
        answer = spectator.get(path, headers={"Authorization": header})
        refused(answer, 401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_scheme_may_be_written_in_any_case(ann: Caller) -> None:
    for scheme in ("bearer", "BEARER", "Bearer"):
        answer = ann.get("/me", headers={"Authorization": f"{scheme}  {ann.token}"})
        assert answer.status_code == 200
        assert answer.get_json()["id"] == ann.id


def test_a_new_name_is_shown_at_tables_at_once(house: House, ann: Caller, spectator: Caller) -> None:
    table = house.open_table()
    assert ann.ask("PATCH", "/me", json={"name": "Anne"}).get_json()["name"] == "Anne"
    assert spectator.see(table)["seats"][0]["occupant"]["name"] == "Anne"


def test_a_second_token_is_the_same_player_until_it_is_removed(house: House, ann: Caller) -> None:
    made = ann.post("/me/tokens", {"label": "phone"}).get_json()
    phone = Caller(house.client, made["token"])
    assert phone.get("/me").get_json()["id"] == ann.id
    listed = ann.get("/me/tokens").get_json()
    assert listed["next_cursor"] is None
    assert {token["label"] for token in listed["items"]} == {None, "phone"}
    assert not any("token" in token for token in listed["items"])
    removed = ann.ask("DELETE", f"/me/tokens/{made['id']}")
    assert (removed.status_code, removed.data) == (204, b"")
    refused(phone.get("/me"), 401, "unauthenticated")
    refused(ann.ask("DELETE", f"/me/tokens/{made['id']}"), 404, "not_found")


def test_nobody_removes_the_token_of_somebody_else(ann: Caller, bob: Caller) -> None:
    (token,) = ann.get("/me/tokens").get_json()["items"]
    refused(bob.ask("DELETE", f"/me/tokens/{token['id']}"), 404, "not_found")
    assert ann.get("/me").status_code == 200


def test_whoever_deletes_himself_is_gone_and_leaves_no_name(house: House, ann: Caller, bob: Caller) -> None:
    table = house.running()
    assert ann.ask("DELETE", "/me").status_code == 204
    refused(ann.get("/me"), 401, "unauthenticated")
    seat = bob.see(table)["seats"][0]
    assert seat["occupant"]["name"] is None
    assert seat["stand_in"]["reason"] == "left"
    assert not any("Ann" in str(event) for event in bob.events(table))


def test_my_tables_tell_where_it_is_my_turn(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted({"holdings": [["55", "52"], ["53", "66"]], "leader": 0}, house_rules={"deal": {"2": 2}})
    for status in ("", "?status=playing", "?status=active"):
        (mine,) = ann.get(f"/me/tables{status}").get_json()["items"]
        assert (mine["id"], mine["your_turn"]) == (table, True)
    (his,) = bob.get("/me/tables").get_json()["items"]
    assert his["your_turn"] is False
    assert ann.get("/me/tables?status=finished").get_json() == {"items": [], "next_cursor": None}
    refused(ann.get("/me/tables?status=lost"), 422, "invalid")
