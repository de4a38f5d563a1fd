"""Web processes come and go under open streams: nothing is missing, nothing comes twice, nothing hangs."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests

from tests.whole.client import Client, best
from tests.whole.readers import LineReader, PollReader, Reader, SseReader, finish
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
STOPS_WITHIN = 8.0
"""Seconds a web process takes at most: 5 for requests under way, and what a busy machine needs."""


class Games(threading.Thread):
    """Two players play one game after the other at a steady pace until they are told to stop."""

    def __init__(self, url: str, pause: float) -> None:
        super().__init__(daemon=True)
        self.players = [Client(url, "Ann"), Client(url, "Bob")]
        clock = {"hand_break_seconds": 0, "turn_seconds": 120}
        rules = {"target_points": 1000}
        self.table = self.players[0].call("POST", "/tables", {"players": 2, "house_rules": rules, "clock": clock})["id"]
        self.players[1].call("POST", f"/tables/{self.table}/seats", {})
        self.pause = pause
        self.enough = threading.Event()
        self.failure: BaseException | None = None

    @property
    def token(self) -> str:
        return str(self.players[0].session.headers["Authorization"])

    def run(self) -> None:
        try:
            with ThreadPoolExecutor(2) as pool:
                for game in [pool.submit(self.play, player) for player in self.players]:
                    game.result()
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            self.failure = failure

    def play(self, player: Client) -> None:
        view = player.table(self.table)
        while view["status"] == "playing" and not self.enough.is_set():
            moves = view["you"]["legal_moves"]
            if moves:
                time.sleep(self.pause)
                view = player.move(self.table, best(moves))["table"]
            else:
                view = player.table(self.table, newer_than=view["version"], wait=2, until="my_turn")

    def finish(self) -> int:
        """Stop; the table's version then."""
        self.enough.set()
        self.join(60)
        assert self.failure is None, self.failure
        return int(self.players[0].table(self.table)["version"])

    def everything_was_done_once(self) -> None:
        spans = sorted(span for player in self.players for span in player.acknowledged[self.table])
        assert all(before[1] < after[0] for before, after in pairwise(spans))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, LOG_LEVEL="warning", WEB_PROCESSES="2", STREAMS_PER_TOKEN="1000")
    yield running
    assert running.stop() == []


def web_workers(service: Service) -> list[psutil.Process]:
    """The processes that answer, without the one that looks after them."""
    everybody = service.processes_named("gunicorn")
    pids = {process.pid for process in everybody}
    return [process for process in everybody if process.ppid() in pids]


def replaced(service: Service, old: psutil.Process, number: int) -> bool:
    workers = web_workers(service)
    return old.pid not in [worker.pid for worker in workers] and len(workers) >= number and service.ready()


def restart_one(service: Service, worker: psutil.Process, number: int, signum: int) -> float:
    """Stop one process and wait for its successor; how long the old one took to end."""
    began = time.monotonic()
    worker.send_signal(signum)
    psutil.wait_procs([worker], timeout=STOPS_WITHIN)
    took = time.monotonic() - began
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE, f"it took longer than {took} s"
    service.wait_until(lambda: replaced(service, worker, number), "there is a new process")
    return took


def all_have_exactly_the_log(readers: list[Reader], games: Games, version: int) -> None:
    poll = PollReader(games.players[0].url, f"/tables/{games.table}/events", games.token)
    while not poll.events or poll.events[-1]["seq"] < version:
        poll.connect()
    log = poll.events[:version]
    for reader in readers:
        reader.wait_for(version)
    finish(*readers)
    for reader in readers:
        assert reader.events[:version] == log, f"{type(reader).__name__}: {reader.seqs}"
        assert reader.refusals == []


def test_fifty_streams_over_a_rolling_restart_of_two_processes(service: Service) -> None:
    service.start()
    games = Games(service.url, pause=0.05)
    kinds: list[tuple[type[Reader], str]] = [(SseReader, "stream"), (LineReader, "events.ndjson")]
    readers = [kind(service.url, f"/tables/{games.table}/{end}", games.token) for kind, end in kinds * 25]
    for thread in [games, *readers]:
        thread.start()
    for reader in readers:
        reader.wait_for(10)
    old = web_workers(service)
    assert len(old) == 2
    for worker in old:
        restart_one(service, worker, 2, signal.SIGTERM)
        time.sleep(1)
    assert not {worker.pid for worker in old} & {worker.pid for worker in web_workers(service)}
    assert all(reader.connections >= 2 for reader in readers), "everyone had to come back"
    # And once more the hard way.
    for worker in web_workers(service):
        restart_one(service, worker, 2, signal.SIGKILL)
        time.sleep(0.5)
    all_have_exactly_the_log(readers, games, games.finish())
    games.everything_was_done_once()


def test_a_hundred_streams_on_four_processes_that_stop_under_load(tmp_path: Path) -> None:
    service = Service(tmp_path, LOG_LEVEL="warning", WEB_PROCESSES="4", STREAMS_PER_TOKEN="1000")
    service.start()
    try:
        # Two games of two players, twenty moves a second together.
        all_games = [Games(service.url, pause=0.1) for _ in range(2)]
        readers = {
            games: [SseReader(service.url, f"/tables/{games.table}/stream", games.token) for _ in range(50)]
            for games in all_games
        }
        followers = [reader for some in readers.values() for reader in some]
        for thread in [*all_games, *followers]:
            thread.start()
        for reader in followers:
            reader.wait_for(10)
        restart_one(service, web_workers(service)[0], 4, signal.SIGTERM)
        began = time.monotonic()
        assert service.stop() == []
        assert time.monotonic() - began < 2 * STOPS_WITHIN
        service.start()
        time.sleep(2)
        for games in all_games:
            all_have_exactly_the_log(list(readers[games]), games, games.finish())
            games.everything_was_done_once()
    finally:
        assert service.stop() == []


def test_cursors_mean_the_same_after_everything_was_restarted(service: Service) -> None:
    service.start()
    games = Games(service.url, pause=0)
    games.start()
    first = SseReader(service.url, f"/tables/{games.table}/stream", games.token)
    first.start()
    first.wait_for(10)
    version = games.finish()
    first.wait_for(version)
    finish(first)
    assert service.stop() == []
    service.start()
    kinds: list[tuple[type[Reader], str]] = [
        (SseReader, "stream"),
        (LineReader, "events.ndjson"),
        (PollReader, "events"),
    ]
    again = {
        (kind(service.url, f"/tables/{games.table}/{path}", games.token, after=after), after)
        for kind, path in kinds
        for after in (0, 5, 8, version - 1)
    }
    for reader, _ in again:
        reader.start()
    for reader, _ in again:
        reader.wait_for(version)
    finish(*(reader for reader, _ in again))
    for reader, after in again:
        assert reader.events == first.events[after:], (type(reader), after)
    for sent, wanted in (({"Last-Event-ID": "7"}, 8), ({}, 4)):
        assert first_seq(service, games, sent) == wanted


def first_seq(service: Service, games: Games, headers: dict[str, str]) -> Any:
    """The first event for `?after=3` and these headers."""
    reader = LineReader(service.url, f"/tables/{games.table}/events.ndjson", games.token, after=3)
    reader.headers |= headers
    reader.start()
    reader.wait_for(9)
    finish(reader)
    return reader.seqs[0]


def test_whoever_waits_when_a_process_stops_is_answered(service: Service) -> None:
    service.start()
    ann = Client(service.url, "Ann")
    table = ann.call("POST", "/tables", {"players": 2})["id"]
    ticket = ann.call("POST", "/tickets", {"players": 4})["id"]
    paths = [
        f"/tables/{table}/events?after=2&wait=25",
        f"/tables/{table}?newer_than=2&wait=25",
        f"/tables/{table}?newer_than=0&until=my_turn&wait=25",
        "/me/events?after=now&wait=25",
        f"/tickets/{ticket}?wait=25",
    ]
    headers = {"Authorization": str(ann.session.headers["Authorization"])}

    def ask(path: str) -> int:
        return requests.get(f"{service.url}/v1{path}", headers=headers, timeout=30).status_code

    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(ask, path) for path in paths * 4]
        time.sleep(2)
        assert not any(answer.done() for answer in asked)
        for worker in web_workers(service):
            restart_one(service, worker, 2, signal.SIGTERM)
        assert [answer.result(20) for answer in asked] == [200] * 20
