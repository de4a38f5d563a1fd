"""Asking a worker never fails a move: not when the queue store is away, nor when it is asked often meanwhile."""

from __future__ import annotations

import logging
import time

import pytest
from redis import Redis
from rq import Queue
from rq.exceptions import DeserializationError

from app.storage.queue import ADVANCE, AGAIN_BACKLOG, ANALYSE, BOOK, FAILED_KEPT, OF_CLERK, JobRefused, OurJob, RqQueue


def waiting(redis: Redis) -> list[OurJob]:
    jobs = Queue("due", connection=redis, serializer="json", job_class=OurJob).jobs
    return [job for job in jobs if isinstance(job, OurJob)]


def test_a_job_names_table_and_version(redis: Redis) -> None:
    queue = RqQueue(redis)
    queue.advance("T1", 7)
    assert queue.advance_many([("T2", 1), ("T2", 1)]) is True
    jobs = waiting(redis)
    assert [tuple(job.args) for job in jobs] == [("T1", 7), ("T2", 1), ("T2", 1)]
    assert {job.func_name for job in jobs} == {ADVANCE}
    assert {(job.result_ttl, job.failure_ttl) for job in jobs} == {(0, FAILED_KEPT)}
    assert queue.backlog() == 3


def test_a_queue_store_that_is_away_is_said_once_and_left_alone_for_a_second(
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue = RqQueue.at("redis://127.0.0.1:1/0")
    with caplog.at_level(logging.WARNING):
        begun = time.monotonic()
        for _ in range(1000):
            queue.advance("T1", 7)
        assert queue.backlog() is None
        if time.monotonic() - begun < 1:
            assert len(caplog.records) == 1
    assert queue.advance_many([("T1", 7)]) is False


def test_it_is_used_again_when_it_is_back(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.storage.queue.REST", 0.0)
    queue = RqQueue(redis)
    away = RqQueue.at("redis://127.0.0.1:1/0")
    away.advance("T1", 7)
    away._queue = queue._queue
    away.advance("T1", 8)
    assert [tuple(job.args) for job in waiting(redis)] == [("T1", 8)]


def test_analyses_are_asked_for_by_ids_and_games_to_book_come_before_them_in_their_order(redis: Redis) -> None:
    queue = RqQueue(redis)
    queue.analyse("T1", 3)
    queue.analyse("T2", 1)
    queue.book("T8")
    queue.book("T9")
    found = [
        (job.func_name, tuple(job.args), job.kwargs)
        for name in OF_CLERK
        for job in Queue(name, connection=redis, serializer="json", job_class=OurJob).jobs
    ]
    assert found == [
        (BOOK, ("T8",), {}),
        (BOOK, ("T9",), {}),
        (ANALYSE, ("T1", 3), {}),
        (ANALYSE, ("T2", 1), {}),
    ]


def test_an_analysis_is_asked_for_again_unless_many_jobs_wait(redis: Redis) -> None:
    queue = RqQueue(redis)
    for number in range(AGAIN_BACKLOG):
        queue.analyse("T1", number)
    queue.analyse("T1", 1, again=True)
    assert queue.slow_backlog() == AGAIN_BACKLOG + 1
    queue.analyse("T1", 1, again=True)
    assert queue.slow_backlog() == AGAIN_BACKLOG + 1
    queue.analyse("T2", 1)
    assert queue.slow_backlog() == AGAIN_BACKLOG + 2


@pytest.mark.parametrize("name", ["os.system", "app.workers.jobs.Advance", "", "app.workers.jobs"])
def test_a_job_with_another_function_is_refused(redis: Redis, name: str) -> None:
    job = OurJob.create(ADVANCE, args=("T1", 1), connection=redis, serializer="json")
    job.func_name = name
    with pytest.raises(JobRefused):
        _ = job.func


def test_a_pickled_job_is_not_even_read(redis: Redis) -> None:
    Queue("due", connection=redis).enqueue("os.system", "true")
    (job,) = waiting(redis)
    with pytest.raises((JobRefused, DeserializationError)):
        _ = job.func
