"""What is looked at before anything starts: each thing in the way is one clear line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.cli.errors import CannotStartError
from app.cli.listening import try_for
from app.cli.locks import HeldError, Lock
from app.cli.servers import OLDEST, ServerVersion
from app.config import Durability, Settings

SECONDS_TO_REACH_STORE = 3.0
SECONDS_TO_WIND_DOWN = 15.0
"""How long what a killed `allfives up` left behind may take to end."""


def lock_data_folder(settings: Settings) -> Lock:
    """Make sure that nobody else runs on the data folder.

    Raises:
        CannotStartError: somebody does.
    """
    try:
        return Lock(settings.data_dir / "up.lock")
    except HeldError as error:
        line = f"DATA_DIR={settings.data_dir} is in use by another `allfives up`, process {error.holder}"
        raise CannotStartError(line) from None
    except OSError as error:
        raise CannotStartError(f"DATA_DIR={settings.data_dir} cannot be written: {error.strerror}") from None


def await_store_folders(settings: Settings, seconds: float) -> None:
    """Make sure that no store runs on the data folder; one that is stopping gets `seconds` for it.

    Raises:
        CannotStartError: one does.
    """
    for folder in (settings.store_dir, settings.queue_dir):

        def take(lock: Path = folder / "store.lock") -> Lock:
            try:
                return Lock(lock)
            except HeldError as error:
                line = (
                    f"a store runs on DATA_DIR={settings.data_dir}, process {error.holder}; "
                    f"`kill {error.holder}` ends it"
                )
                raise CannotStartError(line) from None

        try_for(seconds, take).release()


def check_stores(settings: Settings) -> list[str]:
    """Look at the stores somebody else runs; what is risky about that of the games, one line each.

    Raises:
        CannotStartError: one of them cannot be used.
    """
    if settings.queue_url is not None:
        check_store("QUEUE_URL", settings.queue_url)
    if settings.redis_url is None:
        return []
    facts = check_store("REDIS_URL", settings.redis_url)
    if settings.durability is Durability.REPLICA and not facts.get("connected_slaves"):
        raise CannotStartError("DURABILITY=replica, but no replica is connected to REDIS_URL")
    return list(_risks(facts, settings.durability))


def check_store(name: str, url: str) -> dict[str, object]:
    """Look at a store somebody else runs; what it tells about itself.

    Raises:
        CannotStartError: it cannot be reached, is too old or cannot be written.
    """
    try:
        facts = _ask(url)
    except (redis.RedisError, OSError, ValueError) as error:
        raise CannotStartError(f"{name} ({without_password(url)}) cannot be reached: {_reason(error)}") from None
    version = ServerVersion.parse(_version_text(facts))
    if version is None or not version.is_new_enough:
        needed = " or ".join(f"{product} {'.'.join(map(str, number))}" for product, number in OLDEST.items())
        raise CannotStartError(f"{name} is {version or 'an unknown store'}, too old: {needed} or newer is needed")
    if facts.get("role") in ("slave", "replica"):
        raise CannotStartError(f"{name} ({without_password(url)}) is a replica and cannot be written")
    return facts


def _ask(url: str) -> dict[str, object]:
    """The answer of INFO and, where we may ask for it, the setting `appendfsync`."""
    client = redis.Redis.from_url(
        url,
        socket_connect_timeout=SECONDS_TO_REACH_STORE,
        socket_timeout=SECONDS_TO_REACH_STORE,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
    with client:
        facts = cast("dict[str, object]", client.info())
        with contextlib.suppress(redis.ResponseError):  # hosted stores do not tell their settings
            facts["appendfsync"] = client.config_get("appendfsync").get("appendfsync", "always")
    return facts


def _version_text(facts: dict[str, object]) -> str:
    if facts.get("server_name") == "valkey":  # Valkey calls itself Redis 7.2.4 for old clients
        return f"Valkey {facts.get('valkey_version')}"
    return f"Redis {facts.get('redis_version')}"


def _risks(facts: dict[str, object], durability: Durability) -> Iterator[str]:
    if facts.get("maxmemory") and facts.get("maxmemory_policy") != "noeviction":
        yield f"REDIS_URL: maxmemory-policy is {facts['maxmemory_policy']}: games may vanish; noeviction is right"
    if not facts.get("aof_enabled"):
        yield "REDIS_URL: appendonly is off: a crash of the store may lose moves"
    elif durability is Durability.ALWAYS and facts.get("appendfsync", "always") != "always":
        yield (
            f"REDIS_URL: appendfsync is {facts['appendfsync']}: a power cut may lose moves; set it to always, or "
            "DURABILITY=everysec if that will do"
        )


def without_password(url: str) -> str:
    """Show a store's address to people.

    >>> without_password("rediss://games:secret@store.example:6380/1")
    'rediss://store.example:6380/1'
    """
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{place}{parts.path}"


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
