"""Open streams are counted over all processes, by token and by address, and a dead process's count runs out."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from redis import Redis

from app.storage import keys
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.players import RedisPlayers
from app.storage.tables import RedisTables
from app.storage.turnstile import RedisTurnstile, StreamPermit
from app.tables.live import StreamTerms
from app.tables.log import replay
from app.tables.ports import StoreUnavailable
from app.tables.register import Player, Token
from tests.storage.server import Server

TERMS = StreamTerms(per_token=3, per_address=5)
ANN = ("ann", "phone")


@pytest.fixture
def two(redis: Redis) -> Iterator[tuple[RedisTurnstile, RedisTurnstile]]:
    """Two processes."""
    pair = RedisTurnstile(redis, TERMS), RedisTurnstile(redis, TERMS)
    yield pair
    for turnstile in pair:
        turnstile.stop()


def test_a_token_has_its_most_over_all_processes(two: tuple[RedisTurnstile, RedisTurnstile]) -> None:
    one, other = two
    passes = [one.enter(ANN, "a"), other.enter(ANN, "b"), one.enter(ANN, "c")]
    assert None not in passes
    assert one.enter(ANN, "d") is None
    assert other.enter(ANN, "d") is None
    assert other.enter(("ann", "laptop"), "d") is not None, "another token of his"
    assert passes[0] is not None
    passes[0].give_back()
    passes[0].give_back()
    assert other.enter(ANN, "e") is not None
    assert one.enter(ANN, "e") is None
    assert (one.open, other.open) == (1, 3)


def test_an_address_has_its_most_whoever_asks(two: tuple[RedisTurnstile, RedisTurnstile]) -> None:
    one, other = two
    for turnstile, token in ((one, None), (other, ANN), (one, ("bob", "t")), (other, None), (one, ANN)):
        assert turnstile.enter(token, "192.0.2.1") is not None
    assert one.enter(None, "192.0.2.1") is None
    assert one.enter(ANN, "192.0.2.1") is None
    assert one.enter(ANN, "192.0.2.2") is not None, "a refusal at the address took nothing from the token"
    assert one.enter(ANN, "192.0.2.3") is None, "that was the token's last"
    assert one.enter(None, "192.0.2.3") is not None, "and a refusal at the token took nothing from the address"


def test_the_count_of_a_dead_process_runs_out(
    redis: Redis, two: tuple[RedisTurnstile, RedisTurnstile], monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, living = two
    monkeypatch.setattr("app.storage.turnstile.AGAIN_EVERY", 1e6)
    monkeypatch.setattr("app.storage.turnstile.LEASE", 1)
    assert all(dead.enter(ANN, "a") for _ in range(3))
    monkeypatch.setattr("app.storage.turnstile.LEASE", 15_000)
    threading.Event().wait(0.01)
    assert living.enter(ANN, "a") is not None
    assert living.enter(ANN, "a") is not None
    dead.say_again()  # it was not dead after all
    assert living.enter(ANN, "a") is None
    assert redis.ttl(keys.streams_of_token(*ANN)) <= 15


def test_the_count_heals_when_the_store_missed_something(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    client = connect(own_server.url)
    turnstile = RedisTurnstile(client, TERMS)
    entered = turnstile.enter(ANN, "a")
    assert entered is not None
    assert turnstile.enter(ANN, "a") is not None
    own_server.kill()
    entered.give_back()
    with pytest.raises(StoreUnavailable):
        turnstile.enter(ANN, "a")
    assert turnstile.open == 1
    own_server.start()
    turnstile.say_again()
    assert turnstile.enter(ANN, "a") is not None
    assert turnstile.enter(ANN, "a") is not None
    assert turnstile.enter(ANN, "a") is None
    turnstile.stop()
    client.close()


def test_a_removed_token_and_a_deleted_player_are_noticed(redis: Redis, players: RedisPlayers) -> None:
    now = datetime.now(UTC)
    players.create(Player(id="ann", name="Ann", kind="human", created_at=now), token("phone"), "d1")
    players.add_token("ann", token("laptop"), "d2")
    turnstile = RedisTurnstile(redis, TERMS)
    passes = [turnstile.enter(("ann", name), "a") for name in ("phone", "laptop")] + [turnstile.enter(None, "a")]
    phone, laptop, spectator = passes
    assert phone is not None
    assert laptop is not None
    assert spectator is not None
    turnstile.say_again()
    assert [entered.revoked for entered in (phone, laptop, spectator)] == [False] * 3
    players.remove_token("ann", "phone")
    turnstile.say_again()
    assert (phone.revoked, laptop.revoked) == (True, False)
    players.delete("ann")
    turnstile.say_again()
    assert (laptop.revoked, spectator.revoked) == (True, False)
    for entered in (phone, laptop, spectator):
        entered.give_back()
    turnstile.stop()
    assert not list(redis.scan_iter("*streams*")), "nothing is left"


def token(name: str) -> Token:
    return Token(id=name, label=None, created_at=datetime.now(UTC))


def test_the_thread_says_it_again(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.storage.turnstile.AGAIN_EVERY", 0.01)
    turnstile = RedisTurnstile(redis, TERMS)
    assert turnstile.enter(None, "a") is not None
    redis.delete(keys.streams_of_address("a"))
    for _ in range(1000):
        if redis.exists(keys.streams_of_address("a")):
            break
        threading.Event().wait(0.01)
    else:
        pytest.fail("nobody said it again")
    turnstile.stop()


class Process:
    """A web process, as far as it hears of removed tokens."""

    def __init__(self, server: Server) -> None:
        self.redis, self.listening = connect(server.url), connect(server.url)
        self.tables = RedisTables(self.redis, RedisDue(self.redis), listening=self.listening, refold=replay)
        self.turnstile = RedisTurnstile(self.redis, StreamTerms())
        self.tables.doorbell.when_signed_out(self.turnstile.sign_out)

    def enter(self, token: tuple[str, str] | None) -> StreamPermit:
        entered = self.turnstile.enter(token, "a")
        assert entered is not None
        return entered

    def stop(self) -> None:
        self.turnstile.stop()
        self.tables.stop_waiting()
        self.redis.close()
        self.listening.close()


@pytest.fixture
def processes(redis: Redis, server: Server) -> Iterator[tuple[Process, Process]]:
    pair = Process(server), Process(server)
    yield pair
    for process in pair:
        process.stop()


def ann_with(players: RedisPlayers, *names: str) -> None:
    players.create(Player(id="ann", name="Ann", kind="human", created_at=datetime.now(UTC)), token(names[0]), names[0])
    for name in names[1:]:
        players.add_token("ann", token(name), name)


def test_every_process_hears_at_once_of_a_removed_token_and_of_a_deleted_player(
    processes: tuple[Process, Process], players: RedisPlayers
) -> None:
    ann_with(players, "phone", "laptop")
    players.create(Player(id="bob", name="Bob", kind="human", created_at=datetime.now(UTC)), token("phone"), "bob's")
    with processes[0].tables.feeds.listen("ann") as one, processes[1].tables.feeds.listen("ann") as other:
        for bell in (one, other):
            while not bell.wait(1):  # the subscription has begun: everybody looks
                pass
        phones = [process.enter(("ann", "phone")) for process in processes]
        laptops = [process.enter(("ann", "laptop")) for process in processes]
        others = [process.enter(who) for process in processes for who in (("bob", "phone"), None)]
        players.remove_token("ann", "phone")
        assert one.wait(10)
        assert other.wait(10)
        assert [entered.revoked for entered in phones] == [True] * 2, "known before the bell rings"
        assert [entered.revoked for entered in laptops] == [False] * 2
        players.delete("ann")
        assert one.wait(10)
        assert other.wait(10)
        assert [entered.revoked for entered in laptops] == [True] * 2
    assert [entered.revoked for entered in others] == [False] * 4


def test_whoever_enters_with_a_token_just_removed_finds_it_gone(
    processes: tuple[Process, Process], players: RedisPlayers
) -> None:
    ann_with(players, "phone")
    assert not processes[0].enter(("ann", "phone")).revoked
    players.remove_token("ann", "phone")
    assert processes[1].enter(("ann", "phone")).revoked
