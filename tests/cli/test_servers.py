"""Which store program runs the embedded store."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.servers import ServerVersion, installed_servers


def pretend(folder: Path, name: str, says: str) -> Path:
    """Put a program on PATH that only tells its version."""
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_anything_installed_the_bundled_store_is_there(path: Path) -> None:
    [server] = installed_servers()
    assert server.origin == "bundled"
    assert server.version.product == "Valkey"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("valkey-server", "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1"),
        ("redis-server", "Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1"),
    ],
)
def test_a_new_enough_store_on_path_comes_first(path: Path, name: str, says: str) -> None:
    program = pretend(path, name, says)
    servers = list(installed_servers())
    assert servers[0].path == program
    assert [server.origin for server in servers] == ["PATH", "bundled"]


@pytest.mark.parametrize("says", ["Redis server v=6.0.16 sha=0", "Valkey server v=7.0 sha=0", "gibberish"])
def test_a_store_on_path_that_is_too_old_or_unknown_is_passed_over(path: Path, says: str) -> None:
    pretend(path, "redis-server", says)
    assert [server.origin for server in installed_servers()] == ["bundled"]


def test_a_program_on_path_that_cannot_run_is_passed_over(path: Path) -> None:
    (path / "valkey-server").write_bytes(b"\x7fELF not for this machine")
    (path / "valkey-server").chmod(0o755)
    assert [server.origin for server in installed_servers()] == ["bundled"]


@pytest.mark.parametrize(
    ("reader", "writer", "reads"),
    [
        ("Valkey v=9.1", "Valkey v=9.1", True),
        ("Valkey v=9.1", "Valkey v=8.0", True),
        ("Valkey v=8.0", "Valkey v=9.1", False),
        ("Valkey v=9.1.0", "Valkey v=9.1.2", True),
        ("Valkey v=8.0", "Redis v=7.0.15", True),
        ("Valkey v=8.0", "Redis v=7.4.0", False),
        ("Redis v=8.0", "Valkey v=8.0", False),
        ("Redis v=7.0", "Redis v=6.2", True),
        ("Redis v=6.2", "Redis v=7.0", False),
    ],
)
def test_a_store_reads_what_is_not_newer_and_not_of_the_other_branch(reader: str, writer: str, reads: bool) -> None:
    one, other = ServerVersion.parse(reader), ServerVersion.parse(writer)
    assert one is not None
    assert other is not None
    assert one.reads(other) is reads
