"""What players are told over all of their tables: one stream a player, of bounded length, by one cursor.

Nothing is lost when a process dies between two writes: an entry is written before the step that causes it, in the same
round trip, and carries the `seq` and the name of that step's first event. Whoever reads an entry looks there: the event
with that name means that it came true, another event that it never will. No event yet: the step may be under way, so
reading ends before the entry; once it is older than any commit can take, the step has failed and the entry is passed
over. A commit that was sent twice may leave its entries twice: a feed is read at least once.

Cursors are times: an entry's id `MS-N` is the `seq` `MS * 1000 + N`, so they grow even when a feed has expired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, cast

from msgspec.msgpack import Decoder, Encoder
from redis import Redis
from redis.client import Pipeline

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.doorbell import Doorbell
from app.storage.watch import Bell
from app.tables.notices import Entry, Notice
from app.tables.ports import Step

ENTRIES = 2_000
"""About how many entries of a player are kept, the newest."""
KEPT_FOR = 7 * 86_400_000
"""Milliseconds a feed is kept after its last entry."""
UNDER_WAY = 10_000
"""Milliseconds after which a step whose entry is there is not under way any more: longer than all tries of a commit."""
TAIL = 50
"""Newest entries among which one may still be under way."""

_Entries: TypeAlias = list[tuple[bytes, dict[bytes, bytes]]]

UNDECIDED = None
"""Neither true nor false yet: whether an entry has come true is not known while its step may be under way."""


class RedisFeeds:
    """`Feeds` on Redis."""

    def __init__(self, redis: Redis, doorbell: Doorbell, make_sure: Callable[[str], object]) -> None:
        """`make_sure`: where replicas count, that readers may have a table as it is."""
        self._redis = redis
        self._doorbell = doorbell
        self._make_sure = make_sure
        self._encoder = Encoder()
        self._notices = Decoder(Notice)

    def expect(self, step: Step, name: bytes, pipeline: Pipeline) -> None:
        """Add to a pipeline, to run before the step is written under this name: its entries."""
        for notice in step.notices:
            self._add(notice, {"f": step.before + 1, "n": name}, pipeline)

    @reaching_the_store()
    def tell(self, notice: Notice) -> None:
        with self._redis.pipeline(transaction=False) as pipeline:
            self._add(notice, {}, pipeline)
            pipeline.publish(keys.DOORBELL, f": {notice.player_id}")
            pipeline.execute()

    @reaching_the_store()
    def read(self, player_id: str, after: int, limit: int) -> Sequence[Entry]:
        found: list[Entry] = []
        while len(found) < limit:
            stored = cast(
                "_Entries", self._redis.xrange(keys.feed(player_id), min=f"({_id_of(after)}", max="+", count=limit)
            )
            for entry, happened in self._judged(stored):
                if happened is UNDECIDED:
                    return found
                after = entry.seq
                if happened:
                    found.append(entry)
            if len(stored) < limit:
                break
        return found[:limit]

    @reaching_the_store()
    def newest(self, player_id: str) -> int:
        stored = cast("_Entries", self._redis.xrevrange(keys.feed(player_id), count=TAIL))
        newest = 0
        for entry, happened in self._judged(stored[::-1]):
            if happened is UNDECIDED:
                return newest or entry.seq - 1
            newest = entry.seq
        return newest

    @reaching_the_store()
    def latest(self, player_id: str) -> int:
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.xrevrange(keys.feed(player_id), count=1)
            pipeline.time()
            last, (seconds, microseconds) = pipeline.execute()
        now: int = seconds * 1_000_000 + microseconds
        newest: list[int] = [_seq_of(entry_id) for entry_id, _ in last]
        return max(now, *newest, 0)

    @contextmanager
    def listen(self, player_id: str) -> Iterator[Bell]:
        with self._doorbell.listen(player_id) as bell:
            yield bell

    def _add(self, notice: Notice, cause: dict[str, bytes | int], pipeline: Pipeline) -> None:
        key = keys.feed(notice.player_id)
        fields = {"d": self._encoder.encode(notice), **cause}
        pipeline.xadd(key, fields, maxlen=ENTRIES, approximate=True)  # type: ignore[arg-type]  # its stub is invariant
        pipeline.pexpire(key, KEPT_FOR)

    def _judged(self, stored: _Entries) -> Iterator[tuple[Entry, bool | None]]:
        """Each entry, and whether it came true; UNDECIDED while it still may."""
        if not stored:
            return
        entries = [
            (Entry(seq=_seq_of(entry_id), notice=self._notices.decode(fields[b"d"])), fields)
            for entry_id, fields in stored
        ]
        with self._redis.pipeline(transaction=False) as pipeline:
            for entry, fields in entries:
                if b"n" in fields:
                    first = f"{int(fields[b'f'])}-0"
                    pipeline.xrange(keys.events(entry.notice.table), first, first)
            pipeline.time()
            *firsts, (seconds, microseconds) = pipeline.execute()
        now = seconds * 1000 + microseconds // 1000
        for table_id in {entry.notice.table for entry, fields in entries if b"n" in fields}:
            self._make_sure(table_id)
        events = iter(firsts)
        for entry, fields in entries:
            if b"n" not in fields:
                yield entry, True
                continue
            event = next(events)
            if event:
                yield entry, event[0][1].get(b"n") == fields[b"n"]
            else:
                yield entry, False if now - entry.seq // 1000 > UNDER_WAY else UNDECIDED


def _seq_of(entry_id: bytes) -> int:
    """
    >>> _seq_of(b"1700000000000-3")
    1700000000000003
    """
    milliseconds, _, number = entry_id.decode().partition("-")
    return int(milliseconds) * 1000 + int(number)


def _id_of(seq: int) -> str:
    return f"{seq // 1000}-{seq % 1000}"
