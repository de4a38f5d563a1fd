"""A crash between two writes lets nobody in; a stale request is taken over by one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as Disconnected

from app.config import Settings
from app.storage import keys
from app.storage.players import TABLES_KNOWN, UNFINISHED, RedisPlayers
from app.storage.reservations import RESERVED_FOR, STALE_AFTER
from app.tables.ports import StoreUnavailable
from app.tables.register import Player, Token
from app.tables.requests import Asker
from app.wiring import build
from tests.storage.server import Server
from tests.storage.steps import T0
from tests.tables.test_seats import refusal

ANN = Player(id="ann", name="Ann", kind="human", created_at=T0)
LAPTOP = Token(id="k1", label=None, created_at=T0)
PHONE = Token(id="k2", label="phone", created_at=T0)


def test_a_player_whose_token_was_never_stored_goes_by_himself(
    players: RedisPlayers, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise Disconnected

    monkeypatch.setattr(redis, "set", dies)
    with pytest.raises(StoreUnavailable):
        players.create(ANN, LAPTOP, "digest")
    assert players.by_token("digest") is None
    assert 0 < redis.pttl(keys.player("ann")) <= UNFINISHED
    assert 0 < redis.pttl(keys.tokens("ann")) <= UNFINISHED


@pytest.mark.parametrize("writes", [1, 2])
def test_wherever_the_making_of_a_player_breaks_off_all_of_it_goes_by_itself(
    players: RedisPlayers, redis: Redis, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    with monkeypatch.context() as patch:
        breaks_off_after(writes, redis, patch)
        with pytest.raises(StoreUnavailable):
            players.create(ANN, LAPTOP, "digest")
    assert len(redis.keys("*")) == 1 + writes
    assert all(0 < redis.pttl(key) <= UNFINISHED for key in redis.keys("*"))


def breaks_off_after(writes: int, redis: Redis, patch: pytest.MonkeyPatch) -> None:
    """The store goes away after so many round trips that write."""
    sent = iter(range(writes))

    def counted(send: Callable[..., object]) -> Callable[..., object]:
        def sending(*arguments: Any, **more: Any) -> object:
            if next(sent, None) is None:
                raise Disconnected
            return send(*arguments, **more)

        return sending

    patch.setattr(redis, "set", counted(redis.set))
    patch.setattr(redis, "persist", counted(redis.persist))
    patch.setattr(Pipeline, "execute", counted(Pipeline.execute))


def test_a_player_who_was_made_stays(players: RedisPlayers, redis: Redis) -> None:
    players.create(ANN, LAPTOP, "digest")
    players.add_token("ann", PHONE, "phone")
    assert {redis.pttl(key) for key in redis.keys("*")} == {-1}
    assert len(redis.keys("*")) == 4


@pytest.mark.parametrize("gone", ["player", "token"])
def test_a_token_whose_player_or_place_goes_while_it_is_written_goes_by_itself(
    players: RedisPlayers, redis: Redis, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    """Whoever takes it away looks for the way in before it is there."""
    players.create(ANN, LAPTOP, "digest")
    put, elsewhere = redis.set, RedisPlayers(Redis(connection_pool=redis.connection_pool))

    def first_goes(*arguments: Any, **more: Any) -> object:
        if gone == "player":
            elsewhere.delete("ann")
        else:
            elsewhere.remove_token("ann", PHONE.id)
        return put(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(redis, "set", first_goes)
        with pytest.raises(LookupError) if gone == "player" else nullcontext():
            players.add_token("ann", PHONE, "phone")
    assert 0 < redis.pttl(keys.token("phone")) <= UNFINISHED
    assert players.by_token("phone") is None


def test_one_address_makes_as_many_players_as_the_setting_says_and_the_next_leaves_nothing(
    redis: Redis, server: Server
) -> None:
    house = build(Settings(redis_url=server.url, players_per_address=2))
    here = Asker(address="192.0.2.7")
    for name in ("Ann", "Bob"):
        house.players.register(here, name, "human")
    before = set(redis.keys("*"))
    assert refusal(house.players.register, here, "Cat", "human") == "rate_limited"
    assert set(redis.keys("*")) == before
    house.players.register(Asker(address="192.0.2.8"), "Dan", "human")
    house.stop_waiting()


def test_only_the_digest_of_a_token_is_stored(players: RedisPlayers, redis: Redis) -> None:
    players.create(ANN, LAPTOP, "digest")
    assert redis.get(keys.token("digest")) == b"ann:k1"


@pytest.mark.parametrize("left", [keys.token("digest"), keys.tokens("ann")])
def test_a_token_that_is_half_gone_lets_nobody_in(players: RedisPlayers, redis: Redis, left: str) -> None:
    players.create(ANN, LAPTOP, "digest")
    redis.delete(left)
    assert RedisPlayers(redis).by_token("digest") is None


def test_a_token_removed_elsewhere_lets_nobody_in_here(players: RedisPlayers, redis: Redis) -> None:
    players.create(ANN, LAPTOP, "digest")
    assert players.by_token("digest") is not None
    RedisPlayers(redis).remove_token("ann", "k1")
    assert players.by_token("digest") is None


def test_a_deletion_that_was_interrupted_lets_nobody_in_and_can_be_finished(
    players: RedisPlayers, redis: Redis
) -> None:
    players.create(ANN, LAPTOP, "digest")
    redis.delete(keys.player("ann"))
    assert players.by_token("digest") is None
    players.delete("ann")
    assert redis.keys("*") == []


def test_the_tables_of_a_deleted_player_are_known_for_a_while(players: RedisPlayers, redis: Redis) -> None:
    players.create(ANN, LAPTOP, "digest")
    redis.zadd(keys.sat_at("ann"), {"T1": 1})
    players.delete("ann")
    redis.zadd(keys.sat_at("ann"), {"T2": 2})
    assert redis.zcard(keys.sat_at("ann")) == 2, "who leaves them once more finds them all"
    assert 0 < redis.pttl(keys.sat_at("ann")) <= TABLES_KNOWN


def test_a_list_made_after_the_deletion_goes_as_well_once_it_is_deleted_again(
    players: RedisPlayers, redis: Redis
) -> None:
    players.create(ANN, LAPTOP, "digest")
    players.delete("ann")
    redis.zadd(keys.sat_at("ann"), {"T1": 1})
    players.delete("ann")
    assert 0 < redis.pttl(keys.sat_at("ann")) <= TABLES_KNOWN


def test_a_stale_request_is_taken_over_by_one(players: RedisPlayers, redis: Redis) -> None:
    players.reserve("ann", "key", "digest", "T1")
    at_key = keys.reservation("ann", "key")
    redis.hincrby(at_key, "begun", -STALE_AFTER - 1)
    assert players.reserve("ann", "key", "another body", "T2").stale
    assert players.reserve("ann", "key", "digest", "T2").stale
    again = players.reserve("ann", "key", "digest", "T2")
    assert (again.stale, again.table_id) == (False, "T1")
    assert 0 < redis.pttl(at_key) <= RESERVED_FOR
