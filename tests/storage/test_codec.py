"""The log is for ever; a state of another shape is folded from it anew."""

from __future__ import annotations

import pytest
from msgspec import json
from msgspec.structs import replace
from redis import Redis

from app.storage import keys
from app.storage.codec import SCHEMA, Codec
from app.storage.tables import LOG_PAGE, RedisTables
from app.tables.events import SeatTaken
from app.tables.seats import Occupant
from app.tables.terms import Clock
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


@pytest.mark.parametrize("clock", [Clock(), Clock(turn_seconds=60.0, bank_seconds=2.5, claim_seconds=7.0)])
def test_numbers_are_written_after_the_store_as_they_were_before_it(clock: Clock) -> None:
    """A client that sends its request again gets the same bytes: 60 is not 60.0 when it comes from the log."""
    (created,) = opened("T1").events
    seats = [SeatTaken(seat=0, occupant=Occupant(kind="house_bot", level="easy", forgetfulness=n)) for n in (0, 1.0)]
    codec = Codec()
    for event in (replace(created, clock=clock), *seats):
        first = json.encode(event)
        assert json.encode(codec.event(codec.encode(event))) == first
        assert b".0" not in first
