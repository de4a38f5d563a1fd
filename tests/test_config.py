"""Settings come from the environment, and a value that cannot be used is named with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.config import Durability, Settings, SettingsError


def test_nothing_set_is_the_installation_of_a_newcomer() -> None:
    settings = Settings.read({})
    assert (settings.host, settings.port, settings.redis_url) == ("127.0.0.1", 8000, None)
    assert settings.data_dir == Path.cwd() / "data"


def test_an_empty_variable_counts_as_unset() -> None:
    assert Settings.read({"PORT": "", "REDIS_URL": " ", "DURABILITY": ""}) == Settings.read({})


def test_every_setting_is_read() -> None:
    settings = Settings.read(
        {
            "HOST": "0.0.0.0",
            "PORT": "9000",
            "DATA_DIR": "~/games",
            "REDIS_URL": "rediss://games:secret@store.example:6380/1",
            "QUEUE_URL": "unix:///run/queue.sock",
            "DURABILITY": "Replica",
            "WEB_PROCESSES": "4",
            "WORKERS": "3",
            "TRUSTED_PROXIES": "1",
            "STREAMS_PER_TOKEN": "20",
            "STREAMS_PER_ADDRESS": "300",
            "STREAM_SECONDS": "60",
            "PLAYERS_PER_ADDRESS": "1000",
            "LOG_LEVEL": "WARNING",
        }
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=9000,
        data_dir=Path.home() / "games",
        redis_url="rediss://games:secret@store.example:6380/1",
        queue_url="unix:///run/queue.sock",
        durability=Durability.REPLICA,
        web_processes=4,
        workers=3,
        trusted_proxies=1,
        streams_per_token=20,
        streams_per_address=300,
        stream_seconds=60,
        players_per_address=1000,
        log_level="warning",
    )


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("PORT", "ninety", "expected a whole number from 1 to 65535"),
        ("PORT", "0", "expected a whole number from 1 to 65535"),
        ("PORT", "65536", "expected a whole number from 1 to 65535"),
        ("PORT", "²", "expected a whole number from 1 to 65535"),
        ("WEB_PROCESSES", "-1", "expected a whole number from 1 to 64"),
        ("WORKERS", "1.5", "expected a whole number from 1 to 64"),
        ("TRUSTED_PROXIES", "all", "expected a whole number from 0 to 16"),
        ("DURABILITY", "never", "expected one of always, everysec, replica"),
        ("LOG_LEVEL", "loud", "expected one of debug, info, warning, error"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_what_would_be_right(name: str, value: str, right: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        Settings.read({name: value})
    assert refusal.value.problems == [f"{name}={value}: {right}"]


@pytest.mark.parametrize(
    "url", ["localhost", "http://localhost", "redis://", "unix://", "redis://h:port", "redis://[::1"]
)
def test_a_store_address_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        Settings.read({"REDIS_URL": url})
    assert refusal.value.problems == ["REDIS_URL: expected an address like redis://localhost:6379/0"]


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(SettingsError) as refusal:
        Settings.read({"PORT": "x", "WORKERS": "y"})
    assert len(refusal.value.problems) == 2


def test_waiting_for_a_replica_needs_a_store_that_has_one() -> None:
    with pytest.raises(SettingsError, match="DURABILITY=replica: needs REDIS_URL"):
        Settings.read({"DURABILITY": "replica"})


def test_the_embedded_store_is_found_by_what_it_wrote_down(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    with pytest.raises(SettingsError, match="start `allfives up`"):
        settings.find_store()
    settings.store_dir.mkdir()
    settings.store_address_file.write_text("redis://:secret@127.0.0.1:20123/0\n")
    assert settings.find_store() == settings.find_queue() == "redis://:secret@127.0.0.1:20123/0"
    settings.queue_dir.mkdir()
    settings.queue_address_file.write_text("redis://:secret@127.0.0.1:20124/0\n")
    assert settings.find_queue() == "redis://:secret@127.0.0.1:20124/0"
    elsewhere = Settings(data_dir=tmp_path, redis_url="redis://games")
    assert elsewhere.find_queue() == "redis://games"


def test_redis_url_wins_and_the_queue_may_lie_elsewhere(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, redis_url="redis://games", queue_url="redis://queue")
    assert (settings.find_store(), settings.find_queue()) == ("redis://games", "redis://queue")
