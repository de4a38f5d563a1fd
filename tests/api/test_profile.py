"""GET /v1/players/{id}."""

from __future__ import annotations

from typing import Any

from app.standing.record import LEAST_GAMES
from tests.api.cast import Caller, House, refused
from tests.standing.games import game

NOTHING = {"finished": 0, "won": 0, "lost": 0, "drawn": 0, "abandoned": 0}


def booked(house: House, *seats: str | None, table_id: str = "T1", **more: Any) -> None:
    """A finished game of these, booked."""
    assert house.room.store.commit(game(*(seat or "" for seat in seats), table_id=table_id, **more))
    assert house.room.standing.book(table_id)


def profile(house: House, player_id: str | None) -> dict[str, Any]:
    answer = house.spectator.get(f"/players/{player_id}")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def test_a_newcomer_has_a_name_and_no_games(house: House, ann: Caller) -> None:
    assert profile(house, ann.id) == {
        **ann.get("/me").get_json(),
        "level": None,
        "games": NOTHING,
        "ratings": [],
    }


def test_games_are_counted_and_rated_by_rule_set_and_seating(house: House, ann: Caller, bob: Caller) -> None:
    booked(house, ann.id, bob.id)
    booked(house, ann.id, bob.id, table_id="T2", scores=(0, 250))
    booked(house, ann.id, "bot:easy", bob.id, ruleset="five-up", table_id="T3", scores=(61, 5, 5))
    booked(house, ann.id, bob.id, table_id="T4", visibility="private", scores=(9, 9), reason="max_hands")
    booked(house, ann.id, bob.id, table_id="T5", reason="abandoned", gone=[0])
    seen = profile(house, ann.id)
    assert seen["games"] == {"finished": 4, "won": 2, "lost": 1, "drawn": 1, "abandoned": 1}
    two, several = seen["ratings"]
    assert (two["ruleset"], two["seating"], two["players"]) == ("all-fives", "solo", [2])
    assert (two["rated_games"], two["games"]["finished"], two["rank"]) == (2, 3, None)
    assert (several["ruleset"], several["players"], several["rated_games"]) == ("five-up", [3], 1)
    assert several["rating"] == round(1000 + 40 * (several["mu"] - 3 * several["sigma"]))


def test_with_games_enough_there_is_a_rank(house: House, ann: Caller, bob: Caller) -> None:
    for number in range(LEAST_GAMES):
        booked(house, ann.id, bob.id, table_id=f"T{number}")
    assert profile(house, ann.id)["ratings"][0]["rank"] == 1
    assert profile(house, bob.id)["ratings"][0]["rank"] == 2


def test_our_own_bots_have_profiles_and_are_marked(house: House, ann: Caller) -> None:
    booked(house, ann.id, "bot:easy")
    easy = profile(house, "bot:easy")
    assert (easy["kind"], easy["level"], easy["name"], easy["created_at"]) == ("house_bot", "easy", None, None)
    assert easy["games"]["lost"] == 1
    assert easy["ratings"][0]["rated_games"] == 1


def test_a_bot_with_a_token_is_marked(house: House, spectator: Caller) -> None:
    player = spectator.post("/players", {"name": "Deep Five", "kind": "bot"}).get_json()["player"]
    assert profile(house, player["id"])["kind"] == "bot"


def test_a_deleted_player_has_no_name_and_no_games(house: House, ann: Caller, bob: Caller) -> None:
    for number in range(LEAST_GAMES):
        booked(house, ann.id, bob.id, table_id=f"T{number}")
    assert ann.ask("DELETE", "/me").status_code == 204
    seen = profile(house, ann.id)
    assert (seen["id"], seen["kind"], seen["name"], seen["created_at"]) == (ann.id, "human", None, None)
    assert (seen["games"], seen["ratings"]) == (NOTHING, [])
    board = house.spectator.get("/leaderboards/all-fives").get_json()
    assert [(entry["id"], entry["rank"]) for entry in board["items"]] == [(bob.id, 1)]
    assert "Ann" not in str(seen) + str(board)


def test_the_tables_of_a_deleted_player_still_read(house: House, ann: Caller, bob: Caller) -> None:
    table = house.finished()
    before = [event["type"] for event in bob.events(table)]
    assert ann.ask("DELETE", "/me").status_code == 204
    view = bob.see(table)
    assert view["seats"][0]["occupant"] == {
        **view["seats"][0]["occupant"],
        "kind": "human",
        "player_id": ann.id,
        "name": None,
    }
    assert view["result"]["winner"] == 0
    assert [event["type"] for event in bob.events(table)] == before
    for path in ("record", "hands/1"):
        assert bob.get(f"/tables/{table}/{path}").status_code == 200
    assert "Ann" not in bob.get(f"/tables/{table}/events").text


def test_nobody_else_is_found(spectator: Caller) -> None:
    for unknown in ("nobody", "bot:", "bot:genius", "bot:easy:easy"):
        refused(spectator.get(f"/players/{unknown}"), 404, "not_found")


def test_a_token_is_not_looked_at(house: House, ann: Caller) -> None:
    answer = house.spectator.get(f"/players/{ann.id}", headers={"Authorization": "Bearer wrong"})
    assert answer.status_code == 200


def test_a_table_says_whether_it_is_rated(house: House) -> None:
    assert house.ann.see(house.open_table())["rated"] is True
    assert house.ann.see(house.open_table(visibility="private"))["rated"] is False
    assert house.ann.see(house.open_table(house_rules={"target_points": 50}))["rated"] is False
