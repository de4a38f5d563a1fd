"""Ten whole games over HTTP while the worker, the web server and the store are each killed once with -9."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import redis

from app.config import Settings
from app.storage.due import RedisDue
from app.storage.tables import RedisTables
from app.tables.log import replay
from tests.whole.client import Client, best
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, LOG_LEVEL="warning")
    running.start()
    try:
        yield running
    finally:
        assert running.stop() == [], "processes were left behind"


def test_ten_games_survive_the_death_of_worker_web_and_store(service: Service) -> None:
    moved = threading.Semaphore(0)
    games: list[Callable[[], tuple[list[Client], str]]] = [
        *[lambda: two_humans(service.url, moved)] * 4,
        *[lambda: against_medium(service.url, moved)] * 3,
        *[lambda: pairs_with_bots(service.url, moved)] * 3,
    ]
    with ThreadPoolExecutor(max_workers=4) as pool:
        running = [pool.submit(game) for game in games]
        for victim in ("worker", "gunicorn", "valkey-server"):
            for _ in range(40):
                assert moved.acquire(timeout=60), "the games stand still"
            service.kill(victim)
        played = [game.result(timeout=240) for game in running]

    for clients, table_id in played:
        everything_is_in_the_log_once(service, clients, table_id)


def two_humans(url: str, moved: threading.Semaphore) -> tuple[list[Client], str]:
    ann, bob = Client(url, "Ann"), Client(url, "Bob")
    table_id = ann.call("POST", "/tables", {"players": 2, "house_rules": {"target_points": 100}, "clock": QUICK})["id"]
    bob.call("POST", f"/tables/{table_id}/seats", {})
    return together([ann, bob], table_id, moved)


def against_medium(url: str, moved: threading.Semaphore) -> tuple[list[Client], str]:
    ann = Client(url, "Ann")
    table_id = ann.call("POST", "/tables", {"players": 2, "bots": [{"seat": 1, "level": "medium"}], "clock": QUICK})[
        "id"
    ]
    return together([ann], table_id, moved)


def pairs_with_bots(url: str, moved: threading.Semaphore) -> tuple[list[Client], str]:
    ann, bob = Client(url, "Ann"), Client(url, "Bob")
    bots = [{"seat": 1, "level": "medium"}, {"seat": 3, "level": "easy"}]
    table_id = ann.call("POST", "/tables", {"players": 4, "bots": bots, "clock": QUICK})["id"]
    bob.call("POST", f"/tables/{table_id}/seats", {"seat": 2})
    return together([ann, bob], table_id, moved)


QUICK = {"turn_seconds": 60, "hand_break_seconds": 0.2}


def together(clients: list[Client], table_id: str, moved: threading.Semaphore) -> tuple[list[Client], str]:
    """Each client plays on a thread of its own until the game is over."""

    def pick(moves: list[dict[str, Any]]) -> dict[str, Any]:
        moved.release()
        return best(moves)

    with ThreadPoolExecutor(max_workers=len(clients)) as pool:
        views = list(pool.map(lambda client: client.play_until_over(table_id, pick), clients))
    assert {view["status"] for view in views} == {"finished"}
    assert {view["result"]["reason"] for view in views} == {"target"}
    return clients, table_id


def everything_is_in_the_log_once(service: Service, clients: list[Client], table_id: str) -> None:
    settings = Settings.read({"DATA_DIR": service.environ["DATA_DIR"]})
    client = redis.Redis.from_url(settings.find_store())
    store = RedisTables(client, RedisDue(client), listening=client, refold=replay)
    loaded = store.load(table_id)
    log = store.events(table_id, 0, 100_000)
    assert [event.seq for event in log] == list(range(1, loaded.table.version + 1))
    assert replay(log) == loaded.table, "the state is what the log says"
    answered = sorted(span for client in clients for span in client.acknowledged[table_id])
    for (_, last), (first, _) in pairwise(answered):
        assert last < first, "no two answers speak of the same event"
    assert answered[-1][1] <= loaded.table.version, "an acknowledged move was lost"
    seen = page_through(clients[0], table_id)
    assert [event["seq"] for event in seen] == [event.seq for event in log], "the client reads the same log"
    plays = [event for event in log if type(event).__name__ == "TilePlayed"]
    tiles = [(event.hand, event.tile) for event in plays]  # type: ignore[union-attr]
    assert len(tiles) == len(set(tiles)), "a tile is laid once a hand"


def page_through(client: Client, table_id: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while True:
        page = client.call("GET", f"/tables/{table_id}/events", None, after=len(events), limit=200)
        if not page["events"]:
            return events
        events += page["events"]
