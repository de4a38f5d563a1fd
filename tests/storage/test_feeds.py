"""What players are told: nothing that did not happen, nothing lost, whoever dies between two writes."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from redis import Redis

from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.feeds import RedisFeeds
from app.storage.tables import RedisTables
from app.tables.log import replay
from app.tables.notices import Notice
from app.tables.ports import Step
from tests.storage.proxy import Proxy
from tests.storage.server import Server
from tests.storage.steps import T0, host, opened, then

LONG = 30.0
"""Seconds nothing here takes."""


def telling(step: Step, *player_ids: str) -> Step:
    """The step, telling these players something."""
    table = step.table
    return Step(
        before=step.before,
        table=table,
        events=step.events,
        receipts=step.receipts,
        due=step.due,
        keep=step.keep,
        notices=tuple(notice(player_id, table.id, table.version) for player_id in player_ids),
    )


def notice(player_id: str, table: str = "T1", version: int = 1, kind: str = "your_turn") -> Notice:
    return Notice(player_id=player_id, type=kind, table=table, version=version, at=T0, seat=0)


@pytest.fixture
def feeds(tables: RedisTables) -> RedisFeeds:
    return tables.feeds


def versions(feeds: RedisFeeds, player_id: str, after: int = 0) -> list[int]:
    return [entry.notice.version for entry in feeds.read(player_id, after, 100)]


def test_a_step_tells_its_players(tables: RedisTables, feeds: RedisFeeds) -> None:
    first = telling(opened("T1"), "ann", "bob")
    assert tables.commit(first)
    assert tables.commit(telling(then(first.table, host("bob")), "bob"))
    assert versions(feeds, "ann") == [1]
    assert versions(feeds, "bob") == [1, 2]
    (told,) = feeds.read("ann", 0, 10)
    assert told.notice == first.notices[0]
    assert versions(feeds, "eve") == []


def test_places_grow_and_are_cursors(tables: RedisTables, feeds: RedisFeeds) -> None:
    table = opened("T1").table
    tables.commit(telling(opened("T1"), "ann"))
    for _ in range(9):
        step = then(table, host("bob"))
        tables.commit(telling(step, "ann"))
        table = step.table
    seqs = [entry.seq for entry in feeds.read("ann", 0, 100)]
    assert seqs == sorted(set(seqs))
    for place, seq in enumerate(seqs):
        assert [entry.seq for entry in feeds.read("ann", seq, 100)] == seqs[place + 1 :]
        assert [entry.seq for entry in feeds.read("ann", seq, 2)] == seqs[place + 1 : place + 3]
    assert feeds.newest("ann") == seqs[-1] <= feeds.latest("ann")
    assert feeds.newest("eve") == 0


def test_a_step_that_lost_the_race_tells_nobody_anything(tables: RedisTables, feeds: RedisFeeds) -> None:
    first = opened("T1")
    tables.commit(first)
    assert tables.commit(telling(then(first.table, host("bob")), "ann"))
    assert not tables.commit(telling(then(first.table, host("cat")), "ann", "bob"))
    assert versions(feeds, "ann") == [2]
    assert versions(feeds, "bob") == []


def test_reading_ends_before_a_step_that_may_be_under_way(
    tables: RedisTables, feeds: RedisFeeds, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = telling(opened("T1"), "ann")
    tables.commit(first)
    second = telling(then(first.table, host("bob")), "ann")
    with redis.pipeline(transaction=False) as pipeline:
        feeds.expect(second, b"not yet", pipeline)
        pipeline.execute()
    other = telling(opened("T2"), "ann")
    tables.commit(other)
    assert versions(feeds, "ann") == [1]
    assert feeds.newest("ann") == feeds.read("ann", 0, 1)[0].seq, "what is under way is still to come"
    monkeypatch.setattr("app.storage.feeds.UNDER_WAY", -1)
    assert [entry.notice.table for entry in feeds.read("ann", 0, 100)] == ["T1", "T2"], "it died: it is passed over"


def test_what_was_under_way_is_read_once_it_is_there(
    tables: RedisTables, feeds: RedisFeeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step comes true between the writing of its entry and our second look."""
    first = opened("T1")
    tables.commit(first)
    step = telling(then(first.table, host("bob")), "ann")
    name = b"the name"
    with tables._redis.pipeline(transaction=False) as pipeline:
        feeds.expect(step, name, pipeline)
        pipeline.execute()
    assert versions(feeds, "ann") == []
    cursor = feeds.newest("ann")
    monkeypatch.setattr("app.storage.tables.token_bytes", lambda _: name)
    assert tables.commit(
        Step(**{field: getattr(step, field) for field in step.__struct_fields__ if field != "notices"})
    )
    assert versions(feeds, "ann", cursor) == [2]


def test_a_commit_whose_answer_was_lost_tells_at_least_once(server: Server, redis: Redis, feeds: RedisFeeds) -> None:
    proxy = Proxy(server.port)
    client = connect(proxy.url)
    tables = RedisTables(client, RedisDue(client), listening=connect(server.url), refold=replay)
    first = opened("T1")
    tables.commit(first)
    proxy.lose_answer(b"your_turn")
    assert tables.commit(telling(then(first.table, host("bob")), "ann"))
    assert proxy.lost == 1
    assert set(versions(feeds, "ann")) == {2}
    client.close()
    proxy.close()


def test_a_server_that_has_forgotten_the_script_has_each_entry_once(
    tables: RedisTables, feeds: RedisFeeds, redis: Redis
) -> None:
    redis.script_flush()
    tables.commit(telling(opened("T1"), "ann"))
    assert versions(feeds, "ann") == [1]


def test_a_feed_is_bounded_and_expires(tables: RedisTables, redis: Redis) -> None:
    table = opened("T1").table
    tables.commit(opened("T1"))
    with redis.pipeline(transaction=False) as pipeline:
        for version in range(2, 6000):
            tables.feeds._add(notice("ann", version=version), {}, pipeline)
        pipeline.execute()
    assert table.version == 1
    assert 2000 <= redis.xlen(keys.feed("ann")) < 2200
    assert 0 < redis.pttl(keys.feed("ann")) <= 7 * 86_400_000


def test_a_deleted_player_leaves_no_feed(tables: RedisTables, redis: Redis) -> None:
    from app.storage.players import RedisPlayers

    tables.feeds.tell(notice("ann"))
    RedisPlayers(redis).delete("ann")
    assert not redis.exists(keys.feed("ann"))


def test_other_notices_need_no_step(feeds: RedisFeeds) -> None:
    feeds.tell(notice("ann", kind="invited"))
    assert [entry.notice.type for entry in feeds.read("ann", 0, 10)] == ["invited"]


@pytest.fixture
def elsewhere(server: Server) -> Iterator[RedisTables]:
    """The same store, seen from another process."""
    client = connect(server.url)
    listening = connect(server.url)
    tables = RedisTables(client, RedisDue(client), listening=listening, refold=replay)
    yield tables
    tables.doorbell.stop()
    client.close()
    listening.close()


def test_who_listens_is_rung_by_a_step_elsewhere_and_by_an_invitation(
    feeds: RedisFeeds, elsewhere: RedisTables
) -> None:
    with feeds.listen("ann") as bell, feeds.listen("eve") as other:
        while not bell.wait(1):  # the subscription has begun: everybody looks
            pass
        for ring in (
            lambda: elsewhere.commit(telling(opened("T1"), "ann", "bob")),
            lambda: elsewhere.feeds.tell(notice("ann", kind="invited")),
        ):
            other.wait(0)
            ringer = threading.Timer(0.01, ring)
            ringer.start()
            assert bell.wait(LONG)
            ringer.join()
            assert not other.wait(0.05)
    assert len(feeds.read("ann", 0, 10)) == 2


def test_who_listens_is_sent_away_when_the_process_stops(tables: RedisTables, feeds: RedisFeeds) -> None:
    with feeds.listen("ann") as bell:
        threading.Timer(0.01, tables.doorbell.stop).start()
        while not bell.stopped:
            bell.wait(LONG)
    assert tables.stopping
    with feeds.listen("ann") as late:
        assert late.stopped
        assert late.wait(LONG) is False
    assert tables.doorbell.waiting == 0
