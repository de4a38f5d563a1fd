"""Lists are hints: what a crash left on them goes away, what is still to come stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis
from redis.client import Pipeline

from app.storage import keys, lobby
from app.storage.tables import RedisTables
from tests.storage.steps import ended, host, opened, sits, then
from tests.storage.test_due import Died, sends_only_its_first


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
