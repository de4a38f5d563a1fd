"""One step is one atomic change: all of it, once, for exactly one of those who try."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from app.storage import keys
from app.storage.analyses import RedisAnalyses
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.tables import RedisTables
from app.tables.events import TableEvent
from app.tables.log import replay
from app.tables.ports import ClientSeed, Step, StoreUnavailable, TableNotFound
from app.tables.premoves import PreMove
from tests.storage.proxy import Proxy
from tests.storage.server import Server
from tests.storage.steps import host, opened, receipt, sits, then


@pytest.fixture
def wire(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


@pytest.fixture
def far_tables(wire: Proxy, redis: Redis) -> Iterator[RedisTables]:
    """The store seen through the wire."""
    client = connect(wire.url)
    yield RedisTables(client, RedisDue(client), listening=client, refold=replay)
    client.close()


def test_of_sixteen_at_once_exactly_one_writes(tables: RedisTables) -> None:
    first = opened("T1")
    tables.commit(first)
    table = first.table
    together = threading.Barrier(16)
    with ThreadPoolExecutor(16) as pool:
        for _ in range(200):
            steps = [then(table, host(f"p{number}")) for number in range(16)]

            def attempt(number: int, steps: list[Step] = steps) -> bool:
                together.wait()
                return tables.commit(steps[number])

            wins = list(pool.map(attempt, range(16)))
            assert wins.count(True) == 1
            table = tables.load("T1").table
            assert table == steps[wins.index(True)].table
    assert table.version == 201
    assert replay(tables.events("T1", 0, 1000)) == table


def test_a_commit_whose_answer_got_lost_knows_itself(far_tables: RedisTables, wire: Proxy) -> None:
    first = opened("T1")
    far_tables.commit(first)
    wire.lose_answer(b"EVALSHA")
    assert far_tables.commit(then(first.table, sits("bob"), host("bob"))) is True
    assert wire.lost == 1
    assert [event.seq for event in far_tables.events("T1", 0, 10)] == [1, 2, 3]


def test_a_table_whose_opening_lost_its_answer_is_opened_once(far_tables: RedisTables, wire: Proxy) -> None:
    far_tables.commit(opened("T0"))
    wire.lose_answer(b"EVALSHA")
    assert far_tables.commit(opened("T1")) is True
    assert wire.lost == 1


def test_it_knows_itself_though_others_have_gone_on_since(
    far_tables: RedisTables, tables: RedisTables, wire: Proxy
) -> None:
    first = opened("T1")
    far_tables.commit(first)
    mine = then(first.table, sits("bob"))
    theirs = then(mine.table, host("bob"))
    wire.lose_answer(b"EVALSHA", meanwhile=lambda: tables.commit(theirs))
    assert far_tables.commit(mine) is True
    assert tables.load("T1").table == theirs.table


def test_an_equal_step_of_somebody_else_is_not_mistaken_for_ours(tables: RedisTables) -> None:
    first = opened("T1")
    tables.commit(first)
    step = then(first.table, sits("bob"))
    assert tables.commit(step) is True
    assert tables.commit(step) is False


def test_without_any_answer_the_step_is_in_doubt_and_its_receipt_tells(
    far_tables: RedisTables, tables: RedisTables, wire: Proxy
) -> None:
    first = opened("T1")
    far_tables.commit(first)
    kept = receipt("key", 1, 2)
    wire.lose_answer(b"EVALSHA", times=100)
    with pytest.raises(StoreUnavailable) as raised:
        far_tables.commit(then(first.table, sits("bob"), receipts=[kept]))
    assert raised.value.retry_after > 0
    assert tables.load("T1").receipts == (kept,)
    assert tables.load("T1").table.version == 2


def test_a_server_that_forgot_the_script_gets_it_again(tables: RedisTables, redis: Redis) -> None:
    first = opened("T1")
    tables.commit(first)
    redis.script_flush()
    assert tables.commit(then(first.table, sits("bob"))) is True
    redis.script_flush()
    tables.touch("T1", 0)
    assert set(tables.load("T1").seen) == {0}


def test_a_log_that_refuses_leaves_everything_as_it_was(tables: RedisTables, redis: Redis) -> None:
    first = opened("T1")
    tables.commit(first)
    redis.xadd(keys.events("T1"), {"e": b"stray"}, id="7-0")
    with pytest.raises(ResponseError):
        tables.commit(then(first.table, sits("bob")))
    assert tables.load("T1").table == first.table


def test_a_full_store_refuses_and_nothing_has_changed(own_server: Server) -> None:
    client = connect(own_server.url)
    tables = RedisTables(client, RedisDue(client), listening=client, refold=replay)
    first = opened("T1")
    tables.commit(first)
    client.config_set("maxmemory", 1)
    with pytest.raises(StoreUnavailable):
        tables.commit(then(first.table, sits("bob"), due=tables.now()))
    assert tables.load("T1").table == first.table
    assert len(tables.events("T1", 0, 10)) == 1
    client.config_set("maxmemory", 0)
    assert tables.commit(then(first.table, sits("bob"))) is True
    client.close()


def test_all_keys_of_a_table_expire_together(tables: RedisTables, redis: Redis) -> None:
    first = opened("T1")
    tables.commit(first)
    tables.touch("T1", 0)
    tables.set_client_seed("T1", ClientSeed(player_id="ann", seed="mine"))
    assert tables.set_premove("T1", 1, 0, PreMove(player_id="ann", hand=1, tile="55"))
    RedisAnalyses(redis).ask("T1", 1, timedelta(0), anew=True)
    tables.commit(then(first.table, sits("bob"), keep=timedelta(seconds=50)))
    assert all(0 < redis.pttl(key) <= 50_000 for key in keys.of_table("T1"))
    tables.touch("T1", 1)
    assert 0 < redis.pttl(keys.seen("T1")) <= 50_000
    for key in keys.of_table("T1"):
        redis.pexpire(key, 0)
    with pytest.raises(TableNotFound):
        tables.load("T1")


def test_presence_noted_before_the_first_key_expires_with_the_table(tables: RedisTables, redis: Redis) -> None:
    tables.commit(opened("T1", keep=timedelta(seconds=50)))
    tables.touch("T1", 0)
    assert 0 < redis.pttl(keys.seen("T1")) <= 50_000


@pytest.mark.parametrize("before", [0, 2])
def test_a_step_that_contradicts_itself_is_not_sent(tables: RedisTables, before: int) -> None:
    step = opened("T1")
    wrong = type(step)(
        before=before,
        table=step.table,
        events=() if before == 0 else step.events,
        receipts=(),
        due=None,
        keep=step.keep,
    )
    with pytest.raises(ValueError, match="cannot have events"):
        tables.commit(wrong)


def test_ten_thousand_events_are_read_page_by_page(tables: RedisTables) -> None:
    step = opened("T1")
    tables.commit(step)
    for number in range(100):
        step = then(step.table, *[host(f"p{number}")] * 100)
        tables.commit(step)
    read: list[TableEvent] = []
    while page := tables.events("T1", len(read), 777):
        read += page
    assert [event.seq for event in read] == list(range(1, 10_002))
    assert replay(read) == tables.load("T1").table
