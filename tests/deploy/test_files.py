"""What is in `deploy/` and the Procfile starts the same parts as `allfives up`, and is well-formed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from app.cli import COMMANDS
from app.cli.servers import installed_servers
from app.cli.supervision import configuration
from app.config import Settings
from tests.cli.house import free_port

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


def procfile() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def commands_in(text: str) -> set[str]:
    return set(re.findall(r"\ballfives (?!:)([a-z]+)", text))


def test_the_procfile_names_the_processes_of_allfives_up() -> None:
    sections = configuration(Settings(redis_url="redis://store"), Path("/tmp")).sections()
    supervised = {name.partition(":")[2] for name in sections if "program:" in name} - {"announce"}
    assert set(procfile()) == supervised
    for name, command in procfile().items():
        assert command.endswith(f"allfives {name}")


def test_the_procfile_is_well_formed() -> None:
    program = Path(sys.executable).with_name("honcho")
    subprocess.run([program, "--procfile", ROOT / "Procfile", "check"], check=True, capture_output=True)


@pytest.fixture
def compose() -> dict[str, Any]:
    text = (ROOT / "deploy" / "compose.yaml").read_text()
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def test_compose_starts_commands_and_files_that_exist(compose: dict[str, Any]) -> None:
    services = compose["services"]
    ours = {name: service for name, service in services.items() if service["image"] == "allfives"}
    assert set(ours) == set(procfile())
    assert all(service["command"] == [name] and name in COMMANDS for name, service in ours.items())
    mounted = [volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])]
    assert all((ROOT / "deploy" / path).exists() for path in mounted if path.startswith("."))


def test_compose_opens_the_proxy_only(compose: dict[str, Any]) -> None:
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["proxy"]
    assert compose["networks"]["inside"] == {"internal": True}


def test_the_image_is_built_from_hash_checked_packages_and_runs_without_rights() -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text()
    assert "--require-hashes --only-binary :all: -r requirements.txt" in text
    assert "\nUSER 10001\n" in text
    assert "/livez" in text
    for copied in re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE):
        assert (ROOT / copied).exists()
        assert f"!{copied}" in (ROOT / ".dockerignore").read_text()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text()
        assert commands_in(text.partition("ExecStart=")[2].splitlines()[0]) <= set(COMMANDS)
        (tmp_path / unit.name).write_text(text.replace("/opt/allfives/bin/allfives", sys.executable))
    said = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / unit.name.replace("@.", "@1.") for unit in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.returncode, [line for line in said.stderr.splitlines() if "allfives" in line]) == (0, [])


def test_the_units_grant_the_same_few_rights() -> None:
    rights = {unit.name: unit.read_text().partition("DynamicUser=yes")[2].partition("[Install]")[0] for unit in UNITS}
    assert len(rights) == 5
    assert len(set(rights.values())) == 1
    assert "NoNewPrivileges=yes" in rights["allfives.service"]


def test_the_store_takes_its_configuration(tmp_path: Path) -> None:
    kept = kept_by([str(ROOT / "deploy" / "valkey.conf")], tmp_path)
    assert kept == {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}


def test_in_compose_no_job_waits_for_a_disk(compose: dict[str, Any], tmp_path: Path) -> None:
    _, *options = compose["services"]["queue"]["command"]
    assert compose["services"]["worker"]["environment"]["QUEUE_URL"] == "redis://queue:6379/0"
    kept = kept_by([*options, "--bind", "127.0.0.1"], tmp_path)
    assert (kept["appendonly"], kept["save"]) == ("no", "")


def kept_by(options: list[str], folder: Path) -> dict[str, str]:
    """What a store started with these options says it keeps to."""
    *_, server = installed_servers()
    port = free_port()
    argv = [str(server.path), *options, "--port", str(port), "--dir", str(folder)]
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(port=port, decode_responses=True) as client:
            wait_for(client)
            kept: dict[str, str] = client.config_get("appendonly", "appendfsync", "maxmemory-policy", "save")
            return kept
    finally:
        process.terminate()
        process.wait(10)


def wait_for(client: redis.Redis) -> None:
    deadline = time.monotonic() + 10
    while True:
        try:
            client.ping()
        except redis.ConnectionError:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            return


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file and their versions; every one has its hashes."""
    text = (ROOT / name).read_text()
    entries = re.findall(r"^[^ #].*(?:\n    --hash=.*)*", text, re.MULTILINE)
    found = [
        re.fullmatch(r"([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\(?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+", e)
        for e in entries
    ]
    assert all(found), [entry for entry, match in zip(entries, found, strict=True) if not match]
    return {match[1]: match[2] for match in found if match}


def test_the_lock_files_pin_everything_by_hash_and_name_no_host() -> None:
    running, developing = locked("requirements.txt"), locked("requirements-dev.txt")
    assert running.items() <= developing.items()
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert not re.search(r"://|--index|--extra-index|--find-links|file:|/home/|/root/", text)
