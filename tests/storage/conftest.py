"""A server for the whole run, cleaned before and after each test; stores on it, and their twins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from app.storage.attempts import RedisAttempts
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.pending import RedisPending
from app.storage.players import RedisPlayers
from app.storage.standing import RedisStanding
from app.storage.tables import RedisTables
from app.storage.tickets import RedisTickets
from app.tables.log import replay
from tests.storage.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server this test may kill and break."""
    server = Server(tmp_path / "valkey")
    server.start()
    yield server
    server.kill()


@pytest.fixture
def redis(server: Server) -> Iterator[Redis]:
    client = connect(server.url)
    client.flushall()
    yield client
    client.flushall()
    client.close()


@pytest.fixture
def due(redis: Redis) -> RedisDue:
    return RedisDue(redis)


@pytest.fixture
def tables(redis: Redis, due: RedisDue, server: Server) -> Iterator[RedisTables]:
    listening = connect(server.url)
    tables = RedisTables(redis, due, listening=listening, refold=replay)
    yield tables
    tables.stop_waiting()
    listening.close()


@pytest.fixture
def standing(redis: Redis) -> RedisStanding:
    return RedisStanding(redis)


@pytest.fixture
def pending(redis: Redis) -> RedisPending:
    return RedisPending(redis)


@pytest.fixture
def players(redis: Redis) -> RedisPlayers:
    return RedisPlayers(redis)


@pytest.fixture
def attempts(redis: Redis) -> RedisAttempts:
    return RedisAttempts(redis)


@pytest.fixture
def tickets(redis: Redis, server: Server) -> Iterator[RedisTickets]:
    listening = connect(server.url)
    tickets = RedisTickets(redis, listening=listening)
    yield tickets
    tickets.doorbell.stop()
    listening.close()
