"""Records of players on Redis: one hash and one board a pool, all keys of a pool together, one script a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import cast

from msgspec.json import Decoder, Encoder
from msgspec.structs import replace
from redis import Redis

from app.standing.pools import Pool
from app.standing.ports import Ranked, Written
from app.standing.record import Record
from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.cursor import OF_BOARD, Place
from app.storage.script import Script
from app.tables.views import KEEP_RUNNING

BOOKED_FOR = int(KEEP_RUNNING / timedelta(milliseconds=1))
"""Milliseconds the mark of a booked game is kept: the finished table itself goes long before, and nothing without it
can be booked."""

BOOK = Script(
    """
-- KEYS[1]  {s:POOL}:records          HASH id -> VERSION:record
-- KEYS[2]  {s:POOL}:board            ZSET of ids by rating
-- KEYS[3]  {s:POOL}:booked:<table>   STRING
-- ARGV[1]  ms the mark is kept
-- ARGV[2] and on, four for each record: id, version it must have (0: none), new value, rating (empty: not listed)
-- returns  1 written, 2 this game was booked before, 0 a record has moved on
if redis.call('EXISTS', KEYS[3]) == 1 then return 2 end
for i = 2, #ARGV, 4 do
  local kept = redis.call('HGET', KEYS[1], ARGV[i])
  local version = kept and string.match(kept, '^(%d+):') or '0'
  if version ~= ARGV[i + 1] then return 0 end
end
for i = 2, #ARGV, 4 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
  if ARGV[i + 3] ~= '' then redis.call('ZADD', KEYS[2], ARGV[i + 3], ARGV[i]) end
end
redis.call('SET', KEYS[3], '1', 'PX', ARGV[1])
return 1
"""
)

_SAID: dict[object, Written] = {0: "moved_on", 1: "written", 2: "already"}


class RedisStanding:
    """`StandingStore` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._encoder = Encoder()
        self._decoder = Decoder(Record)

    @reaching_the_store()
    def records(self, pool: Pool, ids: Sequence[str]) -> Mapping[str, Record]:
        asked = list(dict.fromkeys(ids))
        if not asked:
            return {}
        kept = cast("list[bytes | None]", self._redis.hmget(keys.records(_name(pool)), asked))
        return {one: self._read(value) for one, value in zip(asked, kept, strict=True) if value is not None}

    @reaching_the_store()
    def write(self, pool: Pool, table_id: str, records: Mapping[str, Record]) -> Written:
        """Sent again after its answer got lost it answers `already`: it had been written."""
        name = _name(pool)
        arguments: list[str | bytes | int] = [BOOKED_FOR]
        for entry_id, record in records.items():
            value = f"{record.version}:".encode() + self._encoder.encode(replace(record, version=0))
            arguments += [entry_id, record.version - 1, value, record.rating if record.is_listed else ""]
        marks = [keys.records(name), keys.board(name), keys.booked(name, table_id)]
        return _SAID[BOOK.run(self._redis, marks, arguments)]

    @reaching_the_store()
    def of(self, entry_id: str, pools: Sequence[Pool]) -> Mapping[Pool, Ranked]:
        with self._redis.pipeline(transaction=False) as pipeline:
            for pool in pools:
                pipeline.hget(keys.records(_name(pool)), entry_id)
            kept = pipeline.execute()
        found = {pool: self._read(value) for pool, value in zip(pools, kept, strict=True) if value is not None}
        listed = {pool: record.rating for pool, record in found.items() if record.is_listed}
        with self._redis.pipeline(transaction=False) as pipeline:
            for pool, rating in listed.items():
                pipeline.zcount(keys.board(_name(pool)), f"({rating}", "+inf")
            ranks = dict(zip(listed, pipeline.execute(), strict=True))
        return {
            pool: Ranked(id=entry_id, record=record, rank=ranks[pool] + 1 if pool in ranks else None)
            for pool, record in found.items()
        }

    @reaching_the_store()
    def board(self, pool: Pool, limit: int, cursor: str | None) -> tuple[Sequence[Ranked], str | None]:
        """Ranks and records are read after the page: a page read while games are booked may show newer numbers."""
        below = None if cursor is None else OF_BOARD.place_of(cursor)
        key = keys.board(_name(pool))
        places = self._below(key, below, limit + 1)
        shown = places[:limit]
        with self._redis.pipeline(transaction=False) as pipeline:
            for rating, entry_id in shown:
                pipeline.zcount(key, f"({rating}", "+inf")
                pipeline.hget(keys.records(_name(pool)), entry_id)
            answers = pipeline.execute()
        page = [
            Ranked(id=entry_id, record=self._read(kept), rank=better + 1)
            for (_, entry_id), better, kept in zip(shown, answers[::2], answers[1::2], strict=True)
            if kept is not None
        ]
        return page, OF_BOARD.cursor_of(shown[-1]) if len(places) > limit else None

    @reaching_the_store()
    def forget(self, entry_id: str, pools: Sequence[Pool]) -> None:
        with self._redis.pipeline(transaction=False) as pipeline:
            for pool in pools:
                pipeline.zrem(keys.board(_name(pool)), entry_id)
                pipeline.hdel(keys.records(_name(pool)), entry_id)
            pipeline.execute()

    def _below(self, key: str, place: Place | None, number: int) -> list[Place]:
        """Up to `number` places below this one, best first; where ratings are equal the ids decide."""
        highest: int | str = "+inf" if place is None else place[0]
        found: list[Place] = []
        start = 0
        while len(found) < number:
            answer = self._redis.zrevrangebyscore(key, highest, "-inf", start=start, num=number, withscores=True)
            entries = [(int(score), one.decode()) for one, score in cast("list[tuple[bytes, float]]", answer)]
            if not entries:
                break
            found += [at for at in entries if place is None or at < place]
            start += number
        return found[:number]

    def _read(self, kept: bytes) -> Record:
        version, _, value = kept.partition(b":")
        return replace(self._decoder.decode(value), version=int(version))


def _name(pool: Pool) -> str:
    return f"{pool.ruleset}:{pool.group}"
