"""The clerk as a real process on real RQ: every finished game is booked exactly once, whoever dies on the way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

import pytest
from msgspec.structs import replace
from redis import Redis
from rq import Queue

from app.standing.pools import Pool
from app.standing.record import Record
from app.storage import keys
from app.storage.pending import RedisPending
from app.storage.players import RedisPlayers
from app.storage.queue import RqQueue
from app.storage.standing import RedisStanding
from app.storage.tables import RedisTables
from app.tables.ports import Step
from app.tables.register import Player, Token
from app.workers.overlooked import BACKLOG, LOOK_EVERY, Overlooked
from tests.standing.games import game
from tests.storage.steps import T0
from tests.workers.conftest import Hands, eventually

POOL = Pool("all-fives", "two")
PLAYERS = [f"p{number}" for number in range(12)]


@pytest.fixture
def players_there(redis: Redis) -> None:
    """Twelve players."""
    register = RedisPlayers(redis)
    for player_id in PLAYERS:
        player = Player(id=player_id, name=player_id.upper(), kind="human", created_at=T0)
        register.create(player, Token(id="k", label=None, created_at=T0), f"digest-{player_id}")


def games(number: int, tables: RedisTables) -> Iterator[Step]:
    """Games of people and bots, who meet again and again; they end now."""
    chance = random.Random(5)
    now = tables.now()
    for index in range(number):
        ann, bob = chance.sample([*PLAYERS, "bot:easy", "bot:medium"], 2)
        scores = chance.choice([(250, 100), (100, 250)])
        step = game(ann, bob, scores=scores, table_id=f"T{index}")
        yield replace(step, events=tuple(replace(event, at=now) for event in step.events))


def totals(redis: Redis) -> Record:
    """All records of the pool added up."""
    everybody = [*PLAYERS, "bot:easy", "bot:medium"]
    found = RedisStanding(redis).records(POOL, everybody).values()
    return Record(
        rated=sum(one.rated for one in found),
        won=sum(one.won for one in found),
        lost=sum(one.lost for one in found),
        version=sum(one.version for one in found),
    )


def hurry(redis: Redis) -> None:
    """All games that wait in the list have waited long enough."""
    for table_id in cast("list[bytes]", redis.zrange(keys.PENDING, 0, -1)):
        redis.zadd(keys.PENDING, {table_id.decode(): 0}, xx=True)


@pytest.mark.slow
@pytest.mark.usefixtures("players_there")
def test_two_hundred_games_are_booked_once_each_while_clerks_are_killed_and_jobs_come_twice(
    hands: Hands, tables: RedisTables, redis: Redis
) -> None:
    queue = RqQueue(redis)
    clerks = [hands.start("clerk"), hands.start("clerk")]
    hands.start("clock")
    for index, step in enumerate(games(200, tables)):
        assert tables.commit(step)
        for _ in range(index % 4):  # no job at all, one, two, three
            queue.book(step.table.id)
        if index in (60, 120, 180):
            eventually(lambda: totals(redis).rated > 0)
            hands.kill(clerks[index // 60 % 2])
            clerks[index // 60 % 2] = hands.start("clerk")
            hurry(redis)

    def done() -> bool:
        hurry(redis)
        return not redis.zcard(keys.PENDING)

    eventually(done)
    assert totals(redis) == Record(rated=400, won=200, lost=200, version=400)
    for again in range(200):
        queue.book(f"T{again}")
    eventually(lambda: Queue("books", connection=redis).count == 0)
    assert [hands.end(clerk) for clerk in clerks] == [0, 0]  # the last jobs are finished
    assert totals(redis).rated == 400


@pytest.mark.usefixtures("players_there")
def test_the_clock_asks_again_for_a_game_whose_job_was_lost(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    (step,) = games(1, tables)
    tables.commit(step)
    hurry(redis)
    hands.start("clock")
    eventually(lambda: Queue("books", connection=redis).count == 1)
    hands.start("clerk")
    eventually(lambda: totals(redis).rated == 2)
    eventually(lambda: not redis.zcard(keys.PENDING))


@pytest.mark.usefixtures("players_there")
def test_a_worker_of_queue_due_leaves_games_to_the_clerk(hands: Hands, tables: RedisTables, redis: Redis) -> None:
    (step,) = games(1, tables)
    tables.commit(step)
    RqQueue(redis).book(step.table.id)
    worker = hands.start("worker")
    RqQueue(redis).advance("nowhere", 1)
    eventually(lambda: Queue("due", connection=redis).count == 0)
    assert Queue("books", connection=redis).count == 1
    assert hands.end(worker) == 0
    clerk = hands.start("clerk")
    eventually(lambda: totals(redis).rated == 2)
    assert hands.end(clerk) == 0


def test_what_waits_too_long_is_asked_for_once_while_the_queue_is_full(redis: Redis) -> None:
    class Jobs:
        def __init__(self) -> None:
            self.asked: list[str] = []
            self.waiting: int | None = 0

        def book_many(self, table_ids: object) -> bool:
            assert isinstance(table_ids, list)
            self.asked += table_ids
            return True

        def books_backlog(self) -> int | None:
            return self.waiting

    jobs = Jobs()
    overlooked = Overlooked(RedisPending(redis), jobs)
    redis.zadd(keys.PENDING, {"T1": 0, "T2": datetime.now(UTC).timestamp() * 1000 + 60_000})
    for full in (BACKLOG + 1, None):
        jobs.waiting = full
        overlooked.look(1000.0 + (full or 0))
        redis.zadd(keys.PENDING, {"T1": 0})
    assert jobs.asked == []
    jobs.waiting = 0
    overlooked.look(5000.0)
    assert jobs.asked == ["T1"]
    redis.zadd(keys.PENDING, {"T1": 0})
    overlooked.look(5000.0 + LOOK_EVERY / 2)
    assert jobs.asked == ["T1"]
    overlooked.look(5000.0 + LOOK_EVERY)
    assert jobs.asked == ["T1", "T1"]
