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


def test_the_lobby_can_be_narrowed_to_seating_and_free_seats(house: House, bob: Caller, spectator: Caller) -> None:
    pairs = house.open_table(players=4)
    house.room.clock.advance(1)
    alone = house.open_table(players=4, seating="solo", ruleset="muggins-british")
    bob.post(f"/tables/{alone}/seats")
    house.room.clock.advance(1)
    two = house.open_table()

    def ids(query: str) -> list[str]:
        return [item["id"] for item in spectator.get(f"/tables?{query}").get_json()["items"]]

    assert ids("seating=pairs") == [pairs]
    assert ids("seating=solo") == [two, alone]
    assert ids("free_seats=2") == [alone, pairs]
    assert ids("free_seats=3") == [pairs]
    assert [item["free_seats"] for item in spectator.get("/tables").get_json()["items"]] == [1, 2, 3]


def test_without_a_status_only_tables_are_listed_where_a_seat_is_free_for_the_caller(
    house: House, ann: Caller, bob: Caller, spectator: Caller
) -> None:
    """A rematch keeps its last seat for Bob: nobody else can sit there, so nobody else is shown it."""
    finished = house.running(house_rules={"target": {"2": 5}}, clock={"turn_seconds": 1})
    while ann.see(finished)["status"] == "playing":
        house.room.later(finished, 10)
    kept = ann.post(f"/tables/{finished}/rematch").get_json()["id"]
    for caller, shown in ((spectator, []), (ann, []), (bob, [kept])):
        assert [item["id"] for item in caller.get("/tables").get_json()["items"]] == shown
    assert [item["id"] for item in spectator.get("/tables?status=open").get_json()["items"]] == [kept]
    house.room.later(kept, 121)
    assert [item["id"] for item in spectator.get("/tables").get_json()["items"]] == [kept]


def test_each_status_lists_exactly_its_tables_while_they_come_and_go(house: House, spectator: Caller) -> None:
    """Thirty tables: ten finish, ten lose their only player, ten fill up."""
    quick = {"house_rules": {"target": {"2": 5}}, "clock": {"turn_seconds": 1, "hand_break_seconds": 0}}
    finished = [house.running(**quick) for _ in range(10)]
    leavers = [house.newcomer(f"Leaver {number}") for number in range(10)]
    empty = [leaver.post("/tables", {}).get_json()["id"] for leaver in leavers]
    for table in finished:
        while house.ann.see(table)["status"] == "playing":
            house.room.later(table, 10)
    for leaver in leavers:
        assert leaver.ask("DELETE", "/me").status_code == 204
    filled = [house.running() for _ in range(10)]

    def listed(status: str) -> list[str]:
        page = spectator.get(f"/tables?status={status}&limit=100").get_json()
        assert page["next_cursor"] is None
        for item in page["items"]:
            assert spectator.get(f"/tables/{item['id']}").get_json()["status"] == status
        return sorted(item["id"] for item in page["items"])

    assert listed("open") == []
    assert listed("playing") == sorted(filled)
    assert listed("finished") == sorted(finished)
    assert {house.room.table(table).status for table in empty} == {"closed"}


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
        ("seating=heaps", "?seating"),
        ("free_seats=5", "?free_seats"),
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
