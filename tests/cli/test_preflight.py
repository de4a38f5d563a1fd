"""Each thing in the way of `allfives up` is one clear line on stderr and exit 1, before anything starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from app.cli.errors import CannotStartError
from app.cli.listening import listen
from app.cli.locks import Lock
from app.cli.preflight import check_store, check_stores
from app.config import Durability, Settings
from tests.cli.house import free_port
from tests.conftest import running_store


def up(folder: Path, **environ: str) -> list[str]:
    """Try `allfives up`, which must not start; what it says on stderr."""
    ended = subprocess.run(
        [sys.executable, "-m", "app.cli", "up"],
        env={"PATH": os.environ["PATH"], "PORT": str(free_port()), "DATA_DIR": str(folder / "data"), **environ},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout == ""
    return ended.stderr.splitlines()


@contextmanager
def store_that_says(facts: str) -> Iterator[str]:
    """A server that answers every command with one text, as a store answers INFO; its URL."""
    answer = facts.encode()

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                while received := connection.recv(4096):
                    for _ in range(received.count(b"*")):  # every command begins with one
                        told = b"$%d\r\n%s\r\n" % (len(answer), answer) if b"INFO" in received else b"+OK\r\n"
                        connection.sendall(b"-ERR unknown command\r\n" if b"CONFIG" in received else told)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield f"redis://:secret@127.0.0.1:{server.getsockname()[1]}/0?protocol=2"


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = up(tmp_path, PORT=str(port))
        began = time.monotonic()
        assert up(tmp_path, PORT=str(port)) == said
        assert time.monotonic() - began < 5, "it waited for a port that nobody is giving up"
    assert said == [f"allfives: port {port} is in use; choose another: PORT={port + 1}"]


def test_a_host_that_is_not_this_machine(tmp_path: Path) -> None:
    [line] = up(tmp_path, HOST="192.0.2.1")
    assert "HOST=192.0.2.1" in line
    assert "cannot be listened on" in line


def test_a_host_that_is_not_an_address(tmp_path: Path) -> None:
    [line] = up(tmp_path, HOST="not an address")
    assert line.startswith("allfives: HOST=not an address is not an address")


def test_a_data_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    [line] = up(tmp_path, DATA_DIR=str(tmp_path / "file" / "data"))
    assert line.startswith(f"allfives: DATA_DIR={tmp_path}/file/data cannot be written: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_folder_without_rights(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    assert up(tmp_path) == [
        f"allfives: DATA_DIR={tmp_path}/data cannot be written: Permission denied; choose another folder"
    ]


def test_another_instance_on_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with Lock(tmp_path / "data" / "up.lock"):
        said = up(tmp_path)
    assert said == [
        f"allfives: DATA_DIR={tmp_path}/data is in use by another `allfives up`, process {os.getpid()}",
    ]


def test_a_store_on_the_data_folder(tmp_path: Path) -> None:
    with running_store(tmp_path / "data"):
        [line] = up(tmp_path)
    assert line.startswith(f"allfives: a store runs on DATA_DIR={tmp_path}/data, process ")


def test_a_store_that_cannot_be_reached(tmp_path: Path) -> None:
    port = free_port()
    [line] = up(tmp_path, REDIS_URL=f"redis://:secret@127.0.0.1:{port}/0")
    assert line.startswith(f"allfives: REDIS_URL (redis://127.0.0.1:{port}/0) cannot be reached: ")
    assert not (tmp_path / "data").exists()


def test_a_store_with_another_password(tmp_path: Path, store_url: str) -> None:
    [line] = up(tmp_path, REDIS_URL=store_url.replace(":", ":wrong", 2).replace(":wrong//", "://", 1))
    assert "cannot be reached: " in line
    assert "password" in line


def test_a_queue_store_that_cannot_be_reached(tmp_path: Path, store_url: str) -> None:
    [line] = up(tmp_path, REDIS_URL=store_url, QUEUE_URL=f"redis://127.0.0.1:{free_port()}")
    assert line.startswith("allfives: QUEUE_URL (")


def test_a_store_that_is_too_old(tmp_path: Path) -> None:
    with store_that_says("redis_version:6.0.16\r\nrole:master\r\n") as url:
        said = up(tmp_path, REDIS_URL=url)
    assert said == ["allfives: REDIS_URL is Redis 6.0.16, too old: Redis 6.2 or Valkey 7.2 or newer is needed"]


def test_settings_that_cannot_be_used_are_a_line_each(tmp_path: Path) -> None:
    assert up(tmp_path, PORT="ninety", WORKERS="none") == [
        "allfives: PORT=ninety: expected a whole number from 1 to 65535",
        "allfives: WORKERS=none: expected a whole number from 1 to 64",
    ]


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ("redis_version:6.0.16", "REDIS_URL is Redis 6.0.16, too old"),
        ("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:7.0.0", "REDIS_URL is Valkey 7.0.0, too old"),
        ("some_other_server:1", "REDIS_URL is an unknown store"),
        ("redis_version:7.0.0\r\nrole:slave", "is a replica and cannot be written"),
    ],
)
def test_a_store_that_will_not_do_is_refused(facts: str, line: str) -> None:
    with store_that_says(facts) as url, pytest.raises(CannotStartError, match=line) as refusal:
        check_store("REDIS_URL", url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "facts",
    [
        "redis_version:6.2.0\r\naof_enabled:1",
        "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\naof_enabled:1",
        "redis_version:8.0.0\r\naof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction",
    ],
)
def test_a_store_that_is_new_enough_is_taken_without_a_word(facts: str) -> None:
    with store_that_says(facts) as url:
        assert check_stores(Settings(redis_url=url)) == []


def test_a_store_that_may_lose_games_is_taken_with_a_warning() -> None:
    with store_that_says(
        "redis_version:7.0.0\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\naof_enabled:0"
    ) as url:
        forgets, crashes = check_stores(Settings(redis_url=url))
        assert check_stores(Settings(queue_url=url)) == [], "losing the queue loses no game"
    assert "maxmemory-policy is allkeys-lru" in forgets
    assert "appendonly is off" in crashes


def test_a_store_that_syncs_later_than_promised_is_taken_with_a_warning(tmp_path: Path) -> None:
    with running_store(tmp_path) as url, redis.Redis.from_url(url) as client:
        assert check_stores(Settings(redis_url=url)) == []
        client.config_set("appendfsync", "everysec")
        [line] = check_stores(Settings(redis_url=url))
        assert check_stores(Settings(redis_url=url, durability=Durability.EVERYSEC)) == []
    assert "appendfsync is everysec" in line


def test_waiting_for_a_replica_that_is_not_there(tmp_path: Path, store_url: str) -> None:
    assert up(tmp_path, REDIS_URL=store_url, DURABILITY="replica") == [
        "allfives: DURABILITY=replica, but no replica is connected to REDIS_URL"
    ]


def test_a_port_that_is_being_given_up_is_waited_for() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    threading.Timer(0.3, taken.close).start()
    listen("127.0.0.1", port, seconds=10).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost", "::1"])
def test_every_kind_of_address_can_be_listened_on(host: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        listener = listen(host, free_port())
    except CannotStartError:
        if host != "::1":
            raise
        pytest.skip("this machine has no IPv6 loopback address")
    assert not listener.getblocking()
    listener.close()
