"""A removed token's streams end in every web process, and bring nothing of what comes afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.whole.client import Client
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]

STREAMS = 6
"""Of each kind: enough for both web processes to have some."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path, LOG_LEVEL="warning", WEB_PROCESSES="2")
    service.start()
    yield service
    service.stop()


def test_nothing_comes_after_a_token_was_removed(service: Service) -> None:
    ann, bob = Client(service.url, "Ann"), Client(service.url, "Bob")
    table = ann.call("POST", "/tables", {"visibility": "private", "clock": {"turn_seconds": None}})
    phone = ann.call("POST", "/me/tokens", {"label": "phone"})
    paths = [f"/tables/{table['id']}/stream", f"/tables/{table['id']}/events.ndjson", "/me/stream"] * STREAMS
    heard: list[list[bytes]] = [[] for _ in paths]

    def follow(number: int) -> None:
        headers = {"Authorization": f"Bearer {phone['token']}"}
        with requests.get(f"{service.url}/v1{paths[number]}", headers=headers, stream=True, timeout=30) as answer:
            for line in answer.iter_lines():
                heard[number].append(line)

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(len(paths))]
    for thread in threads:
        thread.start()
    service.wait_until(lambda: all(heard), "every stream has begun")
    ann.call("DELETE", f"/me/tokens/{phone['id']}")
    bob.call("POST", f"/tables/{table['id']}/seats", {"invite_code": table["invite_code"]})
    for thread in threads:
        thread.join(30)
    text = [b"\n".join(lines) for lines in heard]
    assert not [one for one in text if b"game_started" in one or b"hand_dealt" in one or b"table_started" in one]
    assert ann.table(table["id"])["status"] == "playing"
