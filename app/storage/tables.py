"""Tables on Redis: one look is one round trip, one step is one script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import TypeAlias, cast

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError, RedisError

from app.storage import keys
from app.storage.codec import SCHEMA, Codec
from app.storage.connection import reaching_the_store
from app.storage.doorbell import Doorbell
from app.storage.due import RedisDue
from app.storage.feeds import RedisFeeds
from app.storage.lobby import Lobby
from app.storage.moments import from_ms, moment_of
from app.storage.pending import RedisPending
from app.storage.presence import Presence
from app.storage.replicas import Replicas
from app.storage.table_scripts import ALREADY_WRITTEN, BRING_SEED, COMMIT, PREMOVE, WRITTEN
from app.storage.watch import Watch
from app.tables.events import TableEvent
from app.tables.live import Glance
from app.tables.ports import ClientSeed, Loaded, Step, StoreUnavailable, TableNotFound
from app.tables.premoves import PreMove
from app.tables.table import Table

LOG_PAGE = 1_000
"""Events read in one go when a whole log is folded."""

FIELDS = ("version", "schema", "state", "receipts", "confirmed")

_Entries: TypeAlias = list[tuple[bytes, dict[bytes, bytes]]]


class RedisTables:
    """`TableStore` on Redis.

    A step that was written is never reported as lost, and none is written twice: each `commit` has a name that its
    step's first event carries in the log, so a commit that was sent again after its answer got lost recognises itself.
    If no answer comes at all it raises `StoreUnavailable` and the step is in doubt: it is there or it is not, and the
    asker finds out by trying again with the same `Idempotency-Key`, whose receipt is part of the step.

    With `replicas` a step counts once a replica has it. Until then nobody is rung and nobody can read it: a reader who
    meets a version that is not confirmed yet waits for the replica himself, or gets `StoreUnavailable`.
    """

    def __init__(
        self,
        redis: Redis,
        due: RedisDue,
        *,
        listening: Redis,
        refold: Callable[[Iterable[TableEvent]], Table],
        replicas: bool = False,
        committed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`listening`: a client for the doorbell's subscription; `refold`: the table a whole log makes.

        `committed` is told of every step whether it was written.
        """
        self._redis = redis
        self._due = due
        self._lobby = Lobby(redis)
        self._pending = RedisPending(redis)
        self._codec = Codec()
        self._refold = refold
        self._replicas = Replicas(redis, needed=replicas)
        self._committed = committed
        self._presence = Presence(redis)
        self.doorbell = Doorbell(listening, self.version, self._glance, self.events)
        self.feeds = RedisFeeds(redis, self.doorbell, self._make_sure_of)

    @reaching_the_store()
    def now(self) -> datetime:
        return moment_of(self._redis.time())

    def load(self, table_id: str) -> Loaded:
        looks = self.load_many([table_id])
        if not looks:
            raise TableNotFound(table_id)
        return looks[0]

    @reaching_the_store()
    def load_many(self, table_ids: Sequence[str]) -> Sequence[Loaded]:
        with self._redis.pipeline(transaction=False) as pipeline:
            for table_id in table_ids:
                pipeline.hmget(keys.table(table_id), FIELDS)
                pipeline.hgetall(keys.seen(table_id))
                pipeline.hgetall(keys.client_seeds(table_id))
                pipeline.hgetall(keys.premoves(table_id))
            pipeline.time()
            *answers, time = pipeline.execute()
        now = moment_of(time)
        looks = []
        for table_id, fields, seen, seeds, premoved in zip(
            table_ids, answers[::4], answers[1::4], answers[2::4], answers[3::4], strict=True
        ):
            version, schema, state, receipts, confirmed = fields
            if version is None:
                continue
            self._replicas.make_sure(table_id, version, confirmed)
            table = self._codec.table(schema, state) or self._refold(self._log(table_id, int(version)))
            kept = self._codec.receipts(receipts)
            brought = {player.decode(): seed.decode() for player, seed in seeds.items()}
            premoves, count = self._codec.premoves(premoved)
            looks.append(
                Loaded(
                    table=table,
                    receipts=kept,
                    seen=_present(seen),
                    client_seeds=brought,
                    now=now,
                    premoves=premoves,
                    premove_count=count,
                )
            )
        return looks

    @reaching_the_store()
    def commit(self, step: Step) -> bool:
        written = self._write(step)
        self._committed(written)
        if not written:
            return False
        with suppress(StoreUnavailable):  # an entry too many, which the next reader takes out: the step itself is done
            self._lobby.leave(step)
        return True

    @reaching_the_store()
    def events(self, table_id: str, after: int, limit: int) -> Sequence[TableEvent]:
        with self._redis.pipeline(transaction=False) as pipeline:
            # The version last: it is then no older than any event read, so making sure of it makes sure of them.
            pipeline.xrange(keys.events(table_id), min=f"{max(after, 0) + 1}-0", count=max(limit, 1))
            pipeline.hmget(keys.table(table_id), "version", "confirmed")
            entries, (version, confirmed) = pipeline.execute()
        if version is None:
            raise TableNotFound(table_id)
        self._replicas.make_sure(table_id, version, confirmed)
        return [self._codec.event(fields[b"e"]) for _, fields in entries[:limit]]

    def touch(self, table_id: str, seat: int) -> None:
        self._presence.touch(table_id, seat)

    @reaching_the_store()
    def set_client_seed(self, table_id: str, brought: ClientSeed) -> None:
        BRING_SEED.run(
            self._redis, [keys.table(table_id), keys.client_seeds(table_id)], [brought.player_id, brought.seed]
        )

    @reaching_the_store()
    def set_premove(self, table_id: str, version: int, seat: int, premove: PreMove | None) -> bool:
        said = b"" if premove is None else self._codec.encode(premove)
        return PREMOVE.run(self._redis, [keys.table(table_id), keys.premoves(table_id)], [version, seat, said]) == 1

    def wait(self, table_id: str, version: int, seconds: float) -> bool:
        return self.doorbell.wait(table_id, version, seconds)

    def stop_waiting(self) -> None:
        """Send everybody away who waits; whoever comes later does not wait."""
        self.doorbell.stop()
        self._presence.stop()

    @property
    def stopping(self) -> bool:
        return self.doorbell.stopping

    @contextmanager
    def watch(self, table_id: str) -> Iterator[Watch]:
        """A place to wait at again and again, as streams do: `watch.wait(version, seconds)`."""
        with self.doorbell.watch(table_id) as watch:
            try:
                yield watch
            finally:
                self._presence.leave(watch)

    @reaching_the_store()
    def version(self, table_id: str) -> int:
        """The version readers may have now; 0: no such table."""
        version, confirmed = cast("list[bytes | None]", self._redis.hmget(keys.table(table_id), "version", "confirmed"))
        if version is None:
            return 0
        self._replicas.make_sure(table_id, version, confirmed)
        return int(version)

    def listed(self, status: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        return self._lobby.listed(status, limit, cursor)

    def of_player(self, player_id: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        return self._lobby.of_player(player_id, limit, cursor)

    @reaching_the_store()
    def _glance(self, table_id: str, seat: int | None, watch: Watch) -> Glance:
        look = self._presence.look(table_id, seat, watch)
        if look.version is not None:
            self._replicas.make_sure(table_id, look.version, look.confirmed)
        return Glance(version=int(look.version or 0), seen=_present(look.seen), now=moment_of(look.time))

    def invited(self, code: str) -> str | None:
        return self._lobby.invited(code)

    def inviting(self, player_id: str) -> Sequence[str]:
        return self._lobby.inviting(player_id)

    def _write(self, step: Step) -> bool:
        """Due entry, list entries, notices, the step, the due entry once more: one round trip."""
        name = token_bytes(8)
        arguments = self._arguments(step, name)
        answer, replicas = self._send(step, name, arguments, in_full=False)
        if isinstance(answer, NoScriptError):
            answer, replicas = self._send(step, name, arguments, in_full=True)
        if isinstance(answer, Exception):
            raise answer
        if answer not in (WRITTEN, ALREADY_WRITTEN):
            return False
        if self._replicas.needed:
            self._replicas.confirm(step.table.id, step.table.version, replicas, _players_told(step))
        return True

    def _send(
        self, step: Step, name: bytes, arguments: list[str | bytes | int], *, in_full: bool
    ) -> tuple[object, object]:
        """The script's answer, and how many replicas have the step (where they count)."""
        with self._redis.pipeline(transaction=False) as pipeline:
            self._add_due(step, pipeline)
            self._lobby.expect(step, pipeline)
            self._pending.expect(step, pipeline)
            told_at = len(pipeline)
            if not in_full:  # they are there already
                self.feeds.expect(step, name, pipeline)
            script_at = len(pipeline)
            COMMIT.queue(pipeline, keys.of_table(step.table.id), arguments, in_full=in_full)
            self._add_due(step, pipeline)
            due_at = len(pipeline) - 1
            if self._replicas.needed:
                self._replicas.await_one(pipeline)
            answers = pipeline.execute(raise_on_error=False)
        answer: object = answers[script_at]
        if answer in (WRITTEN, ALREADY_WRITTEN):
            if isinstance(answers[due_at], RedisError):
                self._add_due_again(step)
            if any(isinstance(told, RedisError) for told in answers[told_at:script_at]):
                self._tell_again(step, name)
        return answer, answers[-1]

    def _add_due(self, step: Step, pipeline: Pipeline) -> None:
        if step.due is not None:
            self._due.add_no_later(step.table.id, step.table.version, step.due, pipeline)

    def _add_due_again(self, step: Step) -> None:
        """The store took the step but not its due entry (it has just run out of memory): once more, alone."""
        with self._redis.pipeline(transaction=False) as pipeline:
            self._add_due(step, pipeline)
            pipeline.execute()

    def _tell_again(self, step: Step, name: bytes) -> None:
        """The store took the step but not all that its players are told: once more, alone."""
        with self._redis.pipeline(transaction=False) as pipeline:
            self.feeds.expect(step, name, pipeline)
            pipeline.execute()

    def _arguments(self, step: Step, name: bytes) -> list[str | bytes | int]:
        table = step.table
        seqs = [event.seq for event in step.events]
        if not seqs or seqs != list(range(step.before + 1, table.version + 1)):
            raise ValueError(f"a step from version {step.before} to {table.version} cannot have events {seqs}")
        return [
            step.before,
            table.version,
            table.status,
            SCHEMA,
            self._codec.encode(table),
            self._codec.encode(step.receipts),
            int(step.keep / timedelta(milliseconds=1)),
            name,
            "" if self._replicas.needed else keys.DOORBELL,
            f"{table.id}:{table.version}{_players_told(step)}",
            "" if step.client_seed is None else step.client_seed.player_id,
            "" if step.client_seed is None else step.client_seed.seed,
            "" if step.premove_count is None else str(step.premove_count),
            " ".join(str(seat) for seat in step.premoves_used),
            *(self._codec.encode(event) for event in step.events),
        ]

    def _log(self, table_id: str, version: int) -> Iterator[TableEvent]:
        """The whole log up to this version, page by page."""
        read = 0
        while read < version:
            page = cast(
                "_Entries", self._redis.xrange(keys.events(table_id), f"{read + 1}-0", f"{version}-0", LOG_PAGE)
            )
            if not page:
                raise TableNotFound(table_id)  # it expired while we were reading
            yield from (self._codec.event(fields[b"e"]) for _, fields in page)
            read += len(page)

    def _make_sure_of(self, table_id: str) -> None:
        """Let nobody see what no replica is known to have, of the table as it is now."""
        if self._replicas.needed:
            self.version(table_id)


def _players_told(step: Step) -> str:
    """What the doorbell adds for the players whom the step tells something."""
    return "".join(f" {player_id}" for player_id in dict.fromkeys(notice.player_id for notice in step.notices))


def _present(seen: Mapping[bytes, bytes]) -> dict[int, datetime]:
    return {int(seat): from_ms(ms) for seat, ms in seen.items()}
