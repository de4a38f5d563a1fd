"""Steps that count once a replica has them: waiting for one, and noting what one is known to have."""

from __future__ import annotations

from redis import Redis
from redis.client import Pipeline

from app.storage import keys
from app.storage.table_scripts import CONFIRM
from app.tables.ports import StoreUnavailable

REPLICA_WITHIN = 1_000
"""Milliseconds a commit waits for a replica, where it waits for one."""


class Replicas:
    """What replicas have of each table, where that is `needed`."""

    def __init__(self, redis: Redis, *, needed: bool) -> None:
        self._redis = redis
        self.needed = needed

    def await_one(self, pipeline: Pipeline) -> None:
        """Ask, as the last command of a pipeline, how many replicas have what its connection wrote."""
        pipeline.wait(1, REPLICA_WITHIN)

    def make_sure(self, table_id: str, version: bytes, confirmed: bytes | None) -> None:
        """Where replicas count, let nobody see a version that no replica is known to have.

        Raises:
            StoreUnavailable: no replica has it in time.
        """
        if self.needed and (confirmed is None or int(confirmed) < int(version)):
            with self._redis.pipeline(transaction=False) as pipeline:
                # `WAIT` counts from this connection's own last write, so there has to be one.
                pipeline.set(keys.awaited(table_id), version, px=REPLICA_WITHIN)
                self.await_one(pipeline)
                _, replicas = pipeline.execute()
            self.confirm(table_id, int(version), replicas)

    def confirm(self, table_id: str, version: int, replicas: object, players_told: str = "") -> None:
        """A replica has everything up to this version: note it and ring. `replicas`: the answer to `await_one`.

        Raises:
            StoreUnavailable: none has. The version is there, and may still be lost with the primary.
        """
        if isinstance(replicas, Exception):
            raise replicas
        if not replicas:
            raise StoreUnavailable("no replica has this step yet")
        news = f"{table_id}:{version}{players_told}"
        CONFIRM.run(self._redis, [keys.table(table_id)], [version, keys.DOORBELL, news])
