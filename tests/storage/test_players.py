"""A crash between two writes lets nobody in; a stale request is taken over by one."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Disconnected

from app.storage import keys
from app.storage.players import RESERVED_FOR, STALE_AFTER, UNFINISHED, RedisPlayers
from app.tables.ports import StoreUnavailable
from app.tables.register import Player, Token
from tests.storage.steps import T0

ANN = Player(id="ann", name="Ann", kind="human", created_at=T0)
LAPTOP = Token(id="k1", label=None, created_at=T0)


def test_a_player_whose_token_was_never_stored_goes_by_himself(
    players: RedisPlayers, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*args: object) -> None:
        raise Disconnected

    monkeypatch.setattr(redis, "set", dies)
    with pytest.raises(StoreUnavailable):
        players.create(ANN, LAPTOP, "digest")
    assert players.by_token("digest") is None
    assert 0 < redis.pttl(keys.player("ann")) <= UNFINISHED
    assert 0 < redis.pttl(keys.tokens("ann")) <= UNFINISHED


def test_a_player_who_was_made_stays(players: RedisPlayers, redis: Redis) -> None:
    players.create(ANN, LAPTOP, "digest")
    assert redis.pttl(keys.player("ann")) == redis.pttl(keys.tokens("ann")) == -1


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


def test_a_stale_request_is_taken_over_by_one(players: RedisPlayers, redis: Redis) -> None:
    players.reserve("ann", "key", "digest", "T1")
    at_key = keys.reservation("ann", "key")
    redis.hincrby(at_key, "begun", -STALE_AFTER - 1)
    assert players.reserve("ann", "key", "another body", "T2").stale
    assert players.reserve("ann", "key", "digest", "T2").stale
    again = players.reserve("ann", "key", "digest", "T2")
    assert (again.stale, again.table_id) == (False, "T1")
    assert 0 < redis.pttl(at_key) <= RESERVED_FOR
