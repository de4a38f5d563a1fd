"""GET /v1/tables/{id}/knowledge."""

from __future__ import annotations

from tests.api.cast import P_DRAW, Caller, House, refused


def test_before_the_first_deal_nothing_is_known(house: House, ann: Caller) -> None:
    known = ann.get(f"/tables/{house.open_table()}/knowledge").get_json()
    assert known == {"version": 2, "hand": None, "boneyard": 0, "unseen": [], "seats": []}


def test_draws_prove_what_a_seat_lacks_and_it_is_the_same_for_everyone(house: House, ann: Caller, bob: Caller) -> None:
    """61 lies; Bob draws 50 40 32, which do not fit, then 64, which he must lay on the 6: then he holds no 1."""
    table = house.scripted(P_DRAW)
    ann.move(table, "61")
    bob.move(table, "draw")
    assert seat(bob.get(f"/tables/{table}/knowledge").get_json(), 1) == {"seat": 1, "tiles": 11, "lacks": []}
    bob.move(table, "64>61.left")
    known = bob.get(f"/tables/{table}/knowledge").get_json()
    assert seat(known, 1) == {"seat": 1, "tiles": 10, "lacks": [1, 6]}
    assert seat(known, 0)["lacks"] == []
    assert known["boneyard"] == 10
    assert len(known["unseen"]) == 26
    assert not {"61", "64"} & set(known["unseen"])
    assert ann.get(f"/tables/{table}/knowledge").get_json() == known


def test_a_strangers_private_table_is_not_found(house: House, eve: Caller) -> None:
    table = house.scripted(P_DRAW)
    refused(eve.get(f"/tables/{table}/knowledge"), 404, "not_found")


def seat(known: dict, number: int) -> dict:  # type: ignore[type-arg]
    found: dict = known["seats"][number]  # type: ignore[type-arg]
    return found
