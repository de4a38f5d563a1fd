"""Who is there: when each seat's player was last connected. It is no part of a table's version."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Sequence
from typing import TypeAlias, cast

from msgspec import Struct
from redis import Redis
from redis.exceptions import NoScriptError

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.script import Script
from app.tables.ports import StoreUnavailable
from app.tables.views import CONNECTED_FOR

AGAIN_EVERY = 5.0
"""Seconds between two times a process says who is there."""
AT_ONCE = 200
"""Seats in one round trip."""

Place: TypeAlias = tuple[str, int]
"""A table and a seat."""

log = logging.getLogger(__name__)

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
    """Reads and writes it on Redis.

    Streams are there for long, so one thread says it for all of this process's together, a few hundred in one go: said
    one by one they would keep a store that syncs each write busy with nothing else.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._begin()
        me = weakref.ref(self)

        def after_fork() -> None:
            presence = me()
            if presence is not None:
                presence._begin()  # noqa: SLF001

        os.register_at_fork(after_in_child=after_fork)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._here: dict[object, Place] = {}
        """The seat each stream is there for."""
        self._teller: threading.Thread | None = None
        self._stopping = threading.Event()

    @reaching_the_store()
    def touch(self, table_id: str, seat: int) -> None:
        """Note that this seat's player is there; whoever streams the table hears of it if he was away."""
        TOUCH.run(self._redis, *_touch(table_id, seat))

    @reaching_the_store()
    def look(self, table_id: str, seat: int | None, stream: object) -> Looked:
        """What there is to see, and if it is new, that this seat is there from now on until the stream leaves."""
        if seat is not None and self._here.get(stream) != (table_id, seat):
            self.touch(table_id, seat)
            self._stay(stream, (table_id, seat))
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hgetall(keys.seen(table_id))
            pipeline.hmget(keys.table(table_id), "version", "confirmed")
            pipeline.time()
            seen, (version, confirmed), time = pipeline.execute()
        return Looked(version, confirmed, cast("dict[bytes, bytes]", seen), time)

    def leave(self, stream: object) -> None:
        """The stream is closed; its player counts as connected a little longer."""
        with self._lock:
            self._here.pop(stream, None)

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()

    def _stay(self, stream: object, place: Place) -> None:
        with self._lock:
            self._here[stream] = place
            if self._teller is None:
                self._teller = threading.Thread(target=self._tell, name="presence", daemon=True)
                self._teller.start()

    def _tell(self) -> None:
        while not self._stopping.wait(AGAIN_EVERY):
            with self._lock:
                places = sorted(set(self._here.values()))
            try:
                for start in range(0, len(places), AT_ONCE):
                    self._touch_all(places[start : start + AT_ONCE])
            except StoreUnavailable:
                log.debug("who is there will be told later")

    @reaching_the_store()
    def _touch_all(self, places: Sequence[Place], *, in_full: bool = False) -> None:
        with self._redis.pipeline(transaction=False) as pipeline:
            for place in places:
                TOUCH.queue(pipeline, *_touch(*place), in_full=in_full)
            try:
                pipeline.execute()
            except NoScriptError:
                self._touch_all(places, in_full=True)


def _touch(table_id: str, seat: int) -> tuple[list[str], list[str | bytes | int]]:
    away_after = int(CONNECTED_FOR.total_seconds() * 1000)
    arguments: list[str | bytes | int] = [seat, away_after, keys.DOORBELL, f"{table_id}:{keys.SEEN}"]
    return [keys.table(table_id), keys.seen(table_id)], arguments
