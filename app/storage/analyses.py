"""Analyses on Redis: one hash beside each table, whose keys expire together.

A field's name begins with the format of what is kept, so that nobody reads what another version of the service wrote.
"""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from msgspec.msgpack import Decoder, Encoder
from redis import Redis

from app.analysis.ports import Asked, Begun, Kept
from app.analysis.shapes import HandAnalysis, MoveAnalysis
from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.moments import from_ms, moment_of
from app.storage.script import Script
from app.tables.ports import TableNotFound

FORMAT = 1
"""To be raised when `HandAnalysis` or `MoveAnalysis` lose or gain a field."""

ASK = Script(
    """
-- KEYS[1]  {t:ID}:table     HASH
-- KEYS[2]  {t:ID}:analyses  HASH
-- ARGV[1]  FORMAT:HAND:, with which the names of its fields begin
-- ARGV[2]  ms nothing may have been heard of it
-- ARGV[3]  1: also where nobody has asked yet, or it has failed
-- returns  1 asked anew, 2 asked again, 0 known, -1 there is no such table
local left = redis.call('PTTL', KEYS[1])
if left == -2 then return -1 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function field(name) return ARGV[1] .. name end
if redis.call('HEXISTS', KEYS[2], field('asked')) == 0 or redis.call('HEXISTS', KEYS[2], field('failed')) == 1 then
  if ARGV[3] ~= '1' then return 0 end
  for _, name in ipairs({'failed', 'tries', 'count', 'moves', 'done'}) do redis.call('HDEL', KEYS[2], field(name)) end
  redis.call('HSET', KEYS[2], field('asked'), now, field('heard'), now)
  if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
  return 1
end
if redis.call('HEXISTS', KEYS[2], field('ready')) == 1 then return 0 end
if now - tonumber(redis.call('HGET', KEYS[2], field('heard'))) < tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[2], field('heard'), now)
return 2
"""
)

BEGIN = Script(
    """
-- KEYS[1]  {t:ID}:analyses  HASH
-- ARGV[1]  FORMAT:HAND:
-- returns  {tries, what is done (empty: nothing)}; nothing if there is no work
local function field(name) return ARGV[1] .. name end
if redis.call('HEXISTS', KEYS[1], field('asked')) == 0 then return false end
for _, name in ipairs({'ready', 'failed'}) do
  if redis.call('HEXISTS', KEYS[1], field(name)) == 1 then return false end
end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], field('heard'), time[1] * 1000 + math.floor(time[2] / 1000))
return {redis.call('HINCRBY', KEYS[1], field('tries'), 1), redis.call('HGET', KEYS[1], field('done')) or ''}
"""
)

KEEP = Script(
    """
-- KEYS[1]  {t:ID}:analyses  HASH
-- ARGV[1]  FORMAT:HAND:
-- ARGV[2]  moves that are done
-- ARGV[3]  moves of the hand
-- ARGV[4]  what is done, msgpack
-- returns  1 kept, 0 there is no work, or as much was done before
local function field(name) return ARGV[1] .. name end
if redis.call('HEXISTS', KEYS[1], field('asked')) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[1], field('ready')) == 1 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], field('count')) or 0) >= tonumber(ARGV[2]) then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], field('heard'), time[1] * 1000 + math.floor(time[2] / 1000), field('tries'), 0,
  field('count'), ARGV[2], field('moves'), ARGV[3], field('done'), ARGV[4])
return 1
"""
)

CONCLUDE = Script(
    """
-- KEYS[1]  {t:ID}:analyses  HASH
-- ARGV[1]  FORMAT:HAND:
-- ARGV[2]  the analysis, msgpack; empty: it has failed
-- returns  1 kept, 0 nobody has asked for it, or it was ready before
local function field(name) return ARGV[1] .. name end
if redis.call('HEXISTS', KEYS[1], field('asked')) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[1], field('ready')) == 1 then return 0 end
for _, name in ipairs({'failed', 'tries', 'count', 'moves', 'done'}) do redis.call('HDEL', KEYS[1], field(name)) end
if ARGV[2] == '' then
  redis.call('HSET', KEYS[1], field('failed'), 1)
  return 1
end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], field('ready'), time[1] * 1000 + math.floor(time[2] / 1000), field('analysis'), ARGV[2])
return 1
"""
)

_FIELDS = ("asked", "heard", "count", "moves", "ready", "failed", "analysis")
_SAID: dict[object, Asked] = {0: "known", 1: "anew", 2: "again"}


class RedisAnalyses:
    """`AnalysisStore` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._encode = Encoder().encode
        self._done = Decoder(tuple[MoveAnalysis, ...])
        self._analysis = Decoder(HandAnalysis)

    @reaching_the_store()
    def look(self, table_id: str, hand: int) -> Kept | None:
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hmget(keys.analyses(table_id), [f"{_begin(hand)}{name}" for name in _FIELDS])
            pipeline.time()
            kept, time = pipeline.execute()
        asked, heard, count, moves, ready, failed, analysis = cast("list[bytes | None]", kept)
        if asked is None or heard is None:
            return None
        return Kept(
            asked_at=from_ms(asked),
            heard_at=from_ms(heard),
            now=moment_of(time),
            done=int(count or 0),
            moves=int(moves or 0),
            ready_at=None if ready is None else from_ms(ready),
            failed=failed is not None,
            analysis=None if analysis is None else self._analysis.decode(analysis),
        )

    @reaching_the_store()
    def ask(self, table_id: str, hand: int, patience: timedelta, *, anew: bool) -> Asked:
        arguments: list[str | bytes | int] = [_begin(hand), int(patience / timedelta(milliseconds=1)), int(anew)]
        answer = ASK.run(self._redis, [keys.table(table_id), keys.analyses(table_id)], arguments)
        if answer == -1:
            raise TableNotFound(table_id)
        return _SAID[answer]

    @reaching_the_store()
    def begin(self, table_id: str, hand: int) -> Begun | None:
        answer = cast("tuple[int, bytes] | None", BEGIN.run(self._redis, [keys.analyses(table_id)], [_begin(hand)]))
        if answer is None:
            return None
        tries, done = answer
        return Begun(done=self._done.decode(done) if done else (), tries=tries)

    @reaching_the_store()
    def keep(self, table_id: str, hand: int, done: tuple[MoveAnalysis, ...], moves: int) -> None:
        KEEP.run(self._redis, [keys.analyses(table_id)], [_begin(hand), len(done), moves, self._encode(done)])

    @reaching_the_store()
    def conclude(self, table_id: str, hand: int, analysis: HandAnalysis) -> None:
        CONCLUDE.run(self._redis, [keys.analyses(table_id)], [_begin(hand), self._encode(analysis)])

    @reaching_the_store()
    def fail(self, table_id: str, hand: int) -> None:
        CONCLUDE.run(self._redis, [keys.analyses(table_id)], [_begin(hand), ""])


def _begin(hand: int) -> str:
    return f"{FORMAT}:{hand}:"
