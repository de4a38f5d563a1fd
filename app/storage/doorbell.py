"""One subscription per process tells waiting requests that their table has moved on, or that their player has news.

A ring is a hint: waiters subscribe first, then read the version, and read it again every `READ_AGAIN` seconds and
whenever the subscription was renewed, so a lost ring costs time, never an event. Only `threading` is used here, which
gevent replaces; the thread starts at the first wait, in the process that waits.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TypeVar

from redis import Redis
from redis.client import PubSub
from redis.exceptions import RedisError

from app.storage import keys
from app.storage.tail import Tail
from app.storage.watch import Bell, Watch
from app.tables.events import TableEvent
from app.tables.live import Glance

LISTEN_SECONDS = 0.25
"""Seconds one look at the subscription may block; `stop` takes no longer."""
AFTER_FAILURE = 0.2
"""Seconds until a broken subscription is renewed."""

log = logging.getLogger(__name__)


Place = TypeVar("Place", Watch, Bell)


class Doorbell:
    """The process's ear at the store; a ring costs what the waiters of that one table cost."""

    def __init__(
        self,
        redis: Redis,
        read_version: Callable[[str], int],
        glance: Callable[[str, int | None, Watch], Glance] | None = None,
        read: Callable[[str, int, int], Sequence[TableEvent]] | None = None,
        channel: str = keys.DOORBELL,
    ) -> None:
        """`redis`: a client of its own for the subscription; `read_version`: a table's version now, 0 for none.

        On another `channel` something else than tables may ring, if it has ids and versions; it needs no `glance`.
        """
        self._channel = channel
        self._redis = redis
        self._read_version = read_version
        self._glance = glance or _nobody_there
        self._read = read or _nothing_to_read
        self._lock = threading.Lock()
        self._watches: dict[str, set[Watch]] = {}
        """By table."""
        self._tails: dict[str, Tail] = {}
        """Of the tables that are watched."""
        self._bells: dict[str, set[Bell]] = {}
        """By player."""
        self._sign_out: Callable[[str, str], None] = lambda _player_id, _token_id: None
        self._listener: threading.Thread | None = None
        self._stopping = threading.Event()
        me = weakref.ref(self)

        def after_fork() -> None:
            doorbell = me()
            if doorbell is not None:
                doorbell._forget_everything()  # noqa: SLF001

        os.register_at_fork(after_in_child=after_fork)

    def wait(self, table_id: str, version: int, seconds: float) -> bool:
        """Block until the table's version is above `version`; False: time ran out, or the process is stopping.

        Raises:
            StoreUnavailable: the version could not be read.
        """
        with self.watch(table_id) as watch:
            return watch.wait(version, seconds)

    @contextmanager
    def watch(self, table_id: str) -> Iterator[Watch]:
        """A place to wait again and again, as streams do, without a subscription or a read each time."""
        with self._lock:
            tail = self._tails.setdefault(table_id, Tail(lambda after, limit: self._read(table_id, after, limit)))
        watch = Watch(lambda: self._read_version(table_id), lambda seat, me: self._glance(table_id, seat, me), tail)
        try:
            with self._at(self._watches, table_id, watch):
                yield watch
        finally:
            with self._lock:
                if table_id not in self._watches:
                    self._tails.pop(table_id, None)

    @contextmanager
    def listen(self, player_id: str) -> Iterator[Bell]:
        """A place to wait again and again for news of one player."""
        bell = Bell()
        with self._at(self._bells, player_id, bell):
            yield bell

    def when_signed_out(self, sign_out: Callable[[str, str], None]) -> None:
        """Call this with the player and the token that lets him in no more (`keys.EVERY_TOKEN`: none does any more).

        It must not block. Then the player's bells ring.
        """
        self._sign_out = sign_out

    def stop(self) -> None:
        """Send everybody away and end the subscription; those who come later do not wait."""
        with self._lock:
            self._stopping.set()
            listener = self._listener
            for place in self._everybody():
                place.stop()
        if listener is not None:
            listener.join(LISTEN_SECONDS * 4)

    @property
    def stopping(self) -> bool:
        """Nobody waits any longer."""
        return self._stopping.is_set()

    @property
    def waiting(self) -> int:
        """Requests at the door now."""
        with self._lock:
            return len(self._everybody())

    def _forget_everything(self) -> None:
        self._lock = threading.Lock()
        self._watches = {}
        self._tails = {}
        self._bells = {}
        self._listener = None
        self._stopping = threading.Event()

    @contextmanager
    def _at(self, places: dict[str, set[Place]], name: str, place: Place) -> Iterator[None]:
        """Have this place among those of that name until the block ends."""
        with self._lock:
            if self._stopping.is_set():
                place.stop()
            places.setdefault(name, set()).add(place)
            if self._listener is None:
                self._listener = threading.Thread(target=self._listen, name="doorbell", daemon=True)
                self._listener.start()
        try:
            yield
        finally:
            with self._lock:
                others = places[name]
                others.discard(place)
                if not others:
                    del places[name]

    def _everybody(self) -> list[Watch | Bell]:
        return [*_all(self._watches), *_all(self._bells)]

    def _listen(self) -> None:
        stopping = self._stopping
        reported = False
        while not stopping.is_set():
            try:
                with closing(self._redis.pubsub()) as pubsub:  # type: ignore[no-untyped-call]
                    pubsub.subscribe(self._channel)
                    while not stopping.is_set():
                        if self._hear(pubsub):
                            reported = False
            except (RedisError, OSError) as error:
                if not reported:
                    log.warning("doorbell: subscription lost (%s), renewing it", type(error).__name__)
                reported = True
                stopping.wait(AFTER_FAILURE)

    def _hear(self, pubsub: PubSub) -> bool:
        message = pubsub.get_message(timeout=LISTEN_SECONDS)
        if message is None:
            return False
        if message["type"] == "subscribe":
            with self._lock:
                watches, bells = _all(self._watches), _all(self._bells)
                tails = list(self._tails.values())
            for tail in tails:
                tail.forget()
            for watch in watches:
                watch.doubt()
            for bell in bells:
                bell.ring()
        elif message["type"] == "message":
            self._pass_on(*message["data"].decode().split(" "))
        return True

    def _pass_on(self, news: str, *player_ids: str) -> None:
        name, _, told = news.rpartition(":")
        with self._lock:
            watches = list(self._watches.get(name, ()))
            bells = [bell for player_id in player_ids for bell in self._bells.get(player_id, ())]
        if told == keys.GONE:
            for player_id in player_ids:
                self._sign_out(player_id, name)
            watches = []  # a token's id is no table's
        for watch in watches:
            if told == keys.SEEN:
                watch.stir()
            else:
                watch.ring(int(told))
        for bell in bells:
            bell.ring()


def _nobody_there(name: str, seat: int | None, watch: Watch) -> Glance:
    raise LookupError(f"{name} has no seat {seat} for {watch}")


def _nothing_to_read(name: str, after: int, limit: int) -> Sequence[TableEvent]:
    raise LookupError(f"{name} has no log to read {limit} entries of after {after}")


def _all(places: dict[str, set[Place]]) -> list[Place]:
    return [place for there in places.values() for place in there]
