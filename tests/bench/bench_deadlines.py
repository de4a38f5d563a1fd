"""How late a turn that ran out is acted on: `python tests/bench/bench_deadlines.py [tables]`.

By the log's own times, with everything well, with no worker, after the store was killed, and with four clocks; each
turn is found to have run out once.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import psutil
from redis import Redis
from redis.exceptions import RedisError

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.storage.connection import connect
from tests.whole.service import Service
from tests.whole.silent import SilentTables

TABLES = 60
SECONDS = 15


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), LOG_LEVEL="warning")
        service.start()
        try:
            everything_well(service, tables)
            no_worker(service, tables)
            store_killed(service, tables)
            four_clocks(service, tables)
        finally:
            service.stop()


def everything_well(service: Service, tables: int) -> None:
    show("everything well", play(service, tables))


def no_worker(service: Service, tables: int) -> None:
    workers = service.processes_named("app.cli worker", "app.cli clerk")
    for worker in workers:
        worker.suspend()
    try:
        show("every RQ worker stopped: the clock acts", play(service, tables))
    finally:
        for worker in workers:
            worker.resume()


def store_killed(service: Service, tables: int) -> None:
    silent = SilentTables(service.url, tables)
    time.sleep(SECONDS / 3)
    service.kill("valkey-server")
    killed = time.time()
    store = connect(service.settings.find_store(), connections=1, answer_seconds=0.5)
    while not answers(store):
        time.sleep(0.01)
    back = time.time()
    time.sleep(SECONDS / 3)
    lags = [(one.acted_at - max(one.deadline, back)) * 1000 for one in silent.expired() if one.acted_at >= killed]
    show(f"store killed, back after {back - killed:.1f} s: from then on", lags)


def answers(store: Redis) -> bool:
    try:
        return bool(store.ping())
    except (RedisError, OSError):
        return False


def four_clocks(service: Service, tables: int) -> None:
    command = [sys.executable, "-m", "app.cli", "clock"]
    clocks = [subprocess.Popen(command, env=service.environ) for _ in range(3)]
    try:
        time.sleep(2)
        show("four clocks", play(service, tables))
    finally:
        for clock in clocks:
            clock.terminate()
        psutil.wait_procs([psutil.Process(clock.pid) for clock in clocks if clock.poll() is None], timeout=10)


def play(service: Service, tables: int) -> list[float]:
    silent = SilentTables(service.url, tables)
    time.sleep(SECONDS)
    return [(one.acted_at - one.deadline) * 1000 for one in silent.expired()]


def show(what: str, milliseconds: list[float]) -> None:
    cuts = quantiles(milliseconds, n=100)
    print(
        f"expired turn acted on after its deadline, ms: {what:48} n={len(milliseconds):5}   "
        f"median {cuts[49]:6.1f}   p99 {cuts[98]:6.1f}   max {max(milliseconds):6.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
