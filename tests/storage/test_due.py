"""Entries may be early or double, never lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import OutOfMemoryError

from app.storage import keys
from app.storage.due import TAKEN_FOR, RedisDue
from app.storage.tables import RedisTables
from tests.storage.steps import host, opened, then


class Died(BaseException):
    """The process is gone."""


def sends_only_its_first(pipeline: Pipeline, raise_on_error: bool = True) -> None:
    """Stands in for `Pipeline.execute` in a process that is killed while it writes."""
    redis = Redis(connection_pool=pipeline.connection_pool)
    redis.execute_command(*pipeline.command_stack[0][0])  # type: ignore[no-untyped-call]
    raise Died


def test_the_entry_is_there_before_the_step(
    tables: RedisTables, redis: Redis, due: RedisDue, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened("T1")
    tables.commit(first)
    step = then(first.table, host("bob"), due=tables.now() - timedelta(seconds=1))
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "execute", sends_only_its_first)
        with pytest.raises(Died):
            tables.commit(step)
    assert tables.load("T1").table.version == 1
    assert list(due.take(10)) == [("T1", 2)]
    assert tables.commit(step) is True
    assert list(due.take(10)) == [("T1", 2)]


def test_an_entry_removed_between_the_two_writes_is_there_again(
    tables: RedisTables, redis: Redis, due: RedisDue
) -> None:
    first = opened("T1")
    tables.commit(first)
    now = tables.now() - timedelta(seconds=1)
    due.add("T1", 2, now)
    due.remove("T1", 2)
    tables.commit(then(first.table, host("bob"), due=now))
    assert list(due.take(10)) == [("T1", 2)]


def test_an_entry_the_store_refused_while_it_took_the_step_is_written_once_more(
    tables: RedisTables, due: RedisDue, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Pipeline.execute

    def full_for_entries(pipeline: Pipeline, raise_on_error: bool = True) -> list[object]:
        answers = send(pipeline, raise_on_error)
        if not raise_on_error:
            redis.delete(*(keys.due(shard) for shard in range(keys.DUE_SHARDS)))
            answers[-1] = OutOfMemoryError()
        return answers

    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "execute", full_for_entries)
        assert tables.commit(opened("T1", due=tables.now() - timedelta(seconds=1))) is True
    assert list(due.take(10)) == [("T1", 1)]


def test_entries_of_all_shards_are_taken_earliest_first_within_each(due: RedisDue, tables: RedisTables) -> None:
    now = tables.now()
    for number in range(100):
        due.add(f"T{number}", 1, now - timedelta(seconds=number + 1))
    assert {keys.due_shard(f"T{number}") for number in range(100)} == set(range(keys.DUE_SHARDS))
    first = [entry for entry, _ in due.take(4 * keys.DUE_SHARDS)]
    assert len(first) == 4 * keys.DUE_SHARDS
    rest = [entry for entry, _ in due.take(1000)]
    assert sorted(first + rest) == sorted(f"T{number}" for number in range(100))
    for shard in range(keys.DUE_SHARDS):
        in_shard = [int(entry[1:]) for entry in first if keys.due_shard(entry) == shard]
        assert in_shard == sorted(in_shard, reverse=True)


def test_a_taken_entry_comes_again_two_seconds_later(due: RedisDue, tables: RedisTables, redis: Redis) -> None:
    now = tables.now()
    due.add("T1", 1, now - timedelta(seconds=60))
    due.take(10)
    at = redis.zscore(keys.due(keys.due_shard("T1")), "T1:1")
    assert isinstance(at, float)
    assert at // 1 >= now.timestamp() * 1000 // 1 + TAKEN_FOR
    assert list(due.take(10)) == []


def test_taking_works_when_the_server_forgot_the_script(due: RedisDue, tables: RedisTables, redis: Redis) -> None:
    due.add("T1", 1, tables.now() - timedelta(seconds=1))
    redis.script_flush()
    assert list(due.take(10)) == [("T1", 1)]
