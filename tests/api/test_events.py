"""GET /v1/tables/{id}/events."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House, refused


def test_the_log_is_read_in_pieces_without_gap_or_repeat(house: House, ann: Caller) -> None:
    table = house.finished()
    whole = ann.events(table)
    pieces: list[object] = []
    after = 0
    while True:
        page = ann.get(f"/tables/{table}/events?after={after}&limit=3").get_json()
        pieces += page["events"]
        after = page["next_after"]
        if after == page["version"]:
            break
    assert pieces == whole
    assert [event["seq"] for event in whole] == list(range(1, len(whole) + 1))


def test_every_viewer_has_the_same_numbers_and_types(house: House, ann: Caller, bob: Caller) -> None:
    table = house.running()
    mine, his = ann.events(table), bob.events(table)
    assert [(event["seq"], event["type"]) for event in mine] == [(event["seq"], event["type"]) for event in his]
    dealt = {
        caller: next(e for e in events if e["type"] == "hand_dealt") for caller, events in (("ann", mine), ("bob", his))
    }
    assert dealt["ann"]["holdings"][1] is None
    assert dealt["bob"]["holdings"][0] is None
    assert dealt["ann"]["boneyard_tiles"] is None


def test_what_was_masked_stays_masked_when_the_hand_is_over(house: House, ann: Caller) -> None:
    table = house.finished()
    dealt = next(event for event in ann.events(table) if event["type"] == "hand_dealt")
    assert dealt["holdings"] == [["55", "52"], None]
    assert dealt["boneyard_tiles"] is None


def test_the_secrets_of_a_table_are_in_nobody_s_log(house: House, ann: Caller) -> None:
    table = house.running(visibility="private")
    created = ann.events(table)[0]
    assert not created.get("secret")
    assert not created.get("script")
    assert not created.get("invite_code")


def test_an_empty_poll_has_no_events_and_the_same_cursor(house: House, ann: Caller) -> None:
    table = house.open_table()
    version = ann.see(table)["version"]
    page = ann.get(f"/tables/{table}/events?after={version}&wait=0.05").get_json()
    assert page == {"events": [], "next_after": version, "version": version}


@pytest.mark.parametrize(
    "query", ["after=abc", "after=-1", "after=1.5", "limit=0", "limit=1001", "wait=26", "after=", "seq=1"]
)
def test_a_cursor_that_is_no_number_is_refused(house: House, ann: Caller, query: str) -> None:
    refused(ann.get(f"/tables/{house.open_table()}/events?{query}"), 422, "invalid")


def test_a_cursor_ahead_of_the_log_is_refused_with_the_version(house: House, ann: Caller) -> None:
    table = house.open_table()
    problem = refused(ann.get(f"/tables/{table}/events?after=999999&wait=25"), 409, "cursor_ahead")
    assert problem["version"] == ann.see(table)["version"]
