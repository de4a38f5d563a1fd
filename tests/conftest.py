"""What every test may use: a real store of its own, with a port and a folder per test process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from app.config import Settings, SettingsError

SECONDS_TO_START = 20.0


@pytest.fixture(scope="session")
def store_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a store that lives as long as the tests: `allfives valkey` in a folder of its own.

    `TEST_STORE_URL` names another one to test against; everything in it is deleted.
    """
    given = os.environ.get("TEST_STORE_URL")
    if given:
        yield given
        return
    with running_store(tmp_path_factory.mktemp("store")) as url:
        yield url


@pytest.fixture
def store_url(store_server: str) -> Iterator[str]:
    """URL of the store, empty before the test and emptied after it."""
    with redis.Redis.from_url(store_server) as client:
        client.flushall()
        yield store_server
        client.flushall()


class running_store:  # noqa: N801  used like contextlib.closing
    """The embedded store of a folder, running until the block ends; the block gets its URL."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.settings = Settings(data_dir=folder)
        self.log = folder / "output.txt"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> str:
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "valkey"],
                env={**os.environ, "DATA_DIR": str(self.settings.data_dir), "DURABILITY": ""},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                url = self.settings.find_store()
                with redis.Redis.from_url(url) as client:
                    client.ping()
            except (SettingsError, redis.ConnectionError) as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"the store did not start: {error}\n{self.log.read_text()}") from error
            else:
                return url
            time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
