"""The lobby while tables fill, finish and are left, and processes are killed between create and list (fault R27)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Client, Refused
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]

EACH = 10
BOTS = [{"seat": 0, "level": "easy"}, {"seat": 1, "level": "easy"}]
ONE_HAND: dict[str, Any] = {"bots": BOTS, "sit": False, "house_rules": {"max_hands": 1}}
PATIENT = {"turn_seconds": None}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path, LOG_LEVEL="warning")
    service.start()
    yield service
    service.stop()


def listed(client: Client, status: str) -> list[str]:
    """Every id of this filter, page by page."""
    found: list[str] = []
    cursor = None
    while True:
        query: dict[str, Any] = {"status": status, "limit": 7} | ({"cursor": cursor} if cursor else {})
        page = client.call("GET", "/tables", None, **query)
        assert {item["status"] for item in page["items"]} <= {status}
        found += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def test_each_filter_is_exact_though_processes_die_between_create_and_list(service: Service) -> None:
    looker, made = Client(service.url, "Looker"), threading.Event()
    finishing: list[str] = []
    filled: list[str] = []
    left: list[str] = []

    def make() -> None:
        ann, bob = Client(service.url, "Ann"), Client(service.url, "Bob")
        for _ in range(EACH):
            finishing.append(ann.call("POST", "/tables", ONE_HAND)["id"])
            filled.append(ann.call("POST", "/tables", {"players": 2, "clock": PATIENT})["id"])
            bob.call("POST", f"/tables/{filled[-1]}/seats", {})
            lonely = Client(service.url, "Lonely")
            left.append(lonely.call("POST", "/tables", {"players": 2})["id"])
            try:
                lonely.call("DELETE", "/me")
            except Refused as refused:  # asked again: the process died when it was done, before it had said so
                assert refused.code == "unauthenticated"  # noqa: PT017  in a thread of its own
        made.set()

    maker = threading.Thread(target=make, daemon=True)
    maker.start()
    looks = 0
    while not made.is_set():
        assert maker.is_alive() or made.is_set(), "the maker failed"
        if looks % 10 == 5:
            service.kill("web_worker", "gunicorn")
        for status in ("open", "playing", "finished"):
            ids = listed(looker, status)
            assert len(ids) == len(set(ids)), "listed twice"
            for table_id in ids[:5]:
                assert looker.table(table_id)["id"] == table_id
        looks += 1
    assert looks > 5
    service.wait_until(lambda: sorted(listed(looker, "finished")) == sorted(finishing), "ten games have finished")
    assert sorted(listed(looker, "playing")) == sorted(filled)
    assert listed(looker, "open") == []
    assert all(looker.table(table_id)["status"] == "closed" for table_id in left)
