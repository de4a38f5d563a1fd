"""The embedded store: for this machine and this user only, and where it was the last time."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest
import redis

from app.cli import embedded
from app.cli.embedded import Address, choose_address, choose_server, make_folder, prepare
from app.cli.errors import CannotStartError
from app.cli.servers import Server, ServerVersion
from app.config import Durability, Settings
from tests.conftest import running_store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(data_dir=tmp_path / "data")
    make_folder(settings)
    return settings


def test_its_folder_and_files_are_closed_to_others(settings: Settings) -> None:
    prepare(settings)
    assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700
    assert stat.S_IMODE(settings.store_dir.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in settings.store_dir.iterdir()} == {0o600}


def test_the_queues_have_a_store_of_their_own_that_keeps_nothing(settings: Settings) -> None:
    prepare(settings)
    prepare(settings, queue=True)
    assert settings.find_queue() != settings.find_store()
    assert Address.parse(settings.find_queue()) == choose_address(settings.queue_dir)
    text = (settings.queue_dir / "store.conf").read_text()
    assert "appendonly no\n" in text
    assert "appendfsync" not in text
    assert stat.S_IMODE(settings.queue_dir.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in settings.queue_dir.iterdir()} == {0o600}


def test_it_keeps_its_port_and_password(settings: Settings) -> None:
    address = choose_address(settings.store_dir)
    assert address == choose_address(settings.store_dir) == Address.parse(settings.find_store())


def test_it_moves_when_another_program_sits_on_its_port(settings: Settings) -> None:
    address = choose_address(settings.store_dir)
    with socket.create_server(("127.0.0.1", address.port)):
        moved = choose_address(settings.store_dir)
    assert moved.port != address.port
    assert settings.find_store() == moved.url


def test_it_does_not_move_once_others_know_where_it_is(settings: Settings) -> None:
    address = choose_address(settings.store_dir)
    with (
        socket.create_server(("127.0.0.1", address.port)),
        pytest.raises(CannotStartError, match=f"port {address.port} of the embedded store is taken"),
    ):
        prepare(settings, may_move=False)


def test_a_damaged_address_is_replaced(settings: Settings) -> None:
    settings.store_address_file.write_text("redis://:x@127.0.0.1:99999999/0")
    assert choose_address(settings.store_dir).port in embedded.PORTS


@pytest.mark.parametrize(
    ("durability", "appendfsync"), [(Durability.EVERYSEC, "everysec"), (Durability.ALWAYS, "always")]
)
def test_durability_says_when_it_writes_to_disk(settings: Settings, durability: Durability, appendfsync: str) -> None:
    prepare(Settings(data_dir=settings.data_dir, durability=durability))
    assert f"appendfsync {appendfsync}\n" in (settings.store_dir / "store.conf").read_text()


def test_data_stay_with_a_program_that_can_read_them(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Server(Path("/usr/bin/redis-server"), ServerVersion("Redis", (7, 0, 15)), "PATH")
    new = Server(Path("/bundled/valkey-server"), ServerVersion("Valkey", (9, 1, 2)), "bundled")
    monkeypatch.setattr(embedded, "installed_servers", lambda: iter([old, new]))
    assert choose_server(settings) is old
    (settings.store_dir / "written-by").write_text("Valkey 9.1.2\n")
    assert choose_server(settings) is new
    (settings.store_dir / "written-by").write_text("Valkey 10.0\n")
    with pytest.raises(CannotStartError, match=r"was written by Valkey 10\.0, and no store here can read that"):
        choose_server(settings)


def test_without_any_store_program_it_says_what_to_do(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "installed_servers", lambda: iter([]))
    with pytest.raises(CannotStartError, match="or set REDIS_URL"):
        choose_server(settings)


def test_the_running_store_is_for_us_alone_and_writes_every_change_down(tmp_path: Path) -> None:
    folder = tmp_path / 'a "data" folder, 100% öd\\'
    with running_store(folder) as url, redis.Redis.from_url(url, decode_responses=True) as client:
        kept = client.config_get("bind", "appendonly", "appendfsync", "maxmemory-policy", "save", "protected-mode")
        assert kept == {
            "bind": "127.0.0.1",
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
            "protected-mode": "yes",
        }
        port = client.connection_pool.connection_kwargs["port"]
        with redis.Redis(port=port) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    with running_store(tmp_path) as url, redis.Redis.from_url(url, decode_responses=True) as client:
        client.set("spinner", "55")
    with running_store(tmp_path) as url, redis.Redis.from_url(url, decode_responses=True) as client:
        assert client.get("spinner") == "55"


def test_a_store_that_is_started_by_hand_holds_the_queues_as_well(tmp_path: Path) -> None:
    """Whatever an earlier `allfives up` has left: nobody else starts one for them."""
    settings = Settings(data_dir=tmp_path)
    make_folder(settings)
    choose_address(settings.queue_dir)
    with running_store(tmp_path) as url:
        assert settings.find_queue() == settings.find_store() == url
