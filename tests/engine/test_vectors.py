"""Every golden case of `vectors.json`, through the engine that serves tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine.actions import Action, Draw, Muggins, Pass, Play
from app.engine.calculator import Laying, calculate
from app.engine.errors import RuleViolation
from app.engine.events import End, HandEnded, PointsScored, TilesDrawn
from app.engine.game import rules_of, turn
from app.engine.rulesets import RULE_SETS, resolve
from app.engine.scoring import round_spots
from app.engine.shown import shown_ends
from app.engine.tiles import NAMES
from tests.notation import Sitting, sit

HERE = Path(__file__).parent.parent / "vectors.json"
SHARED = Path(__file__).parents[3] / "shared" / "vectors.json"
CASES: list[dict[str, Any]] = json.loads(HERE.read_text())["cases"]


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=f"{case['id']} {case['title']}") for case in CASES if case["kind"] == kind]
    )


def test_the_copy_of_the_vectors_is_the_shared_one() -> None:
    if not SHARED.exists():
        pytest.skip("no shared vectors beside this repository")
    assert HERE.read_text() == SHARED.read_text(), f"{HERE} differs from {SHARED}: copy it again"


def test_every_rule_set_has_a_case() -> None:
    assert {case["ruleset"] for case in CASES} == set(RULE_SETS)


def chosen_end(ends: tuple[End, ...], case: dict[str, Any], *, fitting: bool = True) -> str | None:
    """The end that a vector names by the tile it is laid on, the side and what fits there."""
    on, side, tile = case["on"], case.get("side"), case["tile"]
    if on is None:
        return None
    kinds = {"long": ("long",), "short": ("short",), "half": ("half",), None: ("half", "long", "short")}[side]
    names = [
        end.end
        for end in ends
        if end.tile == on and end.kind in kinds and (not fitting or (end.open and str(end.number) in tile))
    ]
    return names[0] if names else f"{on}.{'up' if side == 'short' else 'right'}"


def shares(ends: tuple[End, ...]) -> dict[str, int]:
    by_tile: dict[str, int] = {}
    for end in ends:
        assert end.counts is not None
        if end.counts:
            by_tile[end.tile] = by_tile.get(end.tile, 0) + end.counts
    return by_tile


def open_places(ends: tuple[End, ...]) -> list[list[object]]:
    return sorted([end.tile, end.number, end.kind] for end in ends if end.open)


@cases("layout")
def test_a_layout_counts_and_opens_as_written(case: dict[str, Any]) -> None:
    rules, seating = resolve(case["ruleset"], case["players"], case["seating"], {})
    layings: list[Laying] = []
    for played in case["plays"]:
        ends = calculate(rules, case["players"], seating, layings).layout.ends
        end = chosen_end(ends, played)
        layings.append(Laying(tile=played["tile"], end=end, lengthwise=played.get("lengthwise", False)))
        step = calculate(rules, case["players"], seating, layings).steps[-1]
        expect = played["expect"]
        assert (step.count, step.points) == (expect["count"], expect["points"])
        assert shares(step.ends) == expect["by_tile"]
        assert open_places(step.ends) == sorted(expect["open"])


@cases("leads")
def test_every_lead_counts_as_written(case: dict[str, Any]) -> None:
    rules, seating = resolve(case["ruleset"], case["players"], case["seating"], {})
    leads = [calculate(rules, 2, seating, [Laying(tile=tile)]).steps[0] for tile in NAMES]
    assert sorted([led.tile, led.count, led.points] for led in leads) == sorted(case["table"])


@cases("rounding")
def test_spots_round_as_written(case: dict[str, Any]) -> None:
    assert [[spots, round_spots(spots, 5)] for spots, _ in case["table"]] == case["table"]


@cases("settle")
def test_a_hand_settles_as_written(case: dict[str, Any]) -> None:
    """The hand is brought to its end by one worthless lead that nobody can follow, laid by whoever goes out."""
    left: list[list[str]] = case["hands_left"]
    out = 0 if case["out"] is None else case["out"]
    held = {number for holding in left for tile in holding for number in tile}
    lead = next(
        tile
        for tile in NAMES
        if not any(tile in holding for holding in left)
        and (sum(map(int, tile)) % 5 or tile == "00")
        and (case["out"] is not None or not held & set(tile))
    )
    holdings = [[*holding, lead] if seat == out else holding for seat, holding in enumerate(left)]
    sitting = sit(
        " | ".join(" ".join(holding) for holding in holdings),
        ruleset=case["ruleset"],
        seating=case["seating"],
        leader=out,
        scores=case["scores"],
        # The case says who goes out; the lead that brings him there is not part of it.
        house_rules={"first_lead": "lot"},
    )
    sitting.plays(lead)
    _assert_result(sitting, {"kind": "blocked" if case["out"] is None else "out", **case["expect"]}, case["out"])


def _assert_result(sitting: Sitting, expect: dict[str, Any], player: int | None) -> None:
    ended = sitting.hand_end
    assert ended.reason == {"out": "went_out", "blocked": "blocked", "target": "target"}[expect["kind"]]
    if expect["kind"] != "blocked":
        assert ended.seat == player
    assert [line.spots for line in ended.breakdown] == expect["spots"]
    assert ended.winner == expect["winner"]
    assert list(ended.points) == expect["delta"]
    assert list(ended.scores) == list(sitting.scores) == expect["scores"]
    assert sitting.game.over == expect["game_over"]
    if "game_winner" in expect and expect["game_over"]:
        assert sitting.game.result is not None
        assert sitting.game.result.winner == expect["game_winner"]
    forced = rules_of(sitting.game).ruleset.next_lead == "highest_double"
    if expect["next_lead"] == "highest_double_or_heaviest":
        assert forced
    elif expect["next_lead"] != "none":
        assert not forced
        next_lead = "lot" if sitting.game.went_out is None else f"player {sitting.game.went_out}"
        assert next_lead == expect["next_lead"]


def _sit(case: dict[str, Any]) -> Sitting:
    sitting = sit(
        " | ".join(" ".join(holding) for holding in case["hands"]),
        " ".join(case["boneyard"]),
        ruleset=case["ruleset"],
        seating=case["seating"],
        leader=case["leader"],
        scores=case.get("scores"),
    )
    if case["leader"] is not None:
        assert turn(sitting.game) == case["leader"]
    return sitting


def _action(sitting: Sitting, step: dict[str, Any], *, fitting: bool = True) -> Action:
    seat = step["player"]
    match step["do"]:
        case "play":
            assert sitting.game.hand is not None
            ends = shown_ends(sitting.game.hand.layout)
            end = chosen_end(ends, step, fitting=fitting)
            return Play(seat=seat, tile=step["tile"], end=end, lengthwise=step.get("lengthwise", False))
        case "draw":
            return Draw(seat=seat)
        case "pass":
            return Pass(seat=seat)
        case _:
            return Muggins(seat=seat)


def _joined(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Consecutive draws of one seat are one action here; `tiles` are all it drew."""
    joined: list[dict[str, Any]] = []
    for step in actions:
        draws = step["do"] == "draw" and joined and joined[-1]["do"] == "draw"
        if draws and joined[-1]["player"] == step["player"]:
            joined[-1]["tiles"].append(step.get("tile"))
        else:
            joined.append({**step, "tiles": [step.get("tile")]})
    return joined


@cases("hand")
def test_a_hand_plays_as_written(case: dict[str, Any]) -> None:
    sitting = _sit(case)
    for step in _joined(case["actions"]):
        events = sitting.act(_action(sitting, step))
        expect = step["expect"]
        in_play = [e.points for e in events if isinstance(e, PointsScored) and e.reason in ("play", "muggins")]
        assert sum(in_play) == expect["points"]
        hand_end = [e for e in events if isinstance(e, HandEnded)]
        running = list(sitting.scores)
        if hand_end and (step["do"] == "muggins" or hand_end[0].reason == "blocked"):
            # The vectors show a score after a last call, and after a block, before the hand's end is added.
            running = [score - more for score, more in zip(running, hand_end[0].points, strict=True)]
        assert running == expect["scores"]
        if step["do"] == "draw":
            drawn = next(e for e in events if isinstance(e, TilesDrawn))
            assert drawn.tiles == tuple(step["tiles"])
        if "count" in expect:
            assert sitting.game.hand is not None
            assert sitting.game.hand.layout.count == expect["count"]
            assert shares(shown_ends(sitting.game.hand.layout)) == expect["by_tile"]
        if "missed" in expect:
            assert sitting.game.hand is not None
            assert sitting.game.hand.window is not None
            assert sitting.game.hand.window.missed == expect["missed"]
    if case["expect"] is None:
        assert sitting.game.hand is not None
        assert not sitting.game.hand.over
    else:
        _assert_result(sitting, case["expect"], case["expect"]["player"])


@cases("illegal")
def test_what_is_refused_changes_nothing_and_the_rest_is_allowed(case: dict[str, Any]) -> None:
    sitting = _sit(case)
    for step in _joined(case["actions"]):
        sitting.act(_action(sitting, step))
    before = sitting.game
    for step in case["refuse"]:
        with pytest.raises(RuleViolation):
            sitting.act(_action(sitting, step, fitting=False))
        assert sitting.game == before
    assert sitting.act(_action(sitting, case["allow"]))
