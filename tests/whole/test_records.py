"""The whole service: forty games at once, each replayed and dealt again by others; one taken up in its middle."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.records.plain_verifier import complaints
from tests.whole.client import Client
from tests.whole.service import Service

GAMES = 40
SECONDS = 120.0
"""Seconds in which forty games of bots must be over on a busy machine."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("records"), LOG_LEVEL="warning")
    service.start()
    yield service
    service.stop()


def allfives(*arguments: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments], input=typed, capture_output=True, check=False, timeout=60
    )


def test_forty_games_agree_wherever_one_looks_and_verify(service: Service) -> None:
    ann = Client(service.url, "Ann")
    opened = [
        ann.call(
            "POST",
            "/tables",
            {
                "bots": [{"seat": 1, "level": "easy"}],
                "clock": {"turn_seconds": 1, "timeouts_before_takeover": 100, "hand_break_seconds": 0},
                "house_rules": {"target": {"2": 30}},
                "client_seed": f"seed {number}",
            },
        )["id"]
        for number in range(GAMES)
    ]
    finished = wait_until_over(ann, opened)
    lines = ann.session.get(f"{service.url}/v1/me/records", timeout=60).content.splitlines()
    records = {record["table"]: record for record in map(json.loads, lines)}
    assert set(records) == set(opened) == set(finished)
    for number, table in enumerate(opened):
        record = records[table]
        assert record == ann.call("GET", f"/tables/{table}/record")
        assert not complaints(record)
        hands = [ann.call("GET", f"/tables/{table}/hands/{hand['number']}") for hand in record["hands"]]
        assert hands == record["hands"]
        events = ann.call("GET", f"/tables/{table}/events", None, after=0, limit=1000)["events"]
        ended = next(event for event in events if event["type"] == "game_ended")
        assert {name: ended[name] for name in record["result"]} == record["result"]
        assert events[0]["commitment"] == record["commitment"]
        assert {hand["proof"]["client_seeds"][0] for hand in hands} == {f"seed {number}"}
    judged = allfives("verify", "--json", "-", typed=b"\n".join(lines))
    assert judged.returncode == 0, judged.stdout
    assert len(judged.stdout.splitlines()) == GAMES
    altered = records[opened[0]]
    mine, rest = altered["hands"][0]["holdings"][0], altered["hands"][0]["boneyard"]
    mine[0], rest[0] = rest[0], mine[0]
    rejected = allfives("verify", "-", typed=json.dumps(altered).encode())
    assert rejected.returncode == 1
    assert b"hand 1: holdings" in rejected.stdout


def wait_until_over(ann: Client, opened: list[str]) -> list[str]:
    """Ann plays nothing: her turns expire. The ids of her finished tables, as her list has them."""
    ends = time.monotonic() + SECONDS
    items: list[dict[str, Any]] = []
    while time.monotonic() < ends:
        items = ann.call("GET", "/me/tables", None, status="finished", limit=100)["items"]
        if len(items) == len(opened):
            return [item["id"] for item in items]
        time.sleep(0.5)
    raise AssertionError(f"{len(opened) - len(items)} games are not over after {SECONDS:.0f} s")


def test_a_game_is_taken_up_in_its_middle_and_stand_ins_play_on(service: Service, tmp_path: Path) -> None:
    ann = Client(service.url, "Ann")
    bots = [{"seat": seat, "level": "medium"} for seat in range(4)]
    table = ann.call("POST", "/tables", {"players": 4, "sit": False, "bots": bots, "clock": {"hand_break_seconds": 0}})
    while ann.table(table["id"])["status"] == "playing":
        time.sleep(0.1)
    record = ann.call("GET", f"/tables/{table['id']}/record")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    token = str(ann.session.headers["Authorization"]).removeprefix("Bearer ")
    made = [
        event
        for event in record["hands"][1]["events"]
        if event["type"] in ("tile_played", "turn_passed", "tiles_drawn")
    ]
    ended = allfives("practice", str(file), "--hand", "2", "--move", "6", "--url", service.url, "--token", token)
    assert ended.returncode == 0, ended.stderr
    practice = ended.stdout.decode().strip().rsplit("/", 1)[1]
    seat = made[6]["seat"]
    view = ann.table(practice)
    assert (view["practice"], view["you"]["seat"]) == (True, seat)
    laid = [tile["tile"] for tile in view["hand"]["layout"]["tiles"]]
    assert laid[: sum("tile" in event for event in made[:6])] == [
        event["tile"] for event in made[:6] if "tile" in event
    ]
    assert [place["stand_in"] is None for place in view["seats"]] == [n == seat for n in range(4)]
    ann.play_until_over(practice)
    again = ann.call("GET", f"/tables/{practice}/record")
    assert not complaints(again)
    assert again["hands"][0]["holdings"] == record["hands"][1]["holdings"]
