"""POST /v1/practice."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House, refused


def test_no_body_at_all_starts_a_game_for_somebody_new(house: House, spectator: Caller) -> None:
    answer = spectator.post("/practice")
    assert answer.status_code == 201
    started = answer.get_json()
    table = started["table"]
    assert (table["status"], table["practice"], table["visibility"]) == ("playing", True, "private")
    assert table["you"]["seat"] == 0
    assert len(table["you"]["holding"]) == 7
    assert answer.headers["Location"] == f"/v1/tables/{table['id']}"
    newcomer = Caller(house.client, started["token"])
    assert newcomer.get("/me").get_json() == started["player"]
    assert newcomer.see(table["id"])["you"]["seat"] == 0


def test_a_player_with_a_token_sits_himself(ann: Caller) -> None:
    started = ann.post("/practice", {"players": 4, "level": "easy"}).get_json()
    assert started["token"] is None
    assert started["player"]["id"] == ann.id
    assert [seat["occupant"]["level"] for seat in started["table"]["seats"]] == [None, "easy", "easy", "easy"]


def test_the_same_key_gets_the_same_game_again(ann: Caller) -> None:
    first, again = (ann.post("/practice", {}, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.data == again.data


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"ruleset": "nope"}, "/ruleset"),
        ({"players": 5}, "/players"),
        ({"players": 3}, "/players"),
        ({"level": "grandmaster"}, "/level"),
        ({"name": ""}, "/name"),
        ({"nam": "Ana"}, "/nam"),
    ],
)
def test_what_is_refused_makes_no_player(house: House, spectator: Caller, body: dict[str, object], path: str) -> None:
    before = len(house.room.register._players)
    problem = refused(spectator.post("/practice", body), 422, "invalid")
    assert problem["errors"][0]["path"] == path
    assert len(house.room.register._players) == before
