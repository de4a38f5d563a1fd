"""How soon a bot's answer and an expired turn are visible: `python tests/bench/bench_service.py`.

Starts the whole service on a port and a folder of its own, plays over HTTP, prints its figures and stops it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.whole.client import Client, best
from tests.whole.service import Service

BOT_TURNS = 200
EXPIRED_TURNS = 40


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), LOG_LEVEL="warning")
        service.start()
        try:
            show("bot's answer visible after the human's move, ms", bot_answers(service.url))
            acted, seen = expired_turns(service.url)
            show("expired turn acted on after its deadline, ms", acted)
            show("expired turn visible to a long-poll after its deadline, ms", seen)
        finally:
            service.stop()


def show(what: str, milliseconds: list[float]) -> None:
    cuts = quantiles(milliseconds, n=100)
    figures = f"median {median(milliseconds):6.1f}   p99 {cuts[98]:6.1f}   max {max(milliseconds):6.1f}"
    print(f"{what:62} n={len(milliseconds):4}   {figures}", flush=True)


def bot_answers(url: str) -> list[float]:
    """From the sending of a move to the moment a long-poll brings the bot's own."""
    ann = Client(url, "Ann")
    taken: list[float] = []
    while len(taken) < BOT_TURNS:
        view = ann.call(
            "POST", "/tables", {"bots": [{"seat": 1, "level": "medium"}], "clock": {"hand_break_seconds": 0}}
        )
        table_id = view["id"]
        while view["status"] == "playing":
            moves = view["you"]["legal_moves"]
            if not moves:
                view = ann.table(table_id, newer_than=view["version"], wait=5, until="my_turn")
                continue
            sent = time.perf_counter()
            answer = ann.move(table_id, best(moves))
            view = answer["table"]
            if view["hand"]["turn"] == 1:
                view = ann.table(table_id, newer_than=view["version"], wait=5)
                taken.append((time.perf_counter() - sent) * 1000)
    return taken


def expired_turns(url: str) -> tuple[list[float], list[float]]:
    """A table where nobody moves: each event's time against the deadline it was due at, and when it was seen."""
    ann, bob = Client(url, "Ann"), Client(url, "Bob")
    clock = {"turn_seconds": 1, "timeouts_before_takeover": 20, "hand_break_seconds": 0}
    acted: list[float] = []
    seen: list[float] = []
    table_id, after, deadline = "", 0, 0.0
    while len(acted) < EXPIRED_TURNS:
        if not table_id or ann.table(table_id)["status"] != "playing":
            table_id, after = ann.call("POST", "/tables", {"players": 2, "clock": clock})["id"], 0
            bob.call("POST", f"/tables/{table_id}/seats", {})
        page = ann.call("GET", f"/tables/{table_id}/events", None, after=after, wait=5)
        now, after = time.time(), page["next_after"]
        for event in page["events"]:
            if event["type"] == "turn_timed_out":
                acted.append((moment(event["at"]) - deadline) * 1000)
                seen.append((now - deadline) * 1000)
            if event["type"] == "turn_started":
                deadline = moment(event["deadline"])
    return acted, seen


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


if __name__ == "__main__":
    main()
