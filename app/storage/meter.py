"""Sums of what all processes count, and figures of the moment that only the store knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from redis import Redis

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.script import Script

PRESENT_FOR = 20_000
"""Milliseconds a process counts as present after a report."""
REPORTS_KNOWN = 3_600_000
"""Milliseconds it is known which of its reports a process has sent."""

ADD = Script(
    """
-- KEYS[1]  {m}:sums             HASH name -> sum
-- KEYS[2]  {m}:present          HASH reporter -> JSON [ms, process, waiting]
-- KEYS[3]  {m}:report:REPORTER  STRING, number of its last report
-- ARGV[1]  reporter
-- ARGV[2]  number of this report
-- ARGV[3]  process, JSON
-- ARGV[4]  waiting requests
-- ARGV[5]  ms the number is known
-- ARGV[6]  ms a process counts as present
-- ARGV[7] and on, two each: name, what to add
-- returns  1 added, 0 this report had been added before
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], ARGV[1], string.format('[%d,%s,%s]', now, ARGV[3], ARGV[4]))
for _, reporter in ipairs(redis.call('HKEYS', KEYS[2])) do
  local at = string.match(redis.call('HGET', KEYS[2], reporter), '^%[(%d+)')
  if now - tonumber(at) > tonumber(ARGV[6]) then redis.call('HDEL', KEYS[2], reporter) end
end
if tonumber(redis.call('GET', KEYS[3]) or 0) >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[5])
for i = 7, #ARGV, 2 do
  redis.call('HINCRBYFLOAT', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
"""
)


class RedisMeter:
    """`Meter` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def add(self, reporter: str, number: int, process: str, waiting: int, added: Mapping[str, float]) -> None:
        arguments: list[str | bytes | int] = [
            *(reporter, number, json.dumps(process), waiting, REPORTS_KNOWN, PRESENT_FOR),
            *(part for name, value in added.items() for part in (name, repr(value))),
        ]
        ADD.run(self._redis, [keys.METER_SUMS, keys.METER_PRESENT, keys.report(reporter)], arguments)

    @reaching_the_store()
    def sums(self) -> Mapping[str, float]:
        kept = cast("dict[bytes, bytes]", self._redis.hgetall(keys.METER_SUMS))
        return {name.decode(): float(value) for name, value in kept.items()}

    @reaching_the_store()
    def present(self) -> Iterable[tuple[str, int]]:
        kept = cast("list[bytes]", self._redis.hvals(keys.METER_PRESENT))
        seconds, microseconds = self._redis.time()
        now = seconds * 1000 + microseconds // 1000
        return [(process, waiting) for at, process, waiting in map(json.loads, kept) if now - at <= PRESENT_FOR]


class StoreFigures:
    """What the store knows of this moment; each figure is one cheap command."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def tables(self) -> Sequence[tuple[str, int]]:
        """Public tables by status; entries a crash left behind are counted until somebody reads the list."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for status in keys.LISTED:
                pipeline.zcard(keys.lobby(status))
            return list(zip(keys.LISTED, pipeline.execute(), strict=True))

    @reaching_the_store()
    def pending_games(self) -> int:
        """Finished games that are still to be booked."""
        return self._redis.zcard(keys.PENDING)

    @reaching_the_store()
    def overdue_seconds(self) -> float:
        """How long the entry that nobody has taken has been due; 0: there is none. It rises when no clock runs."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for shard in range(keys.DUE_SHARDS):
                pipeline.zrange(keys.due(shard), 0, 0, withscores=True)
            pipeline.time()
            *firsts, (seconds, microseconds) = pipeline.execute()
        moments = [score for first in firsts for _, score in first]
        return max(0.0, seconds + microseconds / 1e6 - min(moments) / 1000) if moments else 0.0
