"""Moments at which tables need attention: sorted sets of `TABLE:VERSION` by time, by the store's clock.

Pools of tickets and finished games that are to be booked have sets of their own, and are taken from them the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.moments import in_ms
from app.storage.script import Script
from app.tables import ports

TAKEN_FOR = int(ports.TAKEN_FOR / timedelta(milliseconds=1))
"""Milliseconds until an entry that was taken comes again."""

TAKE = Script(
    """
-- KEYS[1]  due:<shard>, due:pools or standing:pending  ZSET of entries by ms
-- ARGV[1]  most entries to take
-- ARGV[2]  ms by which a taken entry is moved on
-- returns  the entries whose time has come, earliest first
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ready = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, entry in ipairs(ready) do
  redis.call('ZADD', KEYS[1], now + ARGV[2], entry)
end
return ready
"""
)


class RedisDue:
    """`DueIndex` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def add(self, table_id: str, version: int, at: datetime) -> None:
        """Say when this version wants attention; a time said before is replaced."""
        self._redis.zadd(_key(table_id), {entry_of(table_id, version): in_ms(at)})

    def add_no_later(self, table_id: str, version: int, at: datetime, pipeline: Pipeline) -> None:
        """Add to a pipeline: attention at this moment, or earlier where that was said before.

        Two writers may try for the same version; the one that loses must not put off the winner's moment.
        """
        pipeline.zadd(_key(table_id), {entry_of(table_id, version): in_ms(at)}, lt=True)

    @reaching_the_store()
    def take(self, limit: int) -> Sequence[tuple[str, int]]:
        share = max(1, limit // keys.DUE_SHARDS)
        try:
            ready = self._take(share, in_full=False)
        except NoScriptError:
            ready = self._take(share, in_full=True)
        return [parsed(entry) for entry in ready]

    def remove(self, table_id: str, version: int) -> None:
        self.remove_many([(table_id, version)])

    @reaching_the_store()
    def remove_many(self, entries: Sequence[tuple[str, int]]) -> None:
        """Remove entries in one round trip."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for table_id, version in entries:
                pipeline.zrem(_key(table_id), entry_of(table_id, version))
            pipeline.execute()

    @reaching_the_store()
    def versions(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        return versions_of(table_ids, keys.table, self._redis)

    def _take(self, share: int, *, in_full: bool) -> list[bytes]:
        with self._redis.pipeline(transaction=False) as pipeline:
            for shard in range(keys.DUE_SHARDS):
                TAKE.queue(pipeline, [keys.due(shard)], [share, TAKEN_FOR], in_full=in_full)
            answers: list[list[bytes]] = pipeline.execute()
        return [entry for ready in answers for entry in ready]


def versions_of(ids: Sequence[str], key_of: Callable[[str], str], redis: Redis) -> dict[str, int]:
    """The current version of each table, or pool of tickets, that exists: one round trip."""
    asked = list(dict.fromkeys(ids))
    with redis.pipeline(transaction=False) as pipeline:
        for one in asked:
            pipeline.hget(key_of(one), "version")
        found: list[bytes | None] = pipeline.execute()
    return {one: int(version) for one, version in zip(asked, found, strict=True) if version is not None}


def entry_of(one: str, version: int) -> str:
    """How a table, or a pool of tickets, stands in the index at this version.

    >>> entry_of("T1", 7), parsed(b"T1:7")
    ('T1:7', ('T1', 7))
    """
    return f"{one}:{version}"


def parsed(entry: bytes) -> tuple[str, int]:
    """What an entry stands for."""
    one, _, version = entry.decode().rpartition(":")
    return one, int(version)


def _key(table_id: str) -> str:
    return keys.due(keys.due_shard(table_id))
