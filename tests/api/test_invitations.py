"""Direct invitations over HTTP."""

from __future__ import annotations

from tests.api.cast import Caller, House, refused


def test_a_player_is_asked_sees_it_and_comes(house: House, ann: Caller, eve: Caller) -> None:
    table = house.open_table(visibility="private")
    invited = ann.post(f"/tables/{table}/invitations", {"player": eve.id})
    assert invited.status_code == 201
    assert eve.get(invited.headers["Location"]).get_json() == invited.get_json()
    (mine,) = eve.get("/me/invitations").get_json()["items"]
    assert (mine["table"], mine["inviter"]) == (table, {"player_id": ann.id, "name": "Ann"})
    assert eve.see(table)["you"] is None
    assert eve.post(f"/invitations/{mine['id']}/accept").get_json()["status"] == "playing"
    refused(eve.post(f"/invitations/{mine['id']}/decline"), 404, "not_found")


def test_declining_has_reasons_and_no_body_of_its_own(house: House, ann: Caller, eve: Caller) -> None:
    table = house.open_table()
    reasons = eve.get("/options").get_json()["decline_reasons"]
    for reason in (*reasons, None):
        invitation = ann.post(f"/tables/{table}/invitations", {"player": eve.id}).get_json()["id"]
        declined = eve.post(f"/invitations/{invitation}/decline", None if reason is None else {"reason": reason})
        assert (declined.status_code, declined.data) == (204, b"")
    invitation = ann.post(f"/tables/{table}/invitations", {"player": eve.id}).get_json()["id"]
    problem = refused(eve.post(f"/invitations/{invitation}/decline", {"reason": "go away"}), 422, "invalid")
    assert problem["errors"][0]["path"] == "/reason"


def test_who_may_not_ask_is_told_why(house: House, ann: Caller, bob: Caller, eve: Caller) -> None:
    table = house.open_table()
    refused(eve.post(f"/tables/{table}/invitations", {"player": bob.id}), 403, "not_seated")
    refused(ann.post(f"/tables/{table}/invitations", {"player": "nobody"}), 422, "invalid")
    refused(ann.post(f"/tables/{table}/invitations", {"player": ann.id}), 409, "already_seated")
    refused(ann.post(f"/tables/{house.running()}/invitations", {"player": eve.id}), 409, "table_not_open")
