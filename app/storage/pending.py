"""Finished games that are still to be booked: a sorted set of tables by the moment to ask a worker (again).

An entry is written before the step that ends the game, and removed once the game is booked: it may be early or left
over, never lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from redis import Redis
from redis.client import Pipeline

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.due import TAKE
from app.storage.moments import EPOCH, in_ms
from app.tables.ports import Step
from app.tables.rated import ends_a_game

ASKED_AT_ONCE = 10_000
"""Milliseconds a worker has that was asked when the game ended; then it is asked again."""
ASKED_AGAIN = 60_000
"""Milliseconds between two further tries."""


class RedisPending:
    """`PendingGames` on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def expect(self, step: Step, pipeline: Pipeline) -> None:
        """Add to a pipeline, to run before the step is written: the game it ends, if it ends one."""
        if ends_a_game(step.table, step.events):
            at = max((event.at for event in step.events if event.at is not None), default=EPOCH)
            pipeline.zadd(keys.PENDING, {step.table.id: in_ms(at) + ASKED_AT_ONCE})

    @reaching_the_store()
    def take(self, limit: int) -> Sequence[str]:
        ready = cast("list[bytes]", TAKE.run(self._redis, [keys.PENDING], [limit, ASKED_AGAIN]))
        return [table_id.decode() for table_id in ready]

    @reaching_the_store()
    def remove(self, table_id: str) -> None:
        self._redis.zrem(keys.PENDING, table_id)

    @reaching_the_store()
    def count(self) -> int:
        """Games that are still to be booked."""
        return self._redis.zcard(keys.PENDING)
