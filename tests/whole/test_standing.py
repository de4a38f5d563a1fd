"""A game over HTTP ends up in profiles, and every process of the service in the figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import redis
import requests

from tests.whole.client import Client
from tests.whole.service import Service

FIGURES = [
    'allfives_processes{process="web"} 2.0',
    'allfives_processes{process="worker"} 1.0',
    'allfives_processes{process="clerk"} 1.0',
    'allfives_processes{process="clock"} 1.0',
    'allfives_commits_total{outcome="written"}',
    'allfives_due_late_seconds_count{why="bot"}',
    "allfives_games_booked_total 1.0",
    "allfives_pending_games 0.0",
    'allfives_queue_jobs{queue="due"} 0.0',
    'allfives_queue_jobs{queue="books"} 0.0',
    'allfives_queue_jobs{queue="slow"} 0.0',
]

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def test_a_finished_game_is_in_profiles_and_figures(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="warning")
    service.start()
    try:
        ann = Client(service.url, "Ann")
        table = {"ruleset": "block", "bots": [{"seat": 1, "level": "easy"}], "clock": {"hand_break_seconds": 0}}
        table_id = ann.call("POST", "/tables", table)["id"]
        result = ann.play_until_over(table_id)["result"]
        service.wait_until(lambda: bool(profile(ann)["games"]["finished"] == 1), "the game is booked")
        assert profile(ann)["games"]["won"] == (result["winner"] == 0)
        assert profile(ann)["ratings"][0]["rated_games"] == 1
        assert ann.call("GET", "/players/bot:easy")["games"]["finished"] == 1

        def figures() -> str:
            return requests.get(f"{service.url}/metrics", timeout=10).text

        for figure in FIGURES:
            service.wait_until(lambda figure=figure: figure in figures(), figure)  # type: ignore[misc]
        games, queues = (
            redis.Redis.from_url(url) for url in (service.settings.find_store(), service.settings.find_queue())
        )
        with games, queues:
            assert games.keys("rq:*") == [], "no job waits for the disk"
            assert len(queues.smembers("rq:workers")) == 2, "the worker and the clerk are at the other store"
            assert not set(queues.keys("*")) - set(queues.keys("rq:*")), "nothing else is there"
        for secret in (ann.id, table_id, "Ann"):
            assert secret not in figures()
    finally:
        assert service.stop() == []


def profile(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.call("GET", f"/players/{client.id}")
    return found
