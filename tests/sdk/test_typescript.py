"""TypeScript types made from the document pass the strictest compiler with a client that uses them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from app.api import openapi_document

SOURCES = Path(__file__).parent / "typescript"


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="node is not installed")
def test_types_made_from_the_document_pass_the_strict_compiler(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", ".npmrc", "tsconfig.json", "client.ts"):
        shutil.copy(SOURCES / name, tmp_path / name)
    installed = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    if installed.returncode != 0:
        pytest.skip(f"the packages cannot be had: {installed.stderr[-300:]}")
    (tmp_path / "openapi.json").write_text(json.dumps(openapi_document()))
    run(tmp_path, "npx", "--no-install", "openapi-typescript", "openapi.json", "--output", "api.d.ts")
    run(tmp_path, "npx", "--no-install", "tsc", "--project", "tsconfig.json")


def test_the_lock_names_no_registry() -> None:
    packages = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert "integrity" in package or not name, name
