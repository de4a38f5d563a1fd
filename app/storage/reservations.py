"""Players' own idempotency records on Redis: which request a key was used for, and what was answered."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from redis import Redis

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.moments import EPOCH
from app.storage.player_scripts import RELEASE, RESERVE, SETTLE
from app.tables.register import Reservation

RESERVED_FOR = 86_400_000
"""Milliseconds an idempotency record is kept."""
NOTED_FOR = 3_600_000
"""Milliseconds the key of a write at a table is known elsewhere."""
STALE_AFTER = 10_000
"""Milliseconds after which a request that has not finished may be finished by whoever retries."""


class RedisReservations:
    """The part of `PlayerRegister` that knows keys."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    @reaching_the_store()
    def reserve(self, player_id: str, key: str, digest: str, table_id: str) -> Reservation:
        """Take the key, or say who has it; a stale record of the same request passes to this one."""
        at_key = [keys.reservation(player_id, key), keys.key_noted(player_id, key)]
        answer = RESERVE.run(self._redis, at_key, [digest, table_id, RESERVED_FOR, STALE_AFTER])
        fresh, held_digest, held_table, stale, *done = cast("tuple[Any, ...]", answer)
        return _reservation(held_digest, held_table, *done, fresh=bool(fresh), stale=bool(stale))

    @reaching_the_store()
    def settle(self, player_id: str, key: str, at: datetime, after: int, said: bytes = b"") -> None:
        microseconds = (at - EPOCH) // timedelta(microseconds=1)
        SETTLE.run(self._redis, [keys.reservation(player_id, key)], [microseconds, after, said])

    @reaching_the_store()
    def release(self, player_id: str, key: str) -> None:
        """A record that is done stays: a slower twin of the request may come to another end."""
        RELEASE.run(self._redis, [keys.reservation(player_id, key)])

    @reaching_the_store()
    def key_used_for(self, player_id: str, key: str) -> Reservation | None:
        """One round trip."""
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hmget(keys.reservation(player_id, key), "digest", "table", "at", "after", "said")
            pipeline.get(keys.key_noted(player_id, key))
            (digest, table_id, *done), noted = pipeline.execute()
        if digest is None:
            return None if noted is None else _reservation(noted, b"", None, None, None)
        return _reservation(digest, table_id, *done)

    @reaching_the_store()
    def note_key(self, player_id: str, key: str, digest: str) -> None:
        self._redis.set(keys.key_noted(player_id, key), digest, px=NOTED_FOR)


def _reservation(
    digest: bytes,
    table_id: bytes,
    at: bytes | None,
    after: bytes | None,
    said: bytes | None,
    *,
    fresh: bool = False,
    stale: bool = False,
) -> Reservation:
    return Reservation(
        digest=digest.decode(),
        table_id=table_id.decode(),
        done=at is not None,
        fresh=fresh,
        stale=stale,
        at=None if at is None else EPOCH + timedelta(microseconds=int(at)),
        after=None if after is None else int(after),
        said=said,
    )
