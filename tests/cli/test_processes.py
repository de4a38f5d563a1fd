"""The parts by themselves: without a store they say so in one line, with one that is away they wait for it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue
from rq.job import JobStatus
from rq.registry import StartedJobRegistry

from app.cli.logs import Terse
from tests.cli.house import build, free_port


def environ(folder: Path, **more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "QUEUE_URL")}
    return {**inherited, "PYTHONPATH": str(folder), "DATA_DIR": str(folder / "data"), "PORT": str(free_port()), **more}


@pytest.mark.parametrize("part", ["worker", "clock", "web"])
def test_without_any_store_a_part_ends_at_once_with_one_line(tmp_path: Path, part: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "app.cli", part],
        env=environ(tmp_path),
        cwd=build(tmp_path),
        capture_output=True,
        text=True,
        timeout=25,
        check=False,
    )
    [line] = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert line.startswith("allfives: no store: ")
    assert "REDIS_URL" in line


@pytest.mark.parametrize("part", ["worker", "clock"])
def test_a_store_that_is_away_is_said_once_and_waited_for(tmp_path: Path, part: str) -> None:
    output = tmp_path / "output.txt"
    with output.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", part],
            env=environ(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:1/0"),
            cwd=build(tmp_path),
            stderr=stderr,
        )
    try:
        until = time.monotonic() + 30
        while not output.read_text() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(2.5)
        assert process.poll() is None, "it goes on trying"
    finally:
        process.terminate()
        process.wait(10)
    [line] = output.read_text().splitlines()
    assert line.endswith("the store cannot be reached (ConnectionError), trying again")
    assert "secret" not in line


def test_a_job_whose_worker_was_stopped_is_given_up_without_a_word(
    store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Redis.from_url(store_url) as redis, caplog.filtering(Terse()), caplog.at_level(logging.WARNING):
        job = Queue("due", connection=redis).enqueue("app.nothing")
        job.set_status(JobStatus.STARTED)
        redis.zadd("rq:wip:due", {f"{job.id}:one": 1})
        StartedJobRegistry("due", connection=redis).cleanup()
        assert job.get_status() == JobStatus.FAILED
    assert caplog.records == []


def test_libraries_say_what_they_met_in_one_line_and_once() -> None:
    terse = Terse()

    def said(name: str, sentence: str) -> logging.LogRecord:
        lost = ConnectionError("lost")
        return logging.LogRecord(name, logging.ERROR, __file__, 1, sentence, ("w1",), (type(lost), lost, None))

    first = said("rq.worker", "%s: quitting")
    assert terse.filter(first)
    assert first.getMessage() == "w1: quitting (ConnectionError)"
    assert first.exc_info is None
    assert not terse.filter(said("rq.worker", "%s: quitting"))
    assert terse.filter(said("rq.worker", "%s: something else"))
    ours = said("app.api.problems", "%s failed")
    assert terse.filter(ours)
    assert terse.filter(ours)
    assert ours.exc_info is not None, "our own faults keep their traceback"
