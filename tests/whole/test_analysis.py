"""A hand is analysed over HTTP by the service as one starts it; the same figures come of its record offline."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.whole.client import Client, Refused
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def post(client: Client, path: str) -> int:
    """The status of one POST, sent once."""
    token = {"Authorization": str(client.session.headers["Authorization"])}
    return requests.post(f"{client.url}/v1{path}", headers=token, timeout=40).status_code


def test_a_hand_is_analysed_as_its_record_is_offline(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="debug")
    service.start()
    try:
        ann, eve = Client(service.url, "Ann"), Client(service.url, "Eve")
        bots = [{"seat": 1, "level": "easy"}]
        game = {"house_rules": {"deal": {"2": 4}, "max_hands": 1}, "bots": bots, "visibility": "private"}
        table = ann.call("POST", "/tables", game)["id"]
        ann.play_until_over(table)
        path = f"/tables/{table}/hands/1/analysis"
        with pytest.raises(Refused, match="not_found"):
            eve.call("POST", path)
        with ThreadPoolExecutor(16) as askers:
            statuses = sorted(askers.map(lambda _: post(ann, path), range(16)))
        assert statuses == [200] * 15 + [202]

        def ready() -> dict[str, Any]:
            found: dict[str, Any] = ann.call("GET", path)
            assert found["status"] != "failed"
            return found if found["status"] == "ready" else {}

        service.wait_until(lambda: bool(ready()), "the analysis is ready")
        record = tmp_path / "record.json"
        record.write_text(json.dumps(ann.call("GET", f"/tables/{table}/record")))
        ended = subprocess.run(
            [sys.executable, "-m", "app.cli", "analyse", "--json", str(record)], capture_output=True, check=True
        )
        assert json.loads(ended.stdout)["hands"] == [ready()["analysis"]]
        figures = f"{service.url}/metrics"
        service.wait_until(
            lambda: "allfives_hands_analysed_total 1.0" in requests.get(figures, timeout=10).text, "it was made once"
        )
    finally:
        assert service.stop() == []
    log = service.output.read_text()
    assert not any(word in log for word in ("holding", "alternatives", '"tile"'))
