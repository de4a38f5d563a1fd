"""GET /v1/leaderboards/{ruleset}."""

from __future__ import annotations

from typing import Any

import pytest

from app.standing.pools import pool_of
from app.standing.record import LEAST_GAMES, Record
from tests.api.cast import Caller, House, refused

TWO = pool_of("all-fives", 2, "solo")


def rate(house: House, **ratings: int) -> None:
    """Give these players, or `bot_<level>`, a rating and games enough."""
    kept = house.room.kept.kept.setdefault(TWO, {})
    for name, rating in ratings.items():
        caller = getattr(house, name, None)
        entry_id = name.replace("_", ":") if caller is None else caller.id
        kept[entry_id] = Record(version=1, mu=(rating - 1000) / 40, sigma=0, rated=LEAST_GAMES, won=LEAST_GAMES)


def board(house: House, path: str = "all-fives") -> dict[str, Any]:
    answer = house.spectator.get(f"/leaderboards/{path}")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def test_an_empty_board(house: House) -> None:
    assert board(house) == {
        "ruleset": "all-fives",
        "seating": "solo",
        "players": [2],
        "least_games": LEAST_GAMES,
        "items": [],
        "next_cursor": None,
    }


def test_the_best_come_first_bots_among_them(house: House, ann: Caller, bob: Caller) -> None:
    rate(house, ann=1500, bot_easy=1600, bob=1700)
    items = board(house)["items"]
    assert [(item["rank"], item["id"], item["name"], item["kind"], item["level"]) for item in items] == [
        (1, bob.id, "Bob", "human", None),
        (2, "bot:easy", None, "house_bot", "easy"),
        (3, ann.id, "Ann", "human", None),
    ]
    assert (items[0]["rating"], items[0]["rated_games"], items[0]["games"]["won"]) == (1700, LEAST_GAMES, LEAST_GAMES)


def test_pages_follow_each_other(house: House, ann: Caller, bob: Caller) -> None:
    rate(house, ann=1500, bob=1700, eve=1600)
    first = board(house, "all-fives?limit=2")
    assert [item["name"] for item in first["items"]] == ["Bob", "Eve"]
    second = board(house, f"all-fives?limit=2&cursor={first['next_cursor']}")
    assert [(item["rank"], item["name"]) for item in second["items"]] == [(3, "Ann")]
    assert second["next_cursor"] is None


def test_a_name_changes_at_once(house: House, ann: Caller) -> None:
    rate(house, ann=1500)
    ann.ask("PATCH", "/me", json={"name": "Anna"})
    assert board(house)["items"][0]["name"] == "Anna"


def test_what_a_deletion_left_behind_is_not_shown_and_goes(house: House, ann: Caller, bob: Caller) -> None:
    rate(house, ann=1500, bob=1600)
    house.room.register.delete(bob.id or "")  # and then the process died
    assert [item["name"] for item in board(house)["items"]] == ["Ann"]
    assert bob.id not in house.room.kept.kept[TWO]


@pytest.mark.parametrize(
    ("asked", "seating", "players"),
    [
        ("all-fives?players=4", "pairs", [4]),
        ("all-fives?players=2&seating=solo", "solo", [2]),
        ("all-fives-150?players=3", "solo", [3, 4]),
        ("muggins-british?players=4&seating=pairs", "pairs", [4]),
    ],
)
def test_each_way_of_sitting_has_a_board_of_its_own(house: House, asked: str, seating: str, players: list[int]) -> None:
    rate(house, ann=1500)
    found = board(house, asked)
    assert (found["seating"], found["players"]) == (seating, players)
    assert bool(found["items"]) == (players == [2])


def test_an_unknown_rule_set_is_not_found(spectator: Caller) -> None:
    refused(spectator.get("/leaderboards/nonsense"), 404, "not_found")


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("players=5", "?players"),
        ("players=x", "?players"),
        ("seating=square", "?seating"),
        ("players=2&seating=pairs", "?seating"),
        ("limit=0", "?limit"),
        ("limit=101", "?limit"),
        ("cursor=abc", "?cursor"),
        ("colour=red", "?colour"),
    ],
)
def test_what_is_asked_wrongly_is_named(spectator: Caller, query: str, path: str) -> None:
    problem = refused(spectator.get(f"/leaderboards/all-fives?{query}"), 422, "invalid")
    assert [error["path"] for error in problem["errors"]] == [path]


def test_a_number_of_players_the_rule_set_does_not_know(spectator: Caller) -> None:
    problem = refused(spectator.get("/leaderboards/all-fives-classic?players=2&seating=pairs"), 422, "invalid")
    assert problem["errors"][0]["params"]["allowed"] == ["solo"]
