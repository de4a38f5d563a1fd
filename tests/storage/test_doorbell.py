"""Whoever waits is woken by the next commit, whatever happens to the subscription meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.tables import RedisTables
from app.tables.log import replay
from app.tables.ports import StoreUnavailable
from tests.storage.server import Server
from tests.storage.steps import host, opened, then

LONG = 30.0
"""Seconds nothing here takes."""


@pytest.fixture
def own_tables(own_server: Server) -> Iterator[RedisTables]:
    client = connect(own_server.url)
    listening = connect(own_server.url)
    tables = RedisTables(client, RedisDue(client), listening=listening, refold=replay)
    yield tables
    tables.doorbell.stop()
    client.close()
    listening.close()


def eventually(claim: Callable[[], bool]) -> None:
    until = time.monotonic() + LONG
    while not claim():
        assert time.monotonic() < until
        time.sleep(0.01)


def subscribed(redis: Redis) -> bool:
    return dict(redis.pubsub_numsub(keys.DOORBELL))[keys.DOORBELL.encode()] > 0


def test_a_commit_of_another_process_wakes_all_who_wait_at_that_table(
    tables: RedisTables, redis: Redis, server: Server
) -> None:
    first = opened("T1")
    tables.commit(first)
    tables.commit(opened("T2"))
    elsewhere = connect(server.url)
    other = RedisTables(elsewhere, RedisDue(elsewhere), listening=elsewhere, refold=replay)
    with ThreadPoolExecutor(201) as pool:
        waiting = [pool.submit(tables.wait, "T1", 1, LONG) for _ in range(200)]
        stranger = pool.submit(tables.wait, "T2", 1, LONG)
        eventually(lambda: tables.doorbell.waiting == 201)
        other.commit(then(first.table, host("bob")))
        assert all(waiter.result(LONG) for waiter in waiting)
        assert not stranger.done()
        tables.doorbell.stop()
        assert stranger.result(LONG) is False
    assert tables.doorbell.waiting == 0
    elsewhere.close()


def test_all_wake_though_the_store_was_restarted_meanwhile(own_tables: RedisTables, own_server: Server) -> None:
    first = opened("T1")
    own_tables.commit(first)
    at_the_door = threading.Barrier(201)

    def wait() -> bool:
        with own_tables.watch("T1") as watch:
            watch.wait(1, 0)
            at_the_door.wait(LONG)
            return watch.wait(1, LONG)

    with ThreadPoolExecutor(200) as pool:
        waiting = [pool.submit(wait) for _ in range(200)]
        at_the_door.wait(LONG)
        own_server.restart()
        own_tables.commit(then(first.table, host("bob")))
        assert all(waiter.result(LONG) for waiter in waiting)


def test_a_ring_that_was_missed_is_made_up_for_when_the_subscription_is_renewed(
    own_tables: RedisTables, own_server: Server
) -> None:
    first = opened("T1")
    own_tables.commit(first)
    client = connect(own_server.url)
    deaf = RedisTables(client, RedisDue(client), listening=connect("redis://127.0.0.1:1/0"), refold=replay)
    with ThreadPoolExecutor(1) as pool:
        waiter: Future[bool] = pool.submit(deaf.wait, "T1", 1, LONG)
        eventually(lambda: deaf.doorbell.waiting == 1)
        own_tables.commit(then(first.table, host("bob")))
        deaf.doorbell._redis = client  # the road to the store is open again
        assert waiter.result(LONG) is True
    deaf.doorbell.stop()
    client.close()


def test_without_any_subscription_the_version_is_read_now_and_then(
    tables: RedisTables, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.watch.READ_AGAIN", 0.05)
    first = opened("T1")
    tables.commit(first)
    deaf = RedisTables(redis, RedisDue(redis), listening=connect("redis://127.0.0.1:1/0"), refold=replay)
    with ThreadPoolExecutor(1) as pool:
        waiter = pool.submit(deaf.wait, "T1", 1, LONG)
        tables.commit(then(first.table, host("bob")))
        assert waiter.result(LONG) is True
    deaf.doorbell.stop()


def test_a_watch_is_used_again_and_again(tables: RedisTables) -> None:
    table = opened("T1").table
    tables.commit(opened("T1"))
    with tables.watch("T1") as watch:
        for version in range(1, 20):
            step = then(table, host("bob"))
            ringer = threading.Timer(0.002, tables.commit, [step])
            ringer.start()
            assert watch.wait(version, LONG) is True
            ringer.join()
            table = step.table
        assert watch.wait(20, 0.01) is False
    assert tables.doorbell.waiting == 0


def test_who_comes_while_the_store_is_away_hears_so(own_tables: RedisTables, own_server: Server) -> None:
    own_tables.commit(opened("T1"))
    own_server.kill()
    with pytest.raises(StoreUnavailable):
        own_tables.wait("T1", 1, LONG)
    assert own_tables.doorbell.waiting == 0


def test_who_comes_after_the_stop_does_not_wait(tables: RedisTables) -> None:
    tables.commit(opened("T1"))
    tables.doorbell.stop()
    assert tables.wait("T1", 1, LONG) is False


def test_a_forked_process_listens_for_itself(tables: RedisTables) -> None:
    """In a process of its own: the parent's subscription does not come along."""
    first = opened("T1")
    tables.commit(first)
    assert tables.wait("T1", 1, 0.01) is False
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, b"x")
        os._exit(0 if tables.wait("T1", 1, LONG) else 1)
    os.read(reading, 1)
    tables.commit(then(first.table, host("bob")))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_two_thousand_wait_in_one_process_under_gevent(tables: RedisTables, server: Server) -> None:
    first = opened("T1")
    tables.commit(first)
    script = Path(__file__).with_name("gevent_waiters.py")
    child = subprocess.Popen(
        [sys.executable, str(script), server.url, "2000"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert child.stdout is not None
    with child.stdout as told:
        assert told.readline() == "2000 waiting\n"
        tables.commit(then(first.table, host("bob")))
        assert told.readline() == "2000 woken\n"
        assert told.readline() == "0 waiting\n"
    assert child.wait(LONG) == 0


def test_a_player_who_is_there_again_stirs_those_who_have_looked(tables: RedisTables, server: Server) -> None:
    tables.commit(opened("T1"))
    elsewhere = connect(server.url)
    other = RedisTables(elsewhere, RedisDue(elsewhere), listening=elsewhere, refold=replay)
    with tables.watch("T1") as watch, tables.watch("T1") as long_poll:
        watch.wait(0, LONG)
        eventually(lambda: subscribed(elsewhere))
        assert watch.glance(0).seen.keys() == {0}
        with ThreadPoolExecutor(2) as pool:
            stirred = pool.submit(watch.wait, 1, LONG)
            undisturbed = pool.submit(long_poll.wait, 1, LONG)
            other.touch("T1", 0)  # he was there anyway
            other.touch("T1", 1)
            assert stirred.result(LONG) is False
            assert watch.glance(None).seen.keys() == {0, 1}
            assert not undisturbed.done()
            tables.doorbell.stop()
            assert undisturbed.result(LONG) is False
    elsewhere.close()
