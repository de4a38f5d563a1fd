"""Pools of tickets on Redis: one value each, changed by compare-and-set together with the records of its tickets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from msgspec.msgpack import Decoder, Encoder
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.doorbell import Doorbell
from app.storage.due import TAKE, TAKEN_FOR, entry_of, parsed, versions_of
from app.storage.moments import in_ms, moment_of
from app.storage.replicas import REPLICA_WITHIN
from app.storage.script import Script
from app.tables.pools import Pool, Ticket, pool_of
from app.tables.ports import LoadedPool, StoreUnavailable

KEPT = 86_400_000
"""Milliseconds a ticket's record is kept, and a pool that nobody changes."""

COMMIT = Script(
    """
-- KEYS[1]  {q:ID}:pool  HASH
-- KEYS[2] and on: {q:ID}:ticket:<id>  STRING, one for each record
-- ARGV[1]  version the pool must have; 0: it must not exist
-- ARGV[2]  version after the step
-- ARGV[3]  state, msgpack
-- ARGV[4]  ms everything is kept from now
-- ARGV[5]  pub/sub channel to ring
-- ARGV[6] and on: the records, msgpack, in the order of their keys; then what to say on the channel, one by one
-- returns  1 written, 0 the pool has moved on
if tonumber(redis.call('HGET', KEYS[1], 'version') or 0) ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
for i = 2, #KEYS do
  redis.call('SET', KEYS[i], ARGV[i + 4], 'PX', ARGV[4])
end
for i = #KEYS + 5, #ARGV do
  redis.call('PUBLISH', ARGV[5], ARGV[i])
end
return 1
"""
)


class RedisTickets:
    """`TicketStore` on Redis.

    A commit that was sent again after its answer got lost says that the pool has moved on; whoever hears that looks
    again, and finds his ticket where he wanted it.
    """

    def __init__(self, redis: Redis, *, listening: Redis, replicas: bool = False) -> None:
        """`listening`: a client for the subscription; `replicas`: a step counts once a replica has it."""
        self._redis = redis
        self._replicas = replicas
        self._encoder = Encoder()
        self._pools = Decoder(Pool)
        self._tickets = Decoder(Ticket)
        self.doorbell = Doorbell(listening, self._has_ended, channel=keys.TICKET_BELL)

    @reaching_the_store()
    def load(self, pool_id: str, ticket_id: str | None) -> LoadedPool:
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hget(keys.pool(pool_id), "state")
            pipeline.get(keys.ticket(pool_id, ticket_id or ""))
            pipeline.time()
            state, record, time = pipeline.execute()
        return LoadedPool(
            pool=None if state is None else self._pools.decode(state),
            ticket=None if record is None else self._tickets.decode(record),
            now=moment_of(time),
        )

    @reaching_the_store()
    def commit(self, pool: Pool, tickets: Sequence[Ticket], due: datetime | None) -> bool:
        answer, replicas = self._send(pool, tickets, due, in_full=False)
        if isinstance(answer, NoScriptError):
            answer, replicas = self._send(pool, tickets, due, in_full=True)
        if isinstance(answer, Exception):
            raise answer
        if self._replicas and answer and not replicas:
            raise StoreUnavailable("no replica has this step yet")
        return answer == 1

    def wait(self, ticket_id: str, seconds: float) -> bool:
        return self.doorbell.wait(ticket_id, 0, seconds)

    def stop_waiting(self) -> None:
        """Answer those who wait for their tickets; whoever comes later does not wait."""
        self.doorbell.stop()

    @reaching_the_store()
    def take_due(self, limit: int) -> Sequence[tuple[str, int]]:
        ready = cast("list[bytes]", TAKE.run(self._redis, [keys.POOLS_DUE], [limit, TAKEN_FOR]))
        return [parsed(entry) for entry in ready]

    @reaching_the_store()
    def remove_due(self, entries: Sequence[tuple[str, int]]) -> None:
        self._redis.zrem(keys.POOLS_DUE, *(entry_of(*entry) for entry in entries))

    @reaching_the_store()
    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]:
        return versions_of(pool_ids, keys.pool, self._redis)

    @reaching_the_store()
    def _has_ended(self, ticket_id: str) -> int:
        """1: the ticket does not wait any more; 0: it does."""
        record = cast("bytes | None", self._redis.get(keys.ticket(pool_of(ticket_id), ticket_id)))
        return int(record is None or self._tickets.decode(record).status != "waiting")

    def _send(
        self, pool: Pool, tickets: Sequence[Ticket], due: datetime | None, *, in_full: bool
    ) -> tuple[object, object]:
        """The script's answer, and how many replicas have the step (where they count)."""
        unmade = {group.table for group in pool.groups}
        ended = [ticket.id for ticket in tickets if ticket.status != "waiting" and ticket.table not in unmade]
        arguments: list[str | bytes | int] = [
            pool.version - 1,
            pool.version,
            self._encoder.encode(pool),
            KEPT,
            keys.TICKET_BELL,
            *(self._encoder.encode(ticket) for ticket in tickets),
            *(f"{ticket_id}:1" for ticket_id in ended),
        ]
        with self._redis.pipeline(transaction=False) as pipeline:
            self._add_due(pool, due, pipeline)
            script_at = len(pipeline)
            at = [keys.pool(pool.id), *(keys.ticket(pool.id, ticket.id) for ticket in tickets)]
            COMMIT.queue(pipeline, at, arguments, in_full=in_full)
            self._add_due(pool, due, pipeline)
            if self._replicas:
                pipeline.wait(1, REPLICA_WITHIN)
            answers = pipeline.execute(raise_on_error=False)
        return answers[script_at], answers[-1]

    def _add_due(self, pool: Pool, due: datetime | None, pipeline: Pipeline) -> None:
        if due is not None:
            pipeline.zadd(keys.POOLS_DUE, {entry_of(pool.id, pool.version): in_ms(due)}, lt=True)
