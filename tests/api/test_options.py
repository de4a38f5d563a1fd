"""GET /v1/options."""

from __future__ import annotations

from app.bots.levels import HouseBots
from tests.api.cast import Caller


def test_options_tell_levels_limits_and_the_name_rule(spectator: Caller) -> None:
    options = spectator.get("/options").get_json()
    assert options["levels"][:2] == ["easy", "medium"]
    assert options["rulesets"][0] == "all-fives"
    assert options["clock"]["turn_seconds"]["default"] == 60
    assert options["wait"]["max"] == 25
    assert options["name"]["longest"] == 32


def test_every_level_says_how_it_plays_and_how_long_it_thinks(spectator: Caller) -> None:
    options = spectator.get("/options").get_json()
    assert [bot["level"] for bot in options["bots"]] == options["levels"]
    assert {bot["level"]: bot["think_seconds"] for bot in options["bots"]} == HouseBots.think_seconds
    assert all(bot["summary"].endswith(".") for bot in options["bots"])


def test_whole_numbers_are_written_without_a_fraction(spectator: Caller) -> None:
    assert ".0" not in spectator.get("/options").text


def test_every_limit_told_is_the_limit_held(ann: Caller) -> None:
    options = ann.get("/options").get_json()
    for name, limit in options["clock"].items():
        for value, status in (
            (limit["min"], 201),
            (limit["max"], 201),
            (limit["min"] - 1, 422),
            (limit["max"] + 1, 422),
        ):
            assert ann.post("/tables", {"clock": {name: value}}).status_code == status, (name, value)
    for value, status in ((options["page"]["max"], 200), (options["page"]["max"] + 1, 422), (0, 422)):
        assert ann.get(f"/tables?limit={value}").status_code == status
