"""The real streams of the service through the real nginx configuration."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import requests

from tests.deploy.test_nginx import NGINX, Proxy
from tests.whole.client import Client
from tests.whole.readers import LineReader, SseReader, finish
from tests.whole.service import Service

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: apt install nginx-light)"),
]


def test_streams_pass_nginx_at_once_uncompressed_and_say_goodbye(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="warning", TRUSTED_PROXIES="1", STREAMS_PER_ADDRESS="5")
    service.start()
    proxy = Proxy(tmp_path / "nginx", service.port)
    try:
        ann, bob = Client(proxy.url, "Ann"), Client(proxy.url, "Bob")
        table = ann.call("POST", "/tables", {"players": 2})["id"]
        token = str(ann.session.headers["Authorization"])
        readers = [
            SseReader(proxy.url, f"/tables/{table}/stream", token),
            LineReader(proxy.url, f"/tables/{table}/events.ndjson", token),
            SseReader(proxy.url, "/me/stream", token, after="now"),
        ]
        for reader in readers:
            reader.headers |= {"Accept-Encoding": "gzip, br"}
            reader.start()
        for reader in readers[:2]:
            reader.wait_for(2)
        bob.call("POST", f"/tables/{table}/seats", {})
        for reader in readers:
            reader.wait_for(4, seconds=3)
        with requests.get(f"{proxy.url}/v1/tables/{table}/stream", stream=True, timeout=10) as answer:
            assert answer.headers["Content-Type"] == "text/event-stream"
            assert answer.headers["Cache-Control"] == "private, no-store, no-transform"
            assert "Content-Encoding" not in answer.headers
        opened = [requests.get(f"{proxy.url}/v1/tables/{table}/stream", stream=True, timeout=10) for _ in range(4)]
        assert 429 in [answer.status_code for answer in opened], "it is the client's address that counts"
        for answer in opened:
            answer.close()
        time.sleep(6)
        assert [reader.connections for reader in readers] == [1, 1, 1], "a quiet stream is not cut"
        finish(*readers)
    finally:
        proxy.stop()
        assert service.stop() == []
