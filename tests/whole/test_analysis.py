"""A hand is analysed over HTTP by the service as one starts it; the same figures come of its record offline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Client, Refused
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]


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
        assert ann.call("POST", path)["status"] in ("pending", "ready")

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
    finally:
        assert service.stop() == []
    log = service.output.read_text()
    assert not any(word in log for word in ("holding", "alternatives", '"tile"'))
