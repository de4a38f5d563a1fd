"""GET /v1/tables."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House, refused


def test_the_lobby_lists_public_tables_by_status(house: House, spectator: Caller) -> None:
    waiting = house.open_table()
    house.open_table(visibility="private")
    running = house.running()
    assert [item["id"] for item in spectator.get("/tables").get_json()["items"]] == [waiting]
    assert [item["id"] for item in spectator.get("/tables?status=open").get_json()["items"]] == [waiting]
    (playing,) = spectator.get("/tables?status=playing").get_json()["items"]
    assert (playing["id"], playing["seats"], playing["your_turn"]) == (running, ["human", "human"], False)


def test_the_lobby_can_be_narrowed(house: House, spectator: Caller) -> None:
    classic = house.open_table(ruleset="all-fives-classic", players=3)
    house.open_table()
    for query in ("ruleset=all-fives-classic", "players=3", "players=3&ruleset=all-fives-classic"):
        assert [item["id"] for item in spectator.get(f"/tables?{query}").get_json()["items"]] == [classic]
    assert spectator.get("/tables?ruleset=five-up").get_json()["items"] == []


def test_pages_hold_every_table_once(house: House, spectator: Caller) -> None:
    made = {house.open_table() for _ in range(5)}
    found: list[str] = []
    cursor = ""
    for _ in range(10):
        page = spectator.get(f"/tables?limit=2{cursor}").get_json()
        found += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert sorted(found) == sorted(made)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("status=lost", "?status"),
        ("status=closed", "?status"),
        ("limit=0", "?limit"),
        ("limit=99999999999999999999", "?limit"),
        ("ruleset=zzz", "?ruleset"),
        ("ruleset=", "?ruleset"),
        ("limit=1e2", "?limit"),
        ("limit=+5", "?limit"),
        ("limit=%D9%A5", "?limit"),
        ("limit=1_0", "?limit"),
        ("limit=", "?limit"),
        ("limit=1&limit=2", "?limit"),
        ("players=two", "?players"),
        ("players=9", "?players"),
        ("cursor=%00", "?cursor"),
        ("cursor=" + "x" * 500, "?cursor"),
        ("statsu=open", "?statsu"),
        ("%FF=1", "?%FF"),
    ],
)
def test_a_query_that_cannot_be_understood_is_refused(spectator: Caller, query: str, path: str) -> None:
    problem = refused(spectator.get(f"/tables?{query}"), 422, "invalid")
    assert problem["errors"][0]["path"] == path
    assert problem["detail"].startswith(f"{path}: ")


def test_a_cursor_that_is_not_ours_is_refused(spectator: Caller) -> None:
    problem = refused(spectator.get("/tables?cursor=nonsense"), 422, "invalid")
    assert problem["errors"][0]["path"] == "?cursor"
