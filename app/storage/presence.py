"""Who is there: when each seat's player was last connected. It is no part of a table's version."""

from __future__ import annotations

from typing import cast

from msgspec import Struct
from redis import Redis
from redis.exceptions import NoScriptError

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.script import Script
from app.tables.views import CONNECTED_FOR

TOUCH = Script(
    """
-- KEYS[1]  {t:ID}:table  HASH
-- KEYS[2]  {t:ID}:seen   HASH seat -> ms
-- ARGV[1]  seat
-- ARGV[2]  ms a seat counts as connected
-- ARGV[3]  pub/sub channel to ring when the seat was away
-- ARGV[4]  what to say there
-- returns  1 noted, 0 there is no such table
local left = redis.call('PTTL', KEYS[1])
if left == -2 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local before = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0)
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', now))
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
if now - before > tonumber(ARGV[2]) then redis.call('PUBLISH', ARGV[3], ARGV[4]) end
return 1
"""
)


class Looked(Struct, frozen=True):
    """One look at a table from its door, as it is stored."""

    version: bytes | None
    confirmed: bytes | None
    seen: dict[bytes, bytes]
    time: tuple[int, int]
    """Seconds and microseconds."""


class Presence:
    """Reads and writes it on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def touch(self, table_id: str, seat: int) -> None:
        """Note that this seat's player is there; whoever streams the table hears of it if he was away."""
        TOUCH.run(self._redis, *_touch(table_id, seat))

    @reaching_the_store()
    def look(self, table_id: str, seat: int | None) -> Looked:
        """Note that this seat is there, if it is one, and look at the table: one round trip."""
        try:
            return self._look(table_id, seat, in_full=False)
        except NoScriptError:
            return self._look(table_id, seat, in_full=True)

    def _look(self, table_id: str, seat: int | None, *, in_full: bool) -> Looked:
        with self._redis.pipeline(transaction=False) as pipeline:
            if seat is not None:
                TOUCH.queue(pipeline, *_touch(table_id, seat), in_full=in_full)
            pipeline.hgetall(keys.seen(table_id))
            pipeline.hmget(keys.table(table_id), "version", "confirmed")
            pipeline.time()
            seen, (version, confirmed), time = pipeline.execute()[-3:]
        return Looked(version, confirmed, cast("dict[bytes, bytes]", seen), time)


def _touch(table_id: str, seat: int) -> tuple[list[str], list[str | bytes | int]]:
    away_after = int(CONNECTED_FOR.total_seconds() * 1000)
    arguments: list[str | bytes | int] = [seat, away_after, keys.DOORBELL, f"{table_id}:{keys.SEEN}"]
    return [keys.table(table_id), keys.seen(table_id)], arguments
