"""Workers and clocks as real processes: killed, doubled, ended; stores emptied and restarted under them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue

from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.queue import ADVANCE, RqQueue
from app.storage.tables import RedisTables
from app.tables.log import replay
from tests.storage.server import Server
from tests.storage.steps import host, opened, then
from tests.workers.conftest import Hands, eventually
from tests.workers.stand_in import BEGUN, GOAL, SLEEP, SPRUNG

TABLES = [f"T{number}" for number in range(5)]


@pytest.fixture
def queue_server(tmp_path: Path) -> Iterator[Server]:
    """The queues on a store of their own, which may be emptied."""
    server = Server(tmp_path / "queue")
    server.start()
    yield server
    server.kill()


def open_tables(tables: RedisTables, redis: Redis, goal: int) -> None:
    redis.set(GOAL, goal)
    for table_id in TABLES:
        tables.commit(opened(table_id, due=tables.now() + timedelta(milliseconds=50)))


def lowest(tables: RedisTables) -> int:
    return min(loaded.table.version for loaded in tables.load_many(TABLES))


def all_went_to(tables: RedisTables, goal: int) -> None:
    """Every table came to its goal, step by step, each step once."""
    eventually(lambda: lowest(tables) == goal)
    for table_id in TABLES:
        log = tables.events(table_id, 0, 10_000)
        assert replay(log) == tables.load(table_id).table
        assert [event.seq for event in log] == list(range(1, goal + 1))


def test_a_worker_and_a_clock_take_tables_to_their_goal(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    hands.start("worker")
    hands.start("clock")
    open_tables(tables, redis, 31)
    all_went_to(tables, 31)
    eventually(lambda: sum(redis.zcard(keys.due(shard)) for shard in range(keys.DUE_SHARDS)) == 0)
    assert Queue("due", connection=redis).failed_job_registry.count == 0


def test_killed_workers_and_clocks_lose_nothing_and_do_nothing_twice(
    hands: Hands, tables: RedisTables, redis: Redis
) -> None:
    open_tables(tables, redis, 61)
    worker, clock = hands.start("worker"), hands.start("clock")
    for reached, who in ((4, "worker"), (14, "clock"), (24, "both"), (34, "worker"), (44, "both")):
        eventually(lambda reached=reached: lowest(tables) >= reached)  # type: ignore[misc]
        if who in ("worker", "both"):
            hands.kill(worker)
            worker = hands.start("worker")
        if who in ("clock", "both"):
            hands.kill(clock)
            clock = hands.start("clock")
    all_went_to(tables, 61)


def test_two_clocks_and_two_workers_do_nothing_twice(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    for role in ("worker", "clock") * 2:
        hands.start(role)
    open_tables(tables, redis, 41)
    all_went_to(tables, 41)


def test_emptying_the_queue_store_loses_no_game(
    server: Server, queue_server: Server, tables: RedisTables, redis: Redis
) -> None:
    hands = Hands(server, queue_server)
    try:
        open_tables(tables, redis, 41)
        hands.start("worker")
        hands.start("clock")
        with connect(queue_server.url) as queues:
            for reached in (5, 15, 25):
                eventually(lambda reached=reached: lowest(tables) >= reached)  # type: ignore[misc]
                queues.flushall()
        all_went_to(tables, 41)
    finally:
        for child in list(hands.running):
            hands.kill(child)


def test_a_queue_store_that_is_away_stops_only_bots(
    server: Server, queue_server: Server, tables: RedisTables, redis: Redis
) -> None:
    hands = Hands(server, queue_server)
    try:
        redis.set(GOAL, 9)
        queue_server.kill()
        clock = hands.start("clock")
        hands.start("worker")
        table = opened("T1")
        tables.commit(table)
        tables.commit(then(table.table, host("bob"), due=tables.now()))
        eventually(lambda: tables.load("T1").table.version == 3)  # the clock's; the next is a bot's
        queue_server.start()
        eventually(lambda: tables.load("T1").table.version == 9)
        assert clock.poll() is None
    finally:
        for child in list(hands.running):
            hands.kill(child)


def test_everybody_outlives_a_restart_of_the_store(own_server: Server) -> None:
    hands = Hands(own_server, own_server)
    client = connect(own_server.url)
    tables = RedisTables(client, RedisDue(client), listening=client, refold=replay)
    try:
        open_tables(tables, client, 31)
        worker, clock = hands.start("worker"), hands.start("clock")
        for reached in (5, 15):
            eventually(lambda reached=reached: lowest(tables) >= reached)  # type: ignore[misc]
            own_server.restart()
        all_went_to(tables, 31)
        assert worker.poll() is None
        assert clock.poll() is None
        assert hands.end(worker) == hands.end(clock) == 0
    finally:
        for child in list(hands.running):
            hands.kill(child)
        client.close()


def test_a_worker_told_to_end_finishes_its_job(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    redis.set(GOAL, 2)
    redis.set(SLEEP, 0.5)
    tables.commit(opened("T1"))
    worker = hands.start("worker")
    RqQueue(redis).advance("T1", 1)
    eventually(lambda: redis.llen(BEGUN) == 1 and redis.get(SLEEP) is None)
    assert hands.end(worker) == 0
    assert tables.load("T1").table.version == 2


def test_an_idle_worker_told_to_end_ends(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    redis.set(GOAL, 2)
    tables.commit(opened("T1"))
    worker = hands.start("worker")
    RqQueue(redis).advance("T1", 1)
    eventually(lambda: tables.load("T1").table.version == 2)
    assert hands.end(worker) == 0
    assert redis.smembers("rq:workers") == set()


def test_a_clock_told_to_end_gives_its_lease_back(hands: Hands, redis: Redis) -> None:
    clock = hands.start("clock")
    eventually(lambda: redis.exists(keys.CLOCK_LEASE))
    assert hands.end(clock) == 0
    assert not redis.exists(keys.CLOCK_LEASE)


def test_a_clock_without_a_store_still_ends_when_told(own_server: Server) -> None:
    hands = Hands(own_server, own_server)
    clock = hands.start("clock")
    with connect(own_server.url) as client:
        eventually(lambda: client.exists(keys.CLOCK_LEASE))
    own_server.kill()
    assert hands.end(clock) == 0


def test_a_worker_runs_nothing_but_our_functions(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    """Whoever can write to the queue store still cannot make a worker run what he likes."""
    redis.set(GOAL, 2)
    tables.commit(opened("T1"))
    planted = Queue("due", connection=redis, serializer="json")
    trap = "tests.workers.stand_in.spring"
    for name, arguments in ((trap, ()), ("os.mkdir", ("x/y",)), (ADVANCE, ("T1", 1)), (ADVANCE, ("no", "such"))):
        job = planted.create_job(name, args=arguments)
        job._success_callback_name = job._failure_callback_name = trap
        planted.enqueue_job(job)
    hands.start("worker")
    eventually(lambda: tables.load("T1").table.version == 2)
    eventually(lambda: planted.count == 0 and planted.failed_job_registry.count >= 2)
    assert redis.lrange(SPRUNG, 0, -1) == []


def test_jobs_leave_nothing_behind(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    redis.set(GOAL, 2)
    tables.commit(opened("T1"))
    hands.start("worker")
    RqQueue(redis).advance("T1", 1)
    eventually(lambda: tables.load("T1").table.version == 2)
    eventually(lambda: redis.keys("rq:job:*") == [])
