"""One player listens in many ways at once, and clients vanish in many ways: nobody robs anybody, nothing is left."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis

from app.config import Settings
from tests.whole.client import Client, best
from tests.whole.readers import LineReader, PollReader, Reader, SseReader, finish
from tests.whole.service import Service
from tests.whole.test_rolling_restart import web_workers

pytestmark = [pytest.mark.slow, pytest.mark.alone]
SO_ATTACH_FILTER = 26
BACK_WITHIN = 30.0
"""Seconds until nothing is left of clients that vanished."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, LOG_LEVEL="warning")
    running.start()
    yield running
    assert running.stop() == []


def test_all_listeners_of_one_token_get_the_identical_sequence(service: Service) -> None:
    ann, bob = Client(service.url, "Ann"), Client(service.url, "Bob")
    token = str(ann.session.headers["Authorization"])
    rules = {"target_points": 300}
    table = ann.call("POST", "/tables", {"players": 2, "house_rules": rules, "clock": {"hand_break_seconds": 0}})["id"]
    at_table: list[Reader] = [
        *(SseReader(service.url, f"/tables/{table}/stream", token) for _ in range(2)),
        LineReader(service.url, f"/tables/{table}/events.ndjson", token),
        *(PollReader(service.url, f"/tables/{table}/events", token) for _ in range(2)),
    ]
    everywhere: list[Reader] = [SseReader(service.url, "/me/stream", token) for _ in range(2)]
    for reader in [*at_table, *everywhere]:
        reader.start()
    bob.call("POST", f"/tables/{table}/seats", {})
    play(ann, bob, table)
    # The next table, while the old listeners are still there.
    second = ann.call("POST", "/tables", {"players": 2, "clock": {"hand_break_seconds": 0}})["id"]
    bob.call("POST", f"/tables/{second}/seats", {})
    last = ann.table(table)["version"]
    for reader in at_table:
        reader.wait_for(last)
    wait_until(lambda: all(any(e["table"] == second for e in reader.events) for reader in everywhere))
    finish(*at_table, *everywhere)
    log = at_table[0].events
    assert [event["seq"] for event in log] == list(range(1, last + 1))
    assert all(reader.events == log for reader in at_table), "nothing of the second table, nothing twice"
    mine, same = ([without_you(event) for event in reader.events] for reader in everywhere)
    assert mine[: len(same)] == same[: len(mine)]
    for at in (table, second):
        assert sum((event["type"], event["table"]) == ("table_started", at) for event in mine) == 1
    turns = [event["seq"] for event in log if event["type"] == "turn_started" and event["seat"] == 0]
    assert [e["version"] for e in mine if e["type"] == "your_turn" and e["table"] == table] == turns
    assert all(event["seat"] == 0 for event in mine)


def without_you(event: dict[str, Any]) -> dict[str, Any]:
    """What was told; `you` is as it was when it was read."""
    return {name: value for name, value in event.items() if name != "you"}


def play(ann: Client, bob: Client, table: str) -> None:
    other = threading.Thread(target=bob.play_until_over, args=[table], daemon=True)
    other.start()
    ann.play_until_over(table, best)
    other.join(60)


def wait_until(condition: Any, seconds: float = 30) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_nothing_is_left_of_clients_that_vanish(service: Service) -> None:
    ann = Client(service.url, "Ann")
    table = ann.call("POST", "/tables", {"players": 2})["id"]
    store = redis.Redis.from_url(Settings.read({"DATA_DIR": service.environ["DATA_DIR"]}).find_store())
    ann.session.close()
    wait_until(lambda: client_sockets(service) == 0)
    # A hundred in a process that is killed, a hundred that are closed or reset, a hundred whose packets are dropped.
    crowd = subprocess.Popen(
        [sys.executable, "-c", CROWD, str(service.port), table], stdout=subprocess.PIPE, start_new_session=True
    )
    assert crowd.stdout is not None
    assert crowd.stdout.readline() == b"100\n"
    closing = [connected(service.port, table) for _ in range(100)]
    dropped = [connected(service.port, table) for _ in range(100)]
    wait_until(lambda: streams_open(store) == 300, BACK_WITHIN)
    assert client_sockets(service) == 300
    assert len(store.client_list()) < 150, "a stream needs no connection to the store"
    for client in dropped:
        drop_packets(client)
    os.kill(crowd.pid, signal.SIGKILL)
    crowd.wait()
    crowd.stdout.close()
    for number, client in enumerate(closing):
        if number % 2:  # a reset instead of a goodbye
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()
    ann.call("POST", f"/tables/{table}/seats", {"seat": 1})  # those who are gone are in nobody's way
    ann.session.close()
    wait_until(lambda: streams_open(store) == 0, BACK_WITHIN)
    wait_until(lambda: client_sockets(service) == 0, BACK_WITHIN)
    for client in dropped:
        client.close()
    again = [connected(service.port, table) for _ in range(300)]
    wait_until(lambda: streams_open(store) == 300, BACK_WITHIN)
    for client in again:
        client.close()
    wait_until(lambda: streams_open(store) == 0, BACK_WITHIN)
    store.close()


CROWD = """
import socket, sys, time
port, table = sys.argv[1:]
clients = []
for _ in range(100):
    client = socket.create_connection(("127.0.0.1", int(port)), timeout=10)
    client.sendall(f"GET /v1/tables/{table}/stream HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n".encode())
    client.recv(1)
    clients.append(client)
print(len(clients), flush=True)
time.sleep(600)
"""


def connected(port: int, table: str) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    client.sendall(f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    client.recv(1)
    return client


def streams_open(store: redis.Redis) -> int:
    """As the processes tell it."""
    counts = store.hvals("streams:127.0.0.1")
    return sum(int(count.split()[0]) for count in counts)


def client_sockets(service: Service) -> int:
    """Connections of clients that the web processes hold."""
    return sum(
        connection.laddr.port == service.port and connection.status != psutil.CONN_LISTEN
        for worker in web_workers(service)
        for connection in worker.net_connections("tcp")
    )


def drop_packets(client: socket.socket) -> None:
    """Drop whatever reaches this socket unacknowledged, as on a dead line: a filter that lets nothing in."""
    refuse_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    program = struct.pack("HL", 1, ctypes.addressof(refuse_all))
    client.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
