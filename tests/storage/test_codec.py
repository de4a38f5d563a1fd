"""The log is for ever; a state of another shape is folded from it anew."""

from __future__ import annotations

import pytest
from redis import Redis

from app.storage import keys
from app.storage.codec import SCHEMA
from app.storage.tables import LOG_PAGE, RedisTables
from tests.storage.steps import host, opened, receipt, sits, then


@pytest.mark.parametrize(
    "stored", [{"schema": SCHEMA + 1}, {"schema": ""}, {"state": b"\xc1"}, {"state": b"\x80"}, {"schema": SCHEMA - 1}]
)
def test_a_state_of_another_schema_is_folded_from_the_log(
    tables: RedisTables, redis: Redis, stored: dict[str, bytes | int]
) -> None:
    step = opened("T1")
    tables.commit(step)
    step = then(step.table, sits("bob"), receipts=[receipt("k", 1, 2)])
    tables.commit(step)
    redis.hset(keys.table("T1"), mapping=stored)  # type: ignore[arg-type]
    loaded = tables.load("T1")
    assert loaded.table == step.table
    assert loaded.receipts == step.receipts
    assert tables.commit(then(loaded.table, host("bob"))) is True
    assert redis.hget(keys.table("T1"), "schema") == str(SCHEMA).encode()


@pytest.mark.parametrize("field", ["schema", "state"])
def test_a_state_that_is_missing_is_folded_from_the_log(tables: RedisTables, redis: Redis, field: str) -> None:
    step = opened("T1")
    tables.commit(step)
    redis.hdel(keys.table("T1"), field)
    assert tables.load("T1").table == step.table


def test_a_long_log_is_folded_in_pages(tables: RedisTables, redis: Redis) -> None:
    step = opened("T1")
    tables.commit(step)
    step = then(step.table, *[host("bob")] * (LOG_PAGE * 2))
    tables.commit(step)
    redis.hset(keys.table("T1"), "schema", SCHEMA + 1)
    assert tables.load("T1").table == step.table
