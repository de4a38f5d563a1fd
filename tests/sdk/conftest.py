"""SDKs are generated from the document here, and talk to a real service."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api import openapi_document
from tests.whole.service import Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A whole installation."""
    service = Service(tmp_path_factory.mktemp("service"))
    service.start()
    try:
        yield service
    finally:
        assert service.stop() == []


@pytest.fixture(scope="session")
def python_clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with two generated packages: `all_fives_typed` and `all_fives_flat`; it can be imported from."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "config.yml").write_text(
        "post_hooks: []\ncontent_type_overrides:\n  application/x-ndjson: text/event-stream\n"
    )
    for events in ("typed", "flat"):
        document = folder / f"{events}.json"
        document.write_text(json.dumps(openapi_document(events)))
        generated = subprocess.run(
            [
                sys.executable,
                "-m",
                "openapi_python_client",
                "generate",
                "--path",
                str(document),
                "--output-path",
                str(folder / f"all_fives_{events}"),
                "--config",
                str(folder / "config.yml"),
                "--meta",
                "none",
                "--fail-on-warning",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        said = generated.stdout + generated.stderr
        assert generated.returncode == 0, said
        assert "arning" not in said, said
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
