"""Who streams a table is there, for as long as the stream lasts and a little longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from redis import Redis

from app.storage import keys
from app.storage.tables import RedisTables
from tests.storage.steps import opened

LONG = 30.0
"""Seconds nothing here takes."""


def eventually(claim: Callable[[], object]) -> None:
    ends = time.monotonic() + LONG
    while not claim():
        assert time.monotonic() < ends
        threading.Event().wait(0.01)


def test_a_stream_says_again_that_its_player_is_there_until_it_is_closed(
    tables: RedisTables, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.presence.AGAIN_EVERY", 0.01)
    tables.commit(opened("T1"))
    tables.commit(opened("T2"))
    with tables.watch("T1") as one, tables.watch("T1") as same, tables.watch("T2") as spectator:
        assert one.glance(1).seen.keys() == {1}
        assert same.glance(1).seen.keys() == {1}
        assert spectator.glance(None).seen == {}
        for _ in range(2):
            redis.delete(keys.seen("T1"))
            redis.script_flush()
            eventually(lambda: redis.hexists(keys.seen("T1"), "1"))
        assert one.glance(0).seen.keys() == {0, 1}, "he has moved to another seat"
    assert tables._presence._here == {}
    threading.Event().wait(0.1)
    redis.delete(keys.seen("T1"))
    threading.Event().wait(0.1)
    assert not redis.exists(keys.seen("T1"))


def test_more_seats_than_go_in_one_round_trip(
    tables: RedisTables, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.presence.AGAIN_EVERY", 0.01)
    monkeypatch.setattr("app.storage.presence.AT_ONCE", 2)
    for number in range(5):
        tables.commit(opened(f"T{number}"))
        tables._presence.look(f"T{number}", 0, object())
    for number in range(5):
        redis.delete(keys.seen(f"T{number}"))
    eventually(lambda: all(redis.exists(keys.seen(f"T{number}")) for number in range(5)))
