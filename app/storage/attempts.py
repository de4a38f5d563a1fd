"""How often somebody tried something lately: one counter each, which runs out by itself."""

from __future__ import annotations

from typing import cast

from redis import Redis

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.script import Script

TAKE = Script(
    """
-- KEYS[1]  tries:<what>:<SHA-256 of who>  STRING, attempts so far
-- ARGV[1]  most attempts
-- ARGV[2]  ms the count lasts from the first attempt
-- returns  0 the attempt may be made, else ms until the next one may
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('SET', KEYS[1], 1, 'PX', ARGV[2])
  return 0
end
if tonumber(redis.call('GET', KEYS[1])) >= tonumber(ARGV[1]) then return math.max(left, 1) end
redis.call('INCR', KEYS[1])
return 0
"""
)

GIVE_BACK = Script(
    """
-- KEYS[1]  tries:<what>:<SHA-256 of who>  STRING, attempts so far
-- returns  attempts left in the count
local count = tonumber(redis.call('GET', KEYS[1]) or 0)
if count <= 0 then return 0 end
return redis.call('DECR', KEYS[1])
"""
)


class RedisAttempts:
    """`Attempts` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def take(self, what: str, who: str, at_most: int, seconds: int) -> float | None:
        wait = cast("int", TAKE.run(self._redis, [keys.attempts(what, who)], [at_most, seconds * 1000]))
        return wait / 1000 if wait else None

    @reaching_the_store()
    def give_back(self, what: str, who: str) -> None:
        GIVE_BACK.run(self._redis, [keys.attempts(what, who)])
