"""How this process reaches the store, and what it means when it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis import BlockingConnectionPool, Redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import (
    ClusterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

from app.tables.ports import StoreUnavailable

CONNECTIONS = 50
"""Most connections of one process; further requests wait for a free one."""
CONNECT_SECONDS = 1.0
"""Seconds until a connection attempt is given up."""
ANSWER_SECONDS = 2.0
"""Seconds until an answer is given up, and until a request stops waiting for a free connection."""
TRIES_AGAIN = 2
"""Times a command is sent again after its connection broke: enough for a store that has just been restarted."""
BETWEEN_TRIES = 0.1
"""Seconds at most between two tries."""

_UNAVAILABLE = (
    Disconnected,
    TimedOut,
    RedisClusterException,
    OutOfMemoryError,
    ReadOnlyError,
    NoPermissionError,
    TryAgainError,
    ClusterDownError,
)
_CANNOT_SERVE = re.compile(
    r"\b(OOM|READONLY|MISCONF|NOREPLICAS|LOADING|BUSY|NOAUTH|WRONGPASS|NOPERM|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b"
)
"""Error replies that have no class, or are met in a script and wrapped by older servers: anywhere in the text."""


def connect(url: str, *, connections: int = CONNECTIONS, answer_seconds: float = ANSWER_SECONDS) -> Redis:
    """A client with a bounded pool; nothing is sent yet.

    A command whose connection broke is sent again up to `TRIES_AGAIN` times, so every writer here must bear running
    twice: all do, and `RedisTables.commit` says how.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=answer_seconds,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=answer_seconds,
        socket_keepalive=True,
        health_check_interval=30,
        protocol=2,
        retry=Retry(ExponentialWithJitterBackoff(cap=BETWEEN_TRIES, base=0.02), TRIES_AGAIN),
    )
    return Redis.from_pool(pool)


def cannot_serve(error: Exception) -> bool:
    """Whether this is about the store's state rather than about the command."""
    if isinstance(error, _UNAVAILABLE):
        return True
    return isinstance(error, ResponseError) and _CANNOT_SERVE.search(str(error)) is not None


@contextmanager
def reaching_the_store() -> Iterator[None]:
    """The one place where the client's errors become ours; also a decorator.

    Raises:
        StoreUnavailable: the store cannot be reached, is loading, full, read-only or without its replicas, or does not
            let us in. Whether a write in it was done is unknown.
    """
    try:
        yield
    except (Disconnected, TimedOut, RedisClusterException, ResponseError) as error:
        if cannot_serve(error):
            raise StoreUnavailable(type(error).__name__) from error
        raise
