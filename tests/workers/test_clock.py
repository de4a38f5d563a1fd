"""One look of the clock after the other, with the store real and time the test's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from redis import Redis

from app.storage import keys
from app.storage.due import RedisDue
from app.storage.lease import Lease
from app.storage.tables import RedisTables
from app.tables.ports import StoreUnavailable
from app.workers.clock import BACKLOG, COMES_WITHIN, PATIENCE, Clock
from app.workers.crew import Crew, Entry
from tests.storage.steps import host, opened, then
from tests.workers.conftest import eventually


class Jobs:
    """Remembers what was asked; a test says what state the queue is in."""

    def __init__(self) -> None:
        self.asked: list[Entry] = []
        self.waiting: int | None = 0
        self.reachable = True

    def advance_many(self, entries: Sequence[Entry]) -> bool:
        if self.reachable:
            self.asked += entries
        return self.reachable

    def backlog(self) -> int | None:
        return self.waiting


class Hour:
    """The clock's monotonic time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("app.workers.clock.time.monotonic", lambda: self.now)


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


@pytest.fixture
def done() -> list[Entry]:
    """What the clock did itself."""
    return []


@pytest.fixture
def clock(redis: Redis, due: RedisDue, jobs: Jobs, done: list[Entry]) -> Clock:
    return a_clock(redis, due, jobs, done)


def a_clock(redis: Redis, due: RedisDue, jobs: Jobs, done: list[Entry]) -> Clock:
    lease = Lease(redis, keys.CLOCK_LEASE, 60_000)
    return Clock(due, jobs, lease, lambda table_id, version: done.append((table_id, version)))


def overdue(tables: RedisTables, table_id: str = "T1") -> None:
    tables.commit(opened(table_id, due=tables.now() - timedelta(seconds=1)))


def left(redis: Redis) -> int:
    return sum(redis.zcard(keys.due(shard)) for shard in range(keys.DUE_SHARDS))


def make_due_again(due: RedisDue, tables: RedisTables, version: int = 1) -> None:
    due.add("T1", version, tables.now() - timedelta(seconds=1))


def test_a_worker_is_asked_first(clock: Clock, tables: RedisTables, jobs: Jobs, done: list[Entry]) -> None:
    overdue(tables)
    clock.look()
    assert jobs.asked == [("T1", 1)]
    clock.look()
    assert (jobs.asked, done) == ([("T1", 1)], [])


def test_what_no_worker_has_done_in_time_the_clock_does(
    clock: Clock, tables: RedisTables, done: list[Entry], hour: Hour
) -> None:
    overdue(tables)
    clock.look()
    hour.now += PATIENCE
    clock.look()
    eventually(lambda: done == [("T1", 1)])


def test_what_a_worker_has_done_is_left_alone_and_forgotten(
    clock: Clock, tables: RedisTables, redis: Redis, done: list[Entry], hour: Hour
) -> None:
    overdue(tables)
    clock.look()
    tables.commit(then(opened("T1").table, host("bob")))
    hour.now += PATIENCE
    clock.look()
    assert done == []
    assert left(redis) == 0


def test_without_a_queue_the_clock_does_it_at_the_next_look(
    clock: Clock, tables: RedisTables, jobs: Jobs, done: list[Entry], hour: Hour
) -> None:
    jobs.reachable = False
    overdue(tables)
    clock.look()
    clock.look()
    eventually(lambda: done == [("T1", 1)])


def test_an_entry_whose_version_has_gone_by_is_removed_unasked(
    clock: Clock, tables: RedisTables, due: RedisDue, redis: Redis, jobs: Jobs
) -> None:
    overdue(tables)
    tables.commit(then(opened("T1").table, host("bob")))
    clock.look()
    assert jobs.asked == []
    assert left(redis) == 0


def test_an_entry_ahead_of_its_version_is_kept_until_it_comes(  # noqa: PLR0917
    clock: Clock, tables: RedisTables, due: RedisDue, redis: Redis, jobs: Jobs, hour: Hour
) -> None:
    tables.commit(opened("T1"))
    make_due_again(due, tables, 2)
    clock.look()
    assert (jobs.asked, left(redis)) == ([], 1)
    hour.now += COMES_WITHIN - 1
    make_due_again(due, tables, 2)
    clock.look()
    assert (jobs.asked, left(redis)) == ([], 1)
    tables.commit(then(opened("T1").table, host("bob")))
    make_due_again(due, tables, 2)
    clock.look()
    assert jobs.asked == [("T1", 2)]


def test_an_entry_whose_version_never_comes_goes_in_the_end(
    clock: Clock, tables: RedisTables, due: RedisDue, redis: Redis, hour: Hour
) -> None:
    make_due_again(due, tables)
    clock.look()
    hour.now += COMES_WITHIN + 1
    make_due_again(due, tables)
    clock.look()
    assert left(redis) == 0


def test_a_lost_job_is_asked_for_again_but_not_on_top_of_a_full_queue(
    clock: Clock, tables: RedisTables, due: RedisDue, jobs: Jobs, hour: Hour
) -> None:
    overdue(tables)
    clock.look()
    jobs.waiting = BACKLOG + 1
    make_due_again(due, tables)
    clock.look()
    assert jobs.asked == [("T1", 1)]
    jobs.waiting = 0
    make_due_again(due, tables)
    clock.look()
    assert jobs.asked == [("T1", 1)] * 2


def test_of_two_clocks_one_looks(  # noqa: PLR0917
    clock: Clock, tables: RedisTables, redis: Redis, due: RedisDue, jobs: Jobs, done: list[Entry], hour: Hour
) -> None:
    second = a_clock(redis, due, jobs, done)
    clock.look()
    overdue(tables)
    second.look()
    assert jobs.asked == []
    clock._lease.release()
    second.look()
    assert jobs.asked == [("T1", 1)]
    hour.now += 1
    clock.look()
    assert clock._active is False


def test_a_lease_runs_out_by_itself(redis: Redis) -> None:
    first, second = Lease(redis, "lease", 60_000), Lease(redis, "lease", 60_000)
    assert first.hold()
    assert first.hold()
    assert not second.hold()
    second.release()
    assert not second.hold()
    redis.pexpire("lease", 0)
    assert second.hold()
    assert not first.hold()
    assert 0 < redis.pttl("lease") <= 60_000


def test_notes_on_entries_that_others_removed_do_not_pile_up(
    clock: Clock, tables: RedisTables, due: RedisDue, hour: Hour
) -> None:
    overdue(tables)
    make_due_again(due, tables, 7)
    clock.look()
    due.remove("T1", 1)
    due.remove("T1", 7)
    for _ in range(3):
        hour.now += 2 * COMES_WITHIN
        clock.look()
    assert (clock._asked, clock._ahead, clock._ripe_at) == ({}, {}, {})


def test_a_crew_does_each_entry_once_at_a_time_and_outlives_what_fails(caplog: pytest.LogCaptureFixture) -> None:
    done: list[Entry] = []

    def work(table_id: str, version: int) -> None:
        if version == 1:
            raise StoreUnavailable
        if version == 2:
            raise ValueError("the holding is 55 64")
        done.append((table_id, version))

    crew = Crew(work, threads=1, waiting=10)
    for version in (1, 2, 3):
        crew.give(("T1", version))
    eventually(lambda: done == [("T1", 3)])
    eventually(lambda: crew.give(("T1", 3)))
    eventually(lambda: done == [("T1", 3)] * 2)
    assert "ValueError" in caplog.text
    assert "55" not in caplog.text
