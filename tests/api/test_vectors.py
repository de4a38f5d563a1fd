"""The golden cases over HTTP: layouts and leads through the calculator, whole deals through scripted tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.cast import Caller, House

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["cases"]


def cases(kind: str, *, partial: bool | None = None) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] == kind and (partial is None or case["partial"] == partial)]
    return pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['title']}") for case in chosen])


def end_of(ends: list[dict[str, Any]], play: dict[str, Any]) -> str | None:
    """The end a case means, by the tile it is laid on, its side, and what fits there."""
    if play["on"] is None:
        return None
    kinds = {"long": ("long",), "short": ("short",), "half": ("half",), None: ("half", "long", "short")}
    found: str = next(
        end["end"]
        for end in ends
        if end["tile"] == play["on"]
        and end["kind"] in kinds[play.get("side")]
        and end["open"]
        and str(end["number"]) in play["tile"]
    )
    return found


def shares(ends: list[dict[str, Any]]) -> dict[str, int]:
    by_tile: dict[str, int] = {}
    for end in ends:
        if end["counts"]:
            by_tile[end["tile"]] = by_tile.get(end["tile"], 0) + end["counts"]
    return by_tile


@cases("layout")
def test_the_calculator_lays_and_counts_as_written(spectator: Caller, case: dict[str, Any]) -> None:
    path = f"/rulesets/{case['ruleset']}/layouts"
    plays: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for play in case["plays"]:
        laying = {"tile": play["tile"], "end": end_of(ends, play), "lengthwise": play.get("lengthwise", False)}
        plays.append(laying)
        answer = spectator.post(path, {"players": case["players"], "plays": plays})
        assert answer.status_code == 200, answer.text
        step = answer.json["steps"][-1]  # type: ignore[index]
        ends, expect = step["ends"], play["expect"]
        assert (step["count"], step["points"], shares(ends)) == (expect["count"], expect["points"], expect["by_tile"])
        assert sorted([e["tile"], e["number"], e["kind"]] for e in ends if e["open"]) == sorted(expect["open"])


@cases("leads")
def test_the_calculator_counts_every_lead_as_written(spectator: Caller, case: dict[str, Any]) -> None:
    for tile, count, points in case["table"]:
        answer = spectator.post(f"/rulesets/{case['ruleset']}/layouts", {"plays": [{"tile": tile}]})
        step = answer.json["steps"][0]  # type: ignore[index]
        assert [step["count"], step["points"]] == [count, points], tile


@cases("hand", partial=False)
def test_a_whole_deal_runs_at_a_scripted_table_as_written(house: House, case: dict[str, Any]) -> None:
    callers = [house.ann, *(house.newcomer(name) for name in ("Bea", "Cy", "Di")[: case["players"] - 1])]
    practice = {"holdings": case["hands"], "boneyard": case["boneyard"], "leader": leader_to_name(case)}
    opened = house.ann.post(
        "/tables",
        {
            "ruleset": case["ruleset"],
            "players": case["players"],
            "seating": case["seating"],
            "house_rules": {"target_points": 10_000},
            "practice": practice,
        },
    )
    assert opened.status_code == 201, opened.text
    table_id = opened.json["id"]  # type: ignore[index]
    for caller in callers[1:]:
        code = opened.json["invite_code"]  # type: ignore[index]
        assert caller.post(f"/tables/{table_id}/seats", {"invite_code": code}).status_code == 200
    before = None
    for action in case["actions"]:
        seat = action["player"]
        pass_until(house, callers, table_id, seat)
        if action["do"] == "draw" and before == ("draw", seat):
            continue  # one draw takes tiles until one fits
        before = action["do"], seat
        expect = action["expect"]
        answer = act(callers[seat], table_id, action)
        if action["do"] == "play":
            told = [e for e in answer["events"] if e["type"] == "points_scored" and e["reason"] == "play"]
            assert sum(event["points"] for event in told) == expect["points"]
            played = next(event for event in answer["events"] if event["type"] == "tile_played")
            assert (played["count"], shares(played["ends"])) == (expect["count"], expect["by_tile"])
    result = case["expect"]
    view = house.ann.see(table_id)
    if result is None or result["kind"] == "target":
        return  # the case starts from scores a fresh table does not have; its plays have been checked
    ended = view["last_hand"]
    assert ended["points"] == result["delta"]
    assert ended["winner"] == result["winner"]
    assert [line["spots"] for line in sorted(ended["breakdown"], key=lambda line: line["seat"])] == result["spots"]


def leader_to_name(case: dict[str, Any]) -> int | None:
    """None where the rule set forces the lead: the table finds it by itself."""
    forced = case["ruleset"] in ("all-fives-latin", "all-fives-150", "draw", "block")
    return None if forced else case["leader"]


def pass_until(house: House, callers: list[Caller], table_id: str, seat: int) -> None:
    """Passes that are forced are not in the cases."""
    for _ in callers:
        turn = house.ann.see(table_id)["hand"]["turn"]
        if turn == seat:
            return
        assert [m["action"] for m in callers[turn].see(table_id)["you"]["legal_moves"]] == ["pass"]
        assert callers[turn].move(table_id, "pass").status_code == 200


def act(caller: Caller, table_id: str, action: dict[str, Any]) -> dict[str, Any]:
    if action["do"] != "play":
        answer = caller.move(table_id, action["do"])
    else:
        ends = caller.see(table_id)["hand"]["layout"]["ends"]
        body = {"action": "play", "tile": action["tile"], "end": end_of(ends, action)}
        answer = caller.post(f"/tables/{table_id}/moves", {**body, "lengthwise": action.get("lengthwise", False)})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json  # type: ignore[assignment]
    return told
