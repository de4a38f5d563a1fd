"""Lists are hints: what a crash left on them goes away, what is still to come stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis
from redis.client import Pipeline

from app.storage import keys, lobby
from app.storage.players import RedisPlayers
from app.storage.tables import RedisTables
from app.tables.events import InviteRenewed
from app.tables.register import Player, Token
from app.tables.views import KEEP_RUNNING
from tests.storage.steps import T0, ended, host, opened, sits, then
from tests.storage.test_due import Died, sends_only_its_first

LAPTOP = Token(id="k1", label=None, created_at=T0)


def _ms(ago: timedelta) -> int:
    return int((datetime.now(UTC) - ago).timestamp() * 1000)


def test_an_entry_whose_table_is_still_to_come_stays_unseen(tables: RedisTables, redis: Redis) -> None:
    redis.zadd(keys.lobby("open"), {"T1": _ms(timedelta(seconds=1))})
    assert tables.listed("open", 10, None) == ([], None)
    assert redis.zcard(keys.lobby("open")) == 1


def test_an_entry_whose_table_never_came_or_has_expired_goes(tables: RedisTables, redis: Redis) -> None:
    redis.zadd(keys.lobby("open"), {"T1": _ms(timedelta(minutes=2))})
    redis.zadd(keys.sat_at("ann"), {"T1": _ms(timedelta(minutes=2))})
    assert tables.listed("open", 10, None) == ([], None)
    assert tables.of_player("ann", 10, None) == ([], None)
    assert redis.zcard(keys.lobby("open")) == redis.zcard(keys.sat_at("ann")) == 0


def test_whoever_comes_to_a_table_loses_old_ones_that_are_no_more(tables: RedisTables, redis: Redis) -> None:
    now = datetime.now(UTC)
    tables.commit(opened("OLD", at=now - timedelta(days=40)))
    redis.zadd(keys.sat_at("ann"), {f"X{number}": _ms(timedelta(days=30)) for number in range(30)})
    redis.zadd(keys.sat_at("ann"), {"TO COME": _ms(timedelta(seconds=1))})
    for number in range(2):
        tables.commit(opened(f"T{number}", at=now))
    assert set(redis.zrange(keys.sat_at("ann"), 0, -1)) == {b"OLD", b"TO COME", b"T0", b"T1"}


def test_a_players_list_outlives_his_tables_and_no_longer(tables: RedisTables, redis: Redis) -> None:
    first = opened("T1")
    tables.commit(first)
    assert redis.pttl(keys.sat_at("ann")) > KEEP_RUNNING / timedelta(milliseconds=1)
    redis.pexpire(keys.sat_at("ann"), 1_000)
    second = then(first.table, sits("bob"))
    tables.commit(second)
    redis.pexpire(keys.sat_at("bob"), 1_000)
    tables.commit(then(second.table, InviteRenewed(invite_code="ABCDEFGHJK")))
    for player in ("ann", "bob"):
        assert lobby.OWN_KNOWN - 60_000 < redis.pttl(keys.sat_at(player)) <= lobby.OWN_KNOWN


def test_a_table_of_a_player_who_was_deleted_meanwhile_leaves_no_list_for_ever(
    tables: RedisTables, players: RedisPlayers, redis: Redis
) -> None:
    """His request was let in before he was deleted, and written after."""
    players.create(Player(id="ann", name="Ann", kind="human", created_at=T0), LAPTOP, "digest")
    players.delete("ann")
    tables.commit(opened("T1"))
    left = [key for key in redis.keys("{p:ann}*") if redis.pttl(key) < 0]
    assert left == []
    assert redis.exists(keys.sat_at("ann"))


def test_an_entry_left_behind_on_an_old_list_goes(tables: RedisTables, redis: Redis) -> None:
    first = opened("T1")
    tables.commit(first)
    tables.commit(then(first.table, host("ann"), status="playing"))
    redis.zadd(keys.lobby("open"), {"T1": 1})
    assert tables.listed("open", 10, None) == ([], None)
    assert redis.zcard(keys.lobby("open")) == 0


def test_an_entry_on_a_list_to_come_is_not_shown_and_stays(tables: RedisTables, redis: Redis) -> None:
    tables.commit(opened("T1"))
    redis.zadd(keys.lobby("playing"), {"T1": 1})
    assert tables.listed("playing", 10, None) == ([], None)
    assert redis.zcard(keys.lobby("playing")) == 1


def test_entries_of_no_use_do_not_shorten_a_page(tables: RedisTables, redis: Redis) -> None:
    now = datetime.now(UTC)
    redis.zadd(keys.lobby("open"), {f"X{number}": _ms(timedelta(minutes=5)) for number in range(300)})
    for number in range(3):
        tables.commit(opened(f"T{number}", at=now - timedelta(hours=1 + number)))
    page, cursor = tables.listed("open", 2, None)
    assert list(page) == ["T0", "T1"]
    assert tables.listed("open", 2, cursor) == (["T2"], None)


def test_a_list_of_which_nothing_is_true_still_ends(tables: RedisTables, redis: Redis) -> None:
    many = lobby.ROUNDS * lobby.LEAST_READ + 10
    redis.zadd(keys.lobby("open"), {f"X{number:04}": _ms(timedelta(seconds=1)) for number in range(many)})
    page, cursor = tables.listed("open", 2, None)
    assert list(page) == []
    assert cursor is not None
    assert tables.listed("open", 2, cursor) == ([], None)


def test_who_tried_to_sit_and_was_too_late_finds_a_hint_that_the_table_denies(tables: RedisTables) -> None:
    first = opened("T1", host=None)
    tables.commit(first)
    assert tables.commit(then(first.table, sits("bob"))) is True
    assert tables.commit(then(first.table, sits("cat"))) is False
    assert list(tables.of_player("cat", 10, None)[0]) == ["T1"]
    assert tables.load("T1").table.seat_of("cat") is None


def test_killed_between_create_and_list_nobody_meets_a_dead_or_a_hidden_table(
    tables: RedisTables, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The web process dies after its first write, and after the step itself but before the lists are put right."""
    now = datetime.now(UTC)
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "execute", sends_only_its_first)
        with pytest.raises(Died):
            tables.commit(opened("T1", at=now))
    assert tables.listed("open", 10, None) == ([], None), "listed, but not made"
    first = opened("T2", at=now)
    tables.commit(first)
    with monkeypatch.context() as patch:
        patch.setattr("app.storage.lobby.Lobby.leave", dies)
        with pytest.raises(Died):
            tables.commit(then(first.table, ended(), status="finished"))
    assert list(tables.listed("finished", 10, None)[0]) == ["T2"]
    assert tables.listed("open", 10, None) == ([], None)


def dies(*_: object) -> None:
    raise Died
