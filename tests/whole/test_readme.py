"""The README's session is run as printed, against a service that was started as it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the session uses curl, which is not installed")
def test_the_session_plays_until_a_move_scores(tmp_path: Path) -> None:
    session = re.search(r"## Play a move.*?```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert session is not None
    service = Service(tmp_path)
    service.start()
    try:
        script = "set -eu\n" + session[1].replace("http://127.0.0.1:8000", service.url)
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
    finally:
        assert service.stop() == []
    assert done.returncode == 0, done.stderr
    answer = json.loads((tmp_path / "answer.json").read_text())
    scored = [event for event in answer["events"] if event["type"] == "points_scored"]
    assert scored[0]["points"] > 0
    assert scored[0]["points"] % 5 == 0
