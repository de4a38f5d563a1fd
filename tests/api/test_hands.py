"""GET /v1/tables/{id}/hands/{n} and /record."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House, refused


def test_a_finished_hand_is_open_and_holds_28_different_tiles(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    hand = bob.get(f"/tables/{table}/hands/1").get_json()
    tiles = [tile for holding in hand["holdings"] for tile in holding] + hand["boneyard"]
    assert len(tiles) == len(set(tiles)) == 28
    assert hand["holdings"] == [["55", "52"], ["53", "66"]]
    assert [event["seq"] for event in hand["events"]] == sorted(event["seq"] for event in hand["events"])
    assert hand["result"]["scores"] == [10, 0]


def test_a_running_hand_stays_closed(house: House, ann: Caller, spectator: Caller) -> None:
    table = house.running()
    for caller in (ann, spectator):
        refused(caller.get(f"/tables/{table}/hands/1"), 409, "hand_not_finished")
        assert caller.get(f"/tables/{table}/record").get_json()["hands"] == []


@pytest.mark.parametrize("number", ["0", "01", "001", "2", "999999", "9999999", "-1", "x", "٣", "9" * 5000])
def test_a_hand_that_is_not_there_is_not_found(house: House, ann: Caller, number: str) -> None:
    refused(ann.get(f"/tables/{house.finished()}/hands/{number}"), 404, "not_found")


def test_the_record_of_a_finished_game_is_the_same_for_every_seat(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    mine, his = ann.get(f"/tables/{table}/record"), bob.get(f"/tables/{table}/record")
    assert mine.data == his.data
    assert mine.get_json()["result"]["winner"] == 0
    assert len(mine.get_json()["hands"]) == 1
