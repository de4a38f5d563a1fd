"""A client as an app would have it: it retries under one Idempotency-Key and remembers what was acknowledged."""

from __future__ import annotations

import time
import uuid
from typing import Any

import requests

PATIENCE = 30.0
"""Seconds a client keeps trying while a server is away."""


class Refused(Exception):
    """The service said no."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['status']} {problem['code']}: {problem['detail']}")
        self.problem = problem

    @property
    def code(self) -> str:
        return str(self.problem["code"])


class Client:
    """One player."""

    def __init__(self, url: str, name: str, kind: str = "human") -> None:
        self.url = url
        self.session = requests.Session()
        self.acknowledged: dict[str, list[tuple[int, int]]] = {}
        """Per table, the (first, last) `seq` of every answered move."""
        body = self.call("POST", "/players", {"name": name, "kind": kind})
        self.id: str = body["player"]["id"]
        self.session.headers["Authorization"] = f"Bearer {body['token']}"

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, key: str | None = None, **query: Any
    ) -> Any:
        """The parsed answer; what has none yet is tried again, a POST under the same key. Raises: Refused."""
        headers = {"Idempotency-Key": key or uuid.uuid4().hex} if method == "POST" else {}
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.session.request(
                    method, f"{self.url}/v1{path}", json=body, params=query or None, headers=headers, timeout=40
                )
            except requests.RequestException:
                if time.monotonic() > ends:
                    raise
                time.sleep(0.1)
                continue
            if answer.status_code in (502, 503) and time.monotonic() < ends:
                time.sleep(0.1)
                continue
            if answer.status_code >= 400:
                refused = Refused(answer.json())
                if refused.code == "request_in_progress" and time.monotonic() < ends:
                    time.sleep(0.5)  # of a process that died it is taken over after 10 s
                    continue
                raise refused
            return answer.json() if answer.content else None

    def table(self, table_id: str, **query: Any) -> dict[str, Any]:
        view: dict[str, Any] = self.call("GET", f"/tables/{table_id}", None, **query)
        return view

    def move(self, table_id: str, move: dict[str, Any]) -> dict[str, Any]:
        """Post a move; the answer is remembered as acknowledged."""
        answer: dict[str, Any] = self.call("POST", f"/tables/{table_id}/moves", move)
        seqs = [event["seq"] for event in answer["events"]]
        self.acknowledged.setdefault(table_id, []).append((seqs[0], seqs[-1]))
        return answer

    def play_until_over(self, table_id: str, pick: Any = None) -> dict[str, Any]:
        """Play the first legal move (or what `pick` says) whenever it is our turn; the final view."""
        view = self.table(table_id)
        while view["status"] == "playing":
            moves = view["you"]["legal_moves"]
            if not moves:
                view = self.table(table_id, newer_than=view["version"], wait=5, until="my_turn")
                continue
            try:
                view = self.move(table_id, (pick or best)(moves))["table"]
            except Refused as refused:
                if refused.code not in ("not_your_turn", "hand_over", "table_finished", "stand_in_plays"):
                    raise
                view = self.table(table_id)
        return view


def best(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Most points, the first of them."""
    return max(moves, key=lambda move: move["points"] or 0)
