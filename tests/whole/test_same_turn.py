"""Two hundred turns, each posted sixteen times at the same moment: one wins, the rest are told so."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.whole.client import Client
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
ROUNDS = 200
AT_ONCE = 16


def test_exactly_one_of_sixteen_simultaneous_posts_wins(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="warning")
    service.start()
    try:
        players = [Client(service.url, "Ann"), Client(service.url, "Bob")]
        table_id = new_table(players)
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            for number in range(ROUNDS):
                view = players[0].table(table_id)
                while view["status"] == "playing" and view["hand"]["turn"] is None:
                    view = players[0].table(table_id, newer_than=view["version"], wait=5)
                if view["status"] != "playing":
                    table_id = new_table(players)
                    view = players[0].table(table_id)
                one_round(pool, players[view["hand"]["turn"]], table_id, number)
    finally:
        assert service.stop() == []


def new_table(players: list[Client]) -> str:
    table_id: str = players[0].call("POST", "/tables", {"players": 2, "clock": {"hand_break_seconds": 0}})["id"]
    players[1].call("POST", f"/tables/{table_id}/seats", {})
    return table_id


def one_round(pool: ThreadPoolExecutor, player: Client, table_id: str, number: int) -> None:
    """Half the posts share one key, half have a key each."""
    view = player.table(table_id)
    move = view["you"]["legal_moves"][0]
    start = threading.Barrier(AT_ONCE)

    def post(index: int) -> requests.Response:
        key = f"round-{number}" if index % 2 else f"round-{number}-{index}"
        start.wait(30)
        return requests.post(
            f"{player.url}/v1/tables/{table_id}/moves",
            json={**move, "expected_version": view["version"]},
            headers={"Authorization": player.session.headers["Authorization"], "Idempotency-Key": key},
            timeout=30,
        )

    answers: list[requests.Response] = list(pool.map(post, range(AT_ONCE)))
    statuses = Counter(answer.status_code for answer in answers)
    fresh = [a for a in answers if a.status_code == 200 and "Idempotent-Replayed" not in a.headers]
    replayed = [a for a in answers if a.headers.get("Idempotent-Replayed") == "true"]
    assert len(fresh) == 1, f"{len(fresh)} winners in round {number}: {statuses}"
    assert set(statuses) <= {200, 409}, statuses
    assert all(answer.content == fresh[0].content for answer in replayed), "a replay is the first answer"
    after = player.table(table_id, newer_than=view["version"])
    mine = events_between(player, table_id, view["version"])
    acts = [e for e in mine if e["type"] in ("tile_played", "tiles_drawn", "turn_passed")]
    assert len(acts) == 1, f"the turn was played {len(acts)} times"
    assert after["version"] == fresh[0].json()["version"]


def events_between(player: Client, table_id: str, after: int) -> list[dict[str, Any]]:
    page: dict[str, Any] = player.call("GET", f"/tables/{table_id}/events", None, after=after)
    events: list[dict[str, Any]] = page["events"]
    return events
