"""What is looked at before anything starts: each thing in the way is one clear line."""

from __future__ import annotations

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


def await_store_folder(settings: Settings, seconds: float) -> None:
    """Make sure that no store runs on the data folder; one that is stopping gets `seconds` for it.

    Raises:
        CannotStartError: one does.
    """

    def take() -> Lock:
        try:
            return Lock(settings.store_dir / "store.lock")
        except HeldError as error:
            line = (
                f"a store runs on DATA_DIR={settings.data_dir}, process {error.holder}; `kill {error.holder}` ends it"
            )
            raise CannotStartError(line) from None

    try_for(seconds, take).release()


def check_stores(settings: Settings) -> list[str]:
    """Look at the stores somebody else runs; what is risky about them, one line each.

    Raises:
        CannotStartError: one of them cannot be used.
    """
    stores = {"REDIS_URL": settings.redis_url, "QUEUE_URL": settings.queue_url}
    risks = [risk for name, url in stores.items() if url for risk in check_store(name, url)]
    if settings.durability is Durability.REPLICA and not _ask(settings.find_store()).get("connected_slaves"):
        raise CannotStartError("DURABILITY=replica, but no replica is connected to REDIS_URL")
    return risks


def check_store(name: str, url: str) -> list[str]:
    """Look at a store somebody else runs; what is risky about it, one line each.

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
    return list(_risks(name, facts))


def _ask(url: str) -> dict[str, object]:
    client = redis.Redis.from_url(
        url,
        socket_connect_timeout=SECONDS_TO_REACH_STORE,
        socket_timeout=SECONDS_TO_REACH_STORE,
        retry=Retry(NoBackoff(), 0),
    )
    with client:
        return cast("dict[str, object]", client.info())


def _version_text(facts: dict[str, object]) -> str:
    if facts.get("server_name") == "valkey":  # Valkey calls itself Redis 7.2.4 for old clients
        return f"Valkey {facts.get('valkey_version')}"
    return f"Redis {facts.get('redis_version')}"


def _risks(name: str, facts: dict[str, object]) -> list[str]:
    risks = []
    if facts.get("maxmemory") and facts.get("maxmemory_policy") != "noeviction":
        risks.append(f"{name}: maxmemory-policy is {facts['maxmemory_policy']}: games may vanish; noeviction is right")
    if not facts.get("aof_enabled"):
        risks.append(f"{name}: appendonly is off: a crash of the store may lose moves")
    return risks


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
