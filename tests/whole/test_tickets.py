"""Two hundred players look for a game at random times while web, clock and store are killed: each gets one table."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.config import Settings
from app.tables.log import replay
from app.wiring import build
from tests.whole.client import Client, Refused
from tests.whole.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.alone]
PLAYERS = 200
WITHIN = 20.0
"""Seconds over which they come."""
TERMS: list[tuple[dict[str, Any], int]] = [
    ({"players": 2}, 100),
    ({"players": 4}, 60),
    ({"players": 2, "ruleset": "five-up", "clock": {"turn_seconds": 30}}, 40),
]
"""What is looked for, and by how many."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, LOG_LEVEL="warning")
    running.start()
    try:
        yield running
    finally:
        assert running.stop() == [], "processes were left behind"


@pytest.mark.timeout(600)
def test_everybody_ends_in_exactly_one_table(service: Service) -> None:
    wanted = [terms for terms, number in TERMS for _ in range(number)]
    source = random.Random(4)
    source.shuffle(wanted)
    moments = [source.uniform(0, WITHIN) for _ in range(PLAYERS)]
    clients = [Client(service.url, f"P{number}") for number in range(PLAYERS)]
    started = time.monotonic()

    def look(number: int) -> dict[str, Any]:
        time.sleep(max(0.0, started + moments[number] - time.monotonic()))
        return until_matched(clients[number], wanted[number])

    killer = threading.Thread(target=kill_by_turns, args=(service, started))
    killer.start()
    with ThreadPoolExecutor(max_workers=PLAYERS) as pool:
        tickets = list(pool.map(look, range(PLAYERS)))
    took = time.monotonic() - started
    killer.join()
    print(f"{PLAYERS} players had a table {took:.1f} s after the first came; the last came after {max(moments):.1f} s")

    at = [ticket["table"] for ticket in tickets]
    sizes = Counter(Counter(at).values())
    assert sizes == {2: 70, 4: 15}, "every table is full of people"
    store = build(Settings.read({"DATA_DIR": service.environ["DATA_DIR"]})).store
    for table_id in set(at):
        table = store.load(table_id).table
        here = [client.id for client, table_of in zip(clients, at, strict=True) if table_of == table_id]
        assert sorted(here) == sorted(seat.occupant.player_id or "" for seat in table.seats)
        assert replay(store.events(table_id, 0, 100_000)) == table
    for client, table_id in zip(clients, at, strict=True):
        mine = client.call("GET", "/me/tables")["items"]
        assert [table["id"] for table in mine] == [table_id], "nobody is at two tables"


def until_matched(client: Client, terms: dict[str, Any]) -> dict[str, Any]:
    """As an app does: the same key until there is an answer, then wait for the table."""
    key = uuid.uuid4().hex
    ticket: dict[str, Any] = {}
    while not ticket:
        try:
            ticket = client.call("POST", "/tickets", terms, key=key)
        except Refused as refused:
            if refused.code != "request_in_progress":
                raise
            time.sleep(1)
    while ticket["status"] == "waiting":
        ticket = client.call("GET", f"/tickets/{ticket['id']}", None, wait=5)
    assert ticket["status"] == "matched", ticket
    return ticket


def kill_by_turns(service: Service, started: float) -> None:
    """-9 for each part of the service, again and again while they come."""
    for second, victim in ((3, "gunicorn"), (6, "clock"), (9, "gunicorn"), (12, "valkey-server"), (15, "gunicorn")):
        time.sleep(max(0.0, started + second - time.monotonic()))
        service.kill(victim)
    time.sleep(max(0.0, started + 18 - time.monotonic()))
    service.kill("gunicorn", "clock")


def test_bots_come_and_patience_ends_by_the_clock_alone(service: Service) -> None:
    """Nobody asks after taking the ticket: the clock makes the table."""
    ann = Client(service.url, "Ann")
    ann.call("POST", "/tickets", {"players": 4, "fill_with_bots_after": 1})
    service.wait_until(lambda: bool(ann.call("GET", "/me/tables")["items"]), "the clock has made the table", 10)
    (table,) = ann.call("GET", "/me/tables")["items"]
    assert table["seats"] == ["human", "house_bot", "house_bot", "house_bot"]
