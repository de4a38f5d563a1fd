"""Settings, read once from the environment; nothing else in the project looks at it.

>>> Settings.read({"PORT": "9000", "WORKERS": "2"}).port
9000
>>> Settings.read({"PORT": "ninety"})
Traceback (most recent call last):
...
app.config.SettingsError: PORT=ninety: expected a whole number from 1 to 65535
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

STORE_SCHEMES = ("redis", "rediss", "unix")
LOG_LEVELS = ("debug", "info", "warning", "error")


class Durability(StrEnum):
    """When a move is answered."""

    ALWAYS = "always"
    """Once it is on the store's disk: nothing answered is ever lost. Costs a disk sync, shared by all who wait."""
    EVERYSEC = "everysec"
    """Once the store has it in memory; it syncs every second. A power cut loses up to 2 s of answered moves, and so may
    `kill -9` of the store in the moment of a sync."""
    REPLICA = "replica"
    """Once a replica has it as well; needs a store of your own with at least one replica."""


class SettingsError(Exception):
    """Some settings cannot be used; `problems` has one line for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How this installation runs. Each field is the environment variable of the same name in capitals."""

    host: str = "127.0.0.1"
    """Address the web server listens on; `0.0.0.0`: every network."""
    port: int = 8000
    """TCP port the web server listens on."""
    data_dir: Path = Path("data")
    """Folder of the embedded store, seen from where the command is started; not used when `REDIS_URL` is set."""
    redis_url: str | None = None
    """The store of the games, `redis://`, `rediss://` or `unix://`. None: the embedded store; see `find_store`."""
    queue_url: str | None = None
    """The store of the RQ queues. None: beside the embedded store one of its own, else the store of the games."""
    durability: Durability = Durability.ALWAYS
    """When a move is answered."""
    web_processes: int = 2
    """Web server processes; each holds thousands of waiting requests."""
    workers: int = 1
    """RQ worker processes of the queue `due`: bots' turns, timeouts, next hands. (Queue `slow` has the clerk.)"""
    trusted_proxies: int = 0
    """Proxies in front whose `X-Forwarded-*` headers are believed. 0: nobody's."""
    streams_per_token: int = 500
    """Streams one token may have open, over all processes."""
    streams_per_address: int = 2500
    """Streams one address (of IPv6: one /64 network) may have open, over all processes."""
    players_per_address: int = 300
    """Players who may be made in an hour for one address (of IPv6: one /64 network)."""
    stream_seconds: int = 900
    """About how long a stream lives; then the client comes back and goes on from where it was."""
    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""

    @classmethod
    def read(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings from `environ` (default: the process's own); an empty variable counts as unset.

        Raises:
            SettingsError: some variables hold values that cannot be used; all of them are named.
        """
        reader = _Reader(os.environ if environ is None else environ)
        default = cls()
        settings = cls(
            host=reader.text("HOST", default.host),
            port=reader.number("PORT", default.port, 1, 65535),
            data_dir=Path(reader.text("DATA_DIR", str(default.data_dir))).expanduser().absolute(),
            redis_url=reader.store("REDIS_URL"),
            queue_url=reader.store("QUEUE_URL"),
            durability=Durability(reader.choice("DURABILITY", default.durability, tuple(Durability))),
            web_processes=reader.number("WEB_PROCESSES", default.web_processes, 1, 64),
            workers=reader.number("WORKERS", default.workers, 1, 64),
            trusted_proxies=reader.number("TRUSTED_PROXIES", default.trusted_proxies, 0, 16),
            streams_per_token=reader.number("STREAMS_PER_TOKEN", default.streams_per_token, 1, 100_000),
            streams_per_address=reader.number("STREAMS_PER_ADDRESS", default.streams_per_address, 1, 100_000),
            players_per_address=reader.number("PLAYERS_PER_ADDRESS", default.players_per_address, 1, 1_000_000),
            stream_seconds=reader.number("STREAM_SECONDS", default.stream_seconds, 5, 86_400),
            log_level=reader.choice("LOG_LEVEL", default.log_level, LOG_LEVELS),
        )
        if settings.durability is Durability.REPLICA and settings.redis_url is None:
            reader.problems.append("DURABILITY=replica: needs REDIS_URL; the embedded store has no replica")
        if reader.problems:
            raise SettingsError(reader.problems)
        return settings

    @property
    def store_dir(self) -> Path:
        """Folder of the embedded store: its log of every write, its settings, its address."""
        return self.data_dir / "store"

    @property
    def store_address_file(self) -> Path:
        """Where the embedded store's URL, password included, is written for other processes of this user."""
        return self.store_dir / "url"

    @property
    def has_queue_store(self) -> bool:
        """Whether `allfives up` runs a store for the queues beside that of the games."""
        return self.redis_url is None and self.queue_url is None

    @property
    def queue_dir(self) -> Path:
        """Folder of the embedded store of the queues: its settings and its address, nothing that has to last."""
        return self.data_dir / "queue"

    @property
    def queue_address_file(self) -> Path:
        """The same as `store_address_file`, of the queues; not there: the queues are in the store of the games."""
        return self.queue_dir / "url"

    def find_store(self) -> str:
        """URL of the store of the games: `REDIS_URL`, or that of the embedded store in `DATA_DIR`.

        Raises:
            SettingsError: neither is there.
        """
        if self.redis_url is not None:
            return self.redis_url
        try:
            return self.store_address_file.read_text(encoding="utf-8").strip()
        except OSError:
            line = f"no store: start `allfives up` with DATA_DIR={self.data_dir} first, or set REDIS_URL"
            raise SettingsError([line]) from None

    def find_queue(self) -> str:
        """URL of the store of the RQ queues: `QUEUE_URL`, or that of the embedded one, or the store of the games.

        Raises:
            SettingsError: there is no store.
        """
        if self.queue_url is not None:
            return self.queue_url
        embedded = ""
        if self.redis_url is None:
            with contextlib.suppress(OSError):
                embedded = self.queue_address_file.read_text(encoding="utf-8").strip()
        return embedded or self.find_store()


class _Reader:
    """Reads one variable after the other and collects what is wrong with them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.problems: list[str] = []

    def text(self, name: str, default: str) -> str:
        return self.environ.get(name, "").strip() or default

    def number(self, name: str, default: int, least: int, most: int) -> int:
        text = self.text(name, str(default))
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            return int(text)
        self.problems.append(f"{name}={text}: expected a whole number from {least} to {most}")
        return default

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        text = self.text(name, default).lower()
        if text in choices:
            return text
        self.problems.append(f"{name}={text}: expected one of {', '.join(choices)}")
        return default

    def store(self, name: str) -> str | None:
        url = self.text(name, "")
        if not url:
            return None
        try:
            parts = urlsplit(url)
            usable = parts.scheme in STORE_SCHEMES and bool(parts.path if parts.scheme == "unix" else parts.hostname)
            _ = parts.port
        except ValueError:
            usable = False
        if not usable:  # the value may hold a password, so it is not repeated
            self.problems.append(f"{name}: expected an address like redis://localhost:6379/0")
        return url
