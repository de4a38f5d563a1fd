"""Clients that are cut off at random two hundred times during a game end with exactly the log."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Client, best
from tests.whole.readers import LineReader, PollReader, Reader, SseReader, finish
from tests.whole.rough_proxy import RoughProxy
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
CUTS = 200
SEED = 20_260_101


def test_a_client_that_is_cut_off_two_hundred_times_has_exactly_the_log(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="warning")
    service.start()
    proxies = [RoughProxy(service.port, SEED + n) for n in range(4)]
    try:
        ann, bob = Client(service.url, "Ann"), Client(service.url, "Bob")
        table = ann.call(
            "POST",
            "/tables",
            {"players": 2, "house_rules": {"target_points": 1000}, "clock": {"hand_break_seconds": 0}},
        )["id"]
        token = str(ann.session.headers["Authorization"])
        readers: list[Reader] = [
            SseReader(proxies[0].url, f"/tables/{table}/stream", token),
            LineReader(proxies[1].url, f"/tables/{table}/events.ndjson", token),
            PollReader(proxies[2].url, f"/tables/{table}/events", token),
        ]
        for reader in readers:
            reader.start()
        bob.call("POST", f"/tables/{table}/seats", {})
        # The players' own moves go over a bad line as well, and are tried again under their keys.
        ann.url = bob.url = proxies[3].url
        enough = threading.Event()

        def steadily(moves: list[dict[str, Any]]) -> dict[str, Any]:
            """Slowly until everyone has been cut off often enough."""
            if not enough.is_set():
                time.sleep(0.15)
            return best(moves)

        with ThreadPoolExecutor(2) as pool:
            games = [pool.submit(client.play_until_over, table, steadily) for client in (ann, bob)]
            ends = time.monotonic() + 200
            while not all(proxy.cuts >= CUTS for proxy in proxies[:3]):
                assert time.monotonic() < ends, [proxy.cuts for proxy in proxies]
                assert not all(game.done() for game in games), [proxy.cuts for proxy in proxies]
                time.sleep(0.1)
            enough.set()
            for proxy in proxies:
                proxy.rough = False
            final = games[0].result(timeout=100)
        log = whole_log(service.url, token, table)
        for reader in readers:
            reader.wait_for(final["version"])
        finish(*readers)
        for reader in readers:
            assert reader.events == log, f"{type(reader).__name__}: {reader.seqs}"
            assert reader.connections > CUTS
            assert reader.refusals == []
        assert [event["seq"] for event in log] == list(range(1, final["version"] + 1))
        assert all(proxy.doubles for proxy in proxies)
    finally:
        for proxy in proxies:
            proxy.close()
        assert service.stop() == []


def whole_log(url: str, token: str, table: str) -> list[dict[str, Any]]:
    """The log as a poll reads it, page by page."""
    poll = PollReader(url, f"/tables/{table}/events", token)
    while True:
        before = len(poll.events)
        poll.connect()
        if len(poll.events) == before or poll.events[-1]["type"] == "game_ended":
            return poll.events
