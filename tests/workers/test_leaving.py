"""Being asked to stop in the middle of anything: what was taken is done, and nothing is thrown at what is under way."""

from __future__ import annotations

from typing import cast

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested

from app.storage.lease import Lease
from app.storage.queue import DUE, OurJob
from app.workers.clock import Clock
from app.workers.launcher import OurWorker


@pytest.fixture
def worker(redis: Redis) -> OurWorker:
    Queue(DUE, connection=redis, serializer="json").enqueue("app.nothing")
    return OurWorker([DUE], connection=redis, job_class=OurJob, serializer="json")


def test_a_worker_that_waits_takes_no_job_any_more(worker: OurWorker, redis: Redis) -> None:
    worker.leave()
    with pytest.raises(StopRequested):
        worker.dequeue_job_and_maintain_ttl(1)
    assert Queue(DUE, connection=redis).count == 1


def test_a_worker_that_has_just_taken_a_job_does_it(
    worker: OurWorker, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimpleWorker, "reorder_queues", lambda self, reference_queue: self.leave())
    taken = worker.dequeue_job_and_maintain_ttl(1)
    assert taken is not None
    assert taken[0].func_name == "app.nothing"
    assert Queue(DUE, connection=redis).count == 0
    worker.heartbeat()


class Looking(Clock):
    """Asked to leave in its first look, or in the pause after it."""

    def __init__(self) -> None:
        self._leaving = self._pausing = self._active = False
        self._lease = cast("Lease", self)
        self.done: list[str] = []

    def look(self) -> None:
        self.done.append("begun")
        self.leave()
        self.done.append("ended")

    def release(self) -> None:
        self.done.append("released")


def test_a_clock_ends_its_look_and_gives_the_lease_back() -> None:
    clock = Looking()
    clock.run()
    assert clock.done == ["begun", "ended", "released"]


def test_a_clock_that_pauses_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Looking()
    monkeypatch.setattr(clock, "look", lambda: clock.done.append("looked"))
    monkeypatch.setattr("app.workers.clock.time.sleep", lambda _: clock.leave())
    with pytest.raises(SystemExit) as ended:
        clock.run()
    assert (ended.value.code, clock.done) == (0, ["looked", "released"])
