"""A worker, a clerk or a clock as a process of its own: `… worker URL QUEUE_URL`. Its tables only count on.

Odd versions stand for a bot's turn, which only a worker plays; even ones for anything else. A table stops at its goal.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import cast

from redis import Redis
from rq.job import Job

import app.wiring
from app.analysis.service import Analyses
from app.bots.levels import HouseBots
from app.config import Settings
from app.metrics.reporting import Metrics
from app.standing.service import Standing
from app.storage.analyses import RedisAnalyses
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.meter import RedisMeter
from app.storage.pending import RedisPending
from app.storage.players import RedisPlayers
from app.storage.queue import RqQueue
from app.storage.standing import RedisStanding
from app.storage.tables import RedisTables
from app.tables.chance import SystemChance
from app.tables.log import replay
from app.tables.ports import TableNotFound
from tests.storage.steps import host, then

GOAL = "goal"
"""STRING: version at which tables stop."""
SLEEP = "sleep"
"""STRING: seconds the first step of a job takes; missing: none."""
BEGUN = "begun"
"""LIST: versions of jobs that have begun."""


SPRUNG = "sprung"
"""LIST: ids of jobs that got a worker to call what nobody allowed."""


def spring(job: Job, connection: Redis, *more: object) -> None:
    """What somebody plants who can write to the queue store."""
    connection.rpush(SPRUNG, job.id)


class CountingTables:
    """As much of `Tables` as workers and clocks use."""

    def __init__(self, url: str) -> None:
        self.redis = connect(url)
        self.due = RedisDue(self.redis)
        self.store = RedisTables(self.redis, self.due, listening=self.redis, refold=replay)

    def advance(self, table_id: str, version: int, *, bots: bool = True) -> bool:
        self.redis.rpush(BEGUN, version)
        for _ in range(3):
            try:
                loaded = self.store.load(table_id)
            except TableNotFound:
                return True
            if loaded.table.version != version:
                return loaded.table.version > version
            goal = int(cast("bytes", self.redis.get(GOAL)))
            if version >= goal:
                self.due.remove(table_id, version)
                return False
            if version % 2 == 1 and not bots:
                return False
            if bots and (pause := cast("bytes | None", self.redis.get(SLEEP))):
                self.redis.delete(SLEEP)
                time.sleep(float(pause))
            due = None if version + 1 >= goal else loaded.now + timedelta(milliseconds=20)
            if self.store.commit(then(loaded.table, host(f"p{version}"), due=due)):
                self.due.remove(table_id, version)
                version += 1
        return True


def main(role: str, url: str, queue_url: str) -> None:
    tables = CountingTables(url)
    standing = Standing(
        store=tables.store,
        kept=RedisStanding(tables.redis),
        pending=RedisPending(tables.redis),
        register=RedisPlayers(tables.redis),
        levels=("easy", "medium"),
    )
    analyses = Analyses(
        kept=RedisAnalyses(tables.redis),
        store=tables.store,
        due=tables.due,
        register=RedisPlayers(tables.redis),
        queue=RqQueue.at(queue_url),
        bots=HouseBots(),
        chance=SystemChance(),
    )
    app.wiring.services = lambda: SimpleNamespace(
        tables=tables, tickets=None, standing=standing, analyses=analyses, metrics=Metrics(RedisMeter(tables.redis))
    )  # type: ignore[assignment]
    settings = Settings(redis_url=url, queue_url=queue_url)
    if role == "worker":
        from app.workers.launcher import run_worker

        run_worker(settings)
    elif role == "clerk":
        from app.workers.clerk import run_clerk

        run_clerk(settings)
    else:
        from app.workers.clock import run_clock

        run_clock(settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
