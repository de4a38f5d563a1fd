"""What was acknowledged is there after a crash; where a replica counts, nothing is shown before it has it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.tables import RedisTables
from app.tables.log import replay
from app.tables.ports import StoreUnavailable, TableNotFound
from tests.storage.server import Server
from tests.storage.steps import host, opened, receipt, then

LONG = 30.0
"""Seconds nothing here takes."""


def tables_on(client: Redis, *, replicas: bool = False) -> RedisTables:
    return RedisTables(client, RedisDue(client), listening=client, refold=replay, replicas=replicas)


def test_every_acknowledged_step_survives_a_kill(own_server: Server) -> None:
    client = connect(own_server.url)
    tables = tables_on(client)
    acknowledged: dict[str, int] = {}
    enough = threading.Event()

    def play(table_id: str) -> None:
        step = opened(table_id)
        try:
            while tables.commit(step):
                acknowledged[table_id] = step.table.version
                if step.table.version >= 50:
                    enough.set()
                step = then(step.table, host("bob"), due=tables.now())
        except StoreUnavailable:
            pass

    players = [threading.Thread(target=play, args=[f"T{number}"]) for number in range(4)]
    for player in players:
        player.start()
    assert enough.wait(LONG)
    own_server.kill()
    for player in players:
        player.join(LONG)
    own_server.start()
    assert len(acknowledged) == 4
    for table_id, version in acknowledged.items():
        table = tables.load(table_id).table
        assert version <= table.version <= version + 1  # the last one may be in doubt
        assert replay(tables.events(table_id, 0, 100_000)) == table
    due = RedisDue(client)
    assert {table_id for table_id, _ in due.take(100_000)} == set(acknowledged)
    client.close()


def test_a_store_that_is_away_or_lets_nobody_write_is_unavailable(own_server: Server) -> None:
    client = connect(own_server.url)
    tables = tables_on(client)
    first = opened("T1")
    tables.commit(first)
    client.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreUnavailable):
        tables.commit(then(first.table, host("bob")))
    client.replicaof("NO", "ONE")
    assert tables.commit(then(first.table, host("bob"))) is True
    own_server.kill()
    for use in (tables.now, lambda: tables.load("T1"), lambda: tables.listed("open", 1, None)):
        with pytest.raises(StoreUnavailable):
            use()
    own_server.start()
    assert tables.load("T1").table.version == 2
    client.close()


def test_a_store_that_does_not_let_us_in_is_unavailable(own_server: Server) -> None:
    with connect(own_server.url) as client:
        client.config_set("requirepass", "sesame")
    with connect(own_server.url) as stranger, pytest.raises(StoreUnavailable):
        tables_on(stranger).now()


@pytest.fixture
def replica(own_server: Server, tmp_path: Path) -> Iterator[Server]:
    with connect(own_server.url) as client:
        client.config_set("repl-diskless-sync-delay", 0)
        replica = Server(tmp_path / "replica", "--replicaof", f"127.0.0.1 {own_server.port}")
        replica.start()
        wait_for_replica(client)
    yield replica
    replica.kill()


def wait_for_replica(client: Redis) -> None:
    until = time.monotonic() + LONG
    while True:
        client.set("probe", 1)
        if client.wait(1, 500) == 1:
            return
        assert time.monotonic() < until


@pytest.fixture
def careful(own_server: Server, replica: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisTables]:
    """A store on which a step counts once the replica has it."""
    monkeypatch.setattr("app.storage.replicas.REPLICA_WITHIN", 500)
    client = connect(own_server.url)
    yield tables_on(client, replicas=True)
    client.close()


def test_a_step_the_replica_has_counts(careful: RedisTables, own_server: Server, replica: Server) -> None:
    first = opened("T1")
    assert careful.commit(first) is True
    assert careful.load("T1").table == first.table
    with connect(replica.url) as client:
        assert client.hget(keys.table("T1"), "version") == b"1"


def test_a_step_no_replica_has_is_neither_answered_nor_shown(
    careful: RedisTables, own_server: Server, replica: Server
) -> None:
    first = opened("T1")
    careful.commit(first)
    rung: list[bool] = []
    with careful.watch("T1") as watch:
        assert watch.wait(1, 0.01) is False
        replica.kill()
        waiter = threading.Thread(target=lambda: rung.append(watch.wait(1, LONG)))
        waiter.start()
        with pytest.raises(StoreUnavailable):
            careful.commit(then(first.table, host("bob"), receipts=[receipt("key", 1, 2)]))
        for look in (lambda: careful.load("T1"), lambda: careful.events("T1", 0, 10), lambda: careful.version("T1")):
            with pytest.raises(StoreUnavailable):
                look()
        assert rung == []
        replica.start()
        with connect(own_server.url) as client:
            wait_for_replica(client)
        waiter.join(LONG)
    assert rung == [True]
    assert careful.load("T1").receipts == (receipt("key", 1, 2),)
    careful.doorbell.stop()


def test_confirming_leaves_nothing_of_a_table_that_is_gone(careful: RedisTables, own_server: Server) -> None:
    first = opened("T1")
    careful.commit(first)
    with connect(own_server.url) as client:
        client.delete(*keys.of_table("T1"))
        careful._replicas.confirm("T1", 1, 1)
        with pytest.raises(TableNotFound):
            careful.load("T1")
        assert client.exists(*keys.of_table("T1")) == 0
