"""Everything put together, in one place: which store, which bots, which source of chance stand behind the use cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from prometheus_client import Metric

from app.analysis.service import Analyses
from app.bots.levels import LEVELS, HouseBots
from app.config import Durability, Settings
from app.metrics.reporting import Metrics
from app.metrics.sums import gauge
from app.standing.service import Standing
from app.storage.analyses import RedisAnalyses
from app.storage.attempts import RedisAttempts
from app.storage.connection import connect
from app.storage.due import RedisDue
from app.storage.meter import RedisMeter, StoreFigures
from app.storage.pending import RedisPending
from app.storage.players import RedisPlayers
from app.storage.queue import RqQueue
from app.storage.standing import RedisStanding
from app.storage.tables import RedisTables
from app.storage.tickets import RedisTickets
from app.storage.turnstile import RedisTurnstile
from app.tables.chance import SystemChance
from app.tables.feed import Feed
from app.tables.guesses import Allowance
from app.tables.live import StreamTerms
from app.tables.log import replay
from app.tables.players import NEWCOMERS, Players
from app.tables.ports import StoreUnavailable
from app.tables.service import Tables
from app.tables.tickets import Tickets


@dataclass(frozen=True, kw_only=True)
class Services:
    """What the API, the workers and the commands call."""

    tables: Tables
    players: Players
    standing: Standing
    analyses: Analyses
    metrics: Metrics
    feed: Feed
    turnstile: RedisTurnstile
    stream_terms: StreamTerms
    tickets: Tickets
    pools: RedisTickets
    store: RedisTables
    due: RedisDue
    queue: RqQueue

    @property
    def now(self) -> Callable[[], datetime]:
        """The store's clock."""
        return self.store.now

    def stop_waiting(self) -> None:
        """Answer what waits, end every stream; whoever comes later does not wait."""
        self.store.stop_waiting()
        self.pools.stop_waiting()
        self.turnstile.stop()

    def ready(self) -> list[str]:
        """What keeps us from serving, one line each; empty: nothing."""
        try:
            self.store.now()
        except StoreUnavailable:
            return ["The store does not answer."]
        return []


@cache
def services() -> Services:
    """This process's services, made when they are first asked for. Raises: SettingsError."""
    return build(Settings.read())


def build(settings: Settings) -> Services:
    """Services on the store these settings name; nothing is sent yet. Raises: SettingsError without a store."""
    url = settings.find_store()
    redis = connect(url)
    due = RedisDue(redis)
    queue = RqQueue.at(settings.find_queue())
    metrics = Metrics(
        RedisMeter(redis),
        waiting=lambda: store.doorbell.waiting + pools.doorbell.waiting,
        moment=lambda: figures(StoreFigures(redis), queue),
    )
    store = RedisTables(
        redis,
        due,
        listening=connect(url),
        refold=replay,
        replicas=settings.durability is Durability.REPLICA,
        committed=metrics.count.committed,
    )
    register = RedisPlayers(redis)
    attempts = RedisAttempts(redis)
    ports: dict[str, Any] = {
        "store": store,
        "due": due,
        "register": register,
        "queue": queue,
        "bots": HouseBots(),
        "chance": SystemChance(),
        "attempts": attempts,
        "done_late": metrics.count.done_late,
    }
    tables = Tables(**ports)
    pools = RedisTickets(redis, listening=connect(url), replicas=settings.durability is Durability.REPLICA)
    standing = Standing(
        store=store,
        kept=RedisStanding(redis),
        pending=RedisPending(redis),
        register=register,
        levels=tuple(LEVELS),
        booked=metrics.count.booked,
    )
    terms = StreamTerms(
        per_token=settings.streams_per_token,
        per_address=settings.streams_per_address,
        life_seconds=settings.stream_seconds,
    )
    newcomers = Allowance(settings.players_per_address, NEWCOMERS.seconds)
    turnstile = RedisTurnstile(redis, terms)
    store.doorbell.when_signed_out(turnstile.sign_out)
    return Services(
        tables=tables,
        players=Players(
            register,
            store.now,
            tables.leave_all,
            standing.forget,
            attempts,
            pairs_hand_of=tables.pairs_hand_of,
            newcomers=newcomers,
        ),
        tickets=Tickets(pools=pools, **ports),
        pools=pools,
        standing=standing,
        analyses=Analyses(kept=RedisAnalyses(redis), analysed=metrics.count.analysed, **ports),
        metrics=metrics,
        feed=Feed(store, store.feeds),
        turnstile=turnstile,
        stream_terms=terms,
        store=store,
        due=due,
        queue=queue,
    )


def figures(known: StoreFigures, queue: RqQueue) -> Iterator[Metric]:
    """Figures of the moment, read when somebody asks for them."""
    yield gauge(
        "allfives_public_tables", "Public tables by status.", [({"status": name}, n) for name, n in known.tables()]
    )
    yield gauge("allfives_pending_games", "Finished games to be booked.", [({}, known.pending_games())])
    yield gauge(
        "allfives_due_overdue_seconds",
        "How long what is due has been waiting for a clock to take it.",
        [({}, known.overdue_seconds())],
    )
    backlogs = {"due": queue.backlog(), "books": queue.books_backlog(), "slow": queue.slow_backlog()}
    yield gauge(
        "allfives_queue_jobs",
        "Jobs that wait for a worker; missing while the queue store cannot be reached.",
        [({"queue": name}, backlog) for name, backlog in backlogs.items() if backlog is not None],
    )
