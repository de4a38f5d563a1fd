"""The import contracts of `pyproject.toml` hold, and each of them catches a planted violation."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PLANTED = [
    ("one-way", "engine/tiles.py", "app.tables.table"),
    ("one-way", "engine/tiles.py", "app.bots"),
    ("one-way", "tables/table.py", "app.bots"),
    ("one-way", "tables/table.py", "app.storage.keys"),
    ("one-way", "tables/table.py", "app.config"),
    ("one-way", "tables/table.py", "app.records.findings"),
    ("one-way", "records/findings.py", "app.storage.keys"),
    ("one-way", "tables/table.py", "app.standing.record"),
    ("one-way", "standing/record.py", "app.storage.keys"),
    ("one-way", "standing/record.py", "app.bots"),
    ("one-way", "standing/record.py", "app.analysis.shapes"),
    ("one-way", "bots/__init__.py", "app.analysis.shapes"),
    ("one-way", "tables/table.py", "app.analysis.shapes"),
    ("one-way", "analysis/shapes.py", "app.storage.keys"),
    ("one-way", "metrics/sums.py", "app.storage.keys"),
    ("one-way", "storage/keys.py", "app.wiring"),
    ("one-way", "storage/keys.py", "app.config"),
    ("one-way", "api/__init__.py", "app.wiring"),
    ("one-way", "wiring.py", "app.api"),
    ("one-way", "workers/clock.py", "app.wsgi"),
    ("one-way", "workers/clock.py", "app.cli"),
    ("one-way", "bots/__init__.py", "app.kit.wishes"),
    ("bots-see-the-game-only", "bots/__init__.py", "app.tables.table"),
    ("kit-is-a-client", "kit/__init__.py", "app.tables.table"),
    ("kit-is-a-client", "kit/__init__.py", "app.storage.keys"),
    ("kit-is-a-client", "kit/__init__.py", "redis"),
    ("api-and-storage-never-meet", "api/__init__.py", "app.storage.keys"),
    ("api-and-storage-never-meet", "storage/keys.py", "app.api.problems"),
    ("pure", "engine/tiles.py", "random"),
    ("pure", "engine/tiles.py", "time"),
    ("pure", "bots/__init__.py", "secrets"),
    ("pure", "bots/__init__.py", "os"),
    ("pure", "engine/tiles.py", "redis"),
    ("pure", "records/findings.py", "io"),
    ("one-way", "bots/__init__.py", "app.arena"),
    ("one-way", "arena/match.py", "app.api"),
    ("arena-is-pure", "arena/match.py", "time"),
    ("arena-is-pure", "arena/contest.py", "random"),
    ("arena-is-pure", "arena/match.py", "app.tables.table"),
    ("use-cases-know-no-framework", "tables/table.py", "flask"),
    ("use-cases-know-no-framework", "tables/table.py", "rq"),
    ("use-cases-know-no-framework", "standing/record.py", "redis"),
    ("use-cases-know-no-framework", "analysis/shapes.py", "rq"),
    ("store-knows-no-web", "storage/keys.py", "flask"),
    ("web-knows-no-store", "api/__init__.py", "redis"),
]
"""Contract, a file below `app/`, and what it must not import."""


def broken_contracts(folder: Path, contract: str) -> str:
    """What import-linter says about one contract; empty when it is kept."""
    program = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [program, "--no-cache", "--contract", contract], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ended.returncode in (0, 1), ended.stdout + ended.stderr
    return ended.stdout.partition("Broken contracts")[2] if ended.returncode else ""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def contracts() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return [contract["id"] for contract in tomllib.load(file)["tool"]["importlinter"]["contracts"]]


@pytest.mark.parametrize("contract", contracts())
def test_every_import_contract_is_kept(contract: str) -> None:
    assert broken_contracts(ROOT, contract) == ""


def test_every_import_contract_has_a_planted_violation() -> None:
    assert {contract for contract, _, _ in PLANTED} == set(contracts())


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "file", "imported"), PLANTED)
def test_a_planted_violation_is_caught(copy: Path, contract: str, file: str, imported: str) -> None:
    place = copy / "app" / file
    place.write_text(f"{place.read_text()}\nimport {imported}\n")
    importer = "app." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert f"{importer} -> {imported}" in broken_contracts(copy, contract)


@pytest.mark.parametrize("package", ["arena", "engine", "bots", "records"])
def test_the_pure_parts_ask_no_clock_through_datetime(package: str) -> None:
    """`datetime` is a type they need; import-linter cannot tell it from `datetime.now()`."""
    asked = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in (ROOT / "app" / package).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("now", "today", "utcnow")
    ]
    assert asked == []
