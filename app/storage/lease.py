"""The right to be the one active process of several; it runs out by itself when its holder dies."""

from __future__ import annotations

from secrets import token_hex

from redis import Redis

from app.storage.connection import reaching_the_store
from app.storage.script import Script

HOLD = Script(
    """
-- KEYS[1]  the lease  STRING, its holder's name
-- ARGV[1]  name of the asker
-- ARGV[2]  ms it lasts from now
-- returns  1 the asker has it, 0 somebody else has
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
)

RELEASE = Script(
    """
-- KEYS[1]  the lease  STRING, its holder's name
-- ARGV[1]  name of the asker
-- returns  1 given back, 0 it was not the asker's
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""
)


class Lease:
    """Held by at most one process at a time, as far as clocks can tell: whatever it guards must bear two."""

    def __init__(self, redis: Redis, key: str, lasts_ms: int) -> None:
        self._redis = redis
        self._key = key
        self._lasts_ms = lasts_ms
        self._name = token_hex(8)

    @reaching_the_store()
    def hold(self) -> bool:
        """Take it, or keep it for another while; False: somebody else has it."""
        return HOLD.run(self._redis, [self._key], [self._name, self._lasts_ms]) == 1

    @reaching_the_store()
    def release(self) -> None:
        """Give it back, if it is ours."""
        RELEASE.run(self._redis, [self._key], [self._name])
