"""Two thousand streams on one machine while others play: `python tests/bench/bench_streams.py [streams]`.

Starts the whole service on a port and a folder of its own, opens the streams (half of them of seated players, at a
hundred tables, half of spectators), plays at the tables, prints its figures and stops everything.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.crowd import Crowd, Wanted, raise_file_limit
from tests.whole.client import Client, best
from tests.whole.service import Service

STREAMS = 2_000
TABLES = 50
SECONDS = 20.0
"""Seconds of play that are measured."""


def measure(streams: int) -> dict[str, float]:
    """Open, play, close; the figures."""
    raise_file_limit()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), LOG_LEVEL="warning", STREAMS_PER_TOKEN="100000", STREAMS_PER_ADDRESS="100000")
        service.start()
        try:
            return _measure(service, streams)
        finally:
            service.stop()


def _measure(service: Service, streams: int) -> dict[str, float]:
    tables, players = [], []
    for number in range(min(TABLES, max(1, streams // 20))):
        pair = [Client(service.url, f"{name} {number}") for name in ("Ann", "Bob")]
        rules = {"target_points": 10_000}
        table = pair[0].call(
            "POST", "/tables", {"players": 2, "house_rules": rules, "clock": {"hand_break_seconds": 0}}
        )
        pair[1].call("POST", f"/tables/{table['id']}/seats", {})
        tables.append(table["id"])
        players.append(pair)
    wanted: list[Wanted] = []
    for number in range(streams):
        at = number % len(tables)
        player = players[at][number // len(tables) % 2]
        seated = number // len(tables) % 4 < 2
        wanted.append((tables[at], str(player.session.headers["Authorization"]) if seated else None))
    figures: dict[str, float] = {"streams": streams}
    figures["move alone, median ms"], figures["move alone, p99 ms"] = spread(moves(players[:8], tables[:8], 5.0)[0])
    memory = web_memory(service)
    began = time.monotonic()
    crowd = Crowd(service.port, wanted)
    figures["opened within, s"] = time.monotonic() - began
    time.sleep(10)
    figures["KiB a stream"] = (web_memory(service) - memory) / streams / 1024
    before = used_by(service)
    time.sleep(10)
    figures["cores used by idle streams"] = (used_by(service) - before) / 10
    before = used_by(service)
    taken, posted = moves(players[:8], tables[:8], SECONDS)
    figures["cores used while playing"] = (used_by(service) - before) / SECONDS
    figures["move among streams, median ms"], figures["move among streams, p99 ms"] = spread(taken)
    figures["moves a second"] = len(taken) / SECONDS
    time.sleep(2)
    told = crowd.close()
    late = [(came - posted[at]) * 1000 for at, arrivals in told.arrived.items() if at in posted for came in arrivals]
    figures["event at a stream after its move was sent, median ms"], figures["… p99 ms"] = spread(late)
    figures["events at streams a second"] = len(late) / SECONDS
    figures["events missing or twice"] = told.wrong
    figures["refused"] = crowd.refused
    return figures


def moves(
    players: list[list[Client]], tables: list[str], seconds: float
) -> tuple[list[float], dict[tuple[str, int], float]]:
    """Both players of each table move, a little slower than they could: milliseconds of each, and when it was sent."""
    taken: list[float] = []
    posted: dict[tuple[str, int], float] = {}

    def play(pair: list[Client], table: str) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            view = pair[0].table(table)
            if view["status"] != "playing":
                return
            player = pair[view["hand"]["turn"]]
            move = best(player.table(table)["you"]["legal_moves"])
            sent = time.perf_counter()
            answer = player.move(table, move)
            taken.append((time.perf_counter() - sent) * 1000)
            posted.update({(table, event["seq"]): sent for event in answer["events"]})
            time.sleep(0.2)

    threads = [threading.Thread(target=play, args=at) for at in zip(players, tables, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken, posted


def spread(milliseconds: list[float]) -> tuple[float, float]:
    """Median and p99."""
    return median(milliseconds), quantiles(milliseconds, n=100)[98]


def web_processes(service: Service) -> list[psutil.Process]:
    return service.processes_named("gunicorn")


def web_memory(service: Service) -> int:
    """Bytes that belong to the web processes alone."""
    return sum(process.memory_full_info().uss for process in web_processes(service))


def used_by(service: Service) -> float:
    """Seconds of a core that the web processes and the store have used."""
    processes = service.processes_named("gunicorn", "valkey-server")
    return float(sum(sum(process.cpu_times()[:2]) for process in processes))


def main() -> None:
    streams = int(sys.argv[1]) if len(sys.argv) > 1 else STREAMS
    for what, figure in measure(streams).items():
        print(f"{what:54} {figure:10.1f}", flush=True)


if __name__ == "__main__":
    main()
