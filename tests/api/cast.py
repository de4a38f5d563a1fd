"""Who asks in these tests: callers with a token, a spectator without one, and the house they all call at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.analysis.service import Analyses
from app.api import create_app
from app.api.problems import MEDIA_TYPE
from app.metrics.reporting import Metrics
from app.standing.service import Standing
from app.tables.feed import Feed
from app.tables.live import StreamTerms
from app.tables.players import Players
from app.tables.service import Tables
from app.tables.tickets import Tickets
from tests.api.documented import codes_of
from tests.fakes import MemoryMeter, MemoryTurnstile
from tests.tables.room import Room

P_DRAW: dict[str, Any] = {
    "holdings": [["61", "66", "11", "62", "63", "21", "31"], ["00", "22", "33", "44", "55", "20", "30"]],
    "boneyard": ["50", "40", "32", "64", "10", "41", "42", "43", "51", "52", "53", "54", "60", "65"],
    "leader": 0,
}
"""Seat 1 cannot follow the lead 61 and draws four tiles."""
P_OUT: dict[str, Any] = {"holdings": [["55", "52"], ["53", "66"]], "leader": 0}
"""Two tiles each (house rule SHORT); seat 0 goes out with its second tile."""
SHORT = {"deal": {"2": 2}}


@dataclass(frozen=True, kw_only=True)
class Wired:
    """The use cases of a room, as the API wants them."""

    tables: Tables
    players: Players
    tickets: Tickets
    standing: Standing
    analyses: Analyses
    metrics: Metrics
    now: Callable[[], datetime]
    ready: Callable[[], list[str]]
    feed: Feed
    turnstile: MemoryTurnstile
    stream_terms: StreamTerms


class Caller:
    """Somebody with a token (or None: a spectator), and short ways to ask."""

    def __init__(self, client: FlaskClient, token: str | None = None, player_id: str | None = None) -> None:
        self.client = client
        self.token = token
        self.id = player_id

    def ask(self, method: str, path: str, **options: Any) -> TestResponse:
        headers = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if path != "/" and not path.startswith(("/v1/", "/docs", "/openapi", "/livez", "/readyz", "/metrics")):
            path = f"/v1{path}"
        answer = self.client.open(path, method=method, headers=headers, **options)
        if answer.content_type == MEDIA_TYPE and method != "HEAD":
            _is_documented(answer)
        return answer

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.ask("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> TestResponse:
        if json is not None:
            options["json"] = json
        return self.ask("POST", path, **options)

    def move(self, table_id: str, move: str, **more: Any) -> TestResponse:
        """`"draw"`, `"pass"`, or a tile and its end: `"50>55.left"` (the lead: `"55"`)."""
        headers = more.pop("headers", {})
        if move in ("draw", "pass", "muggins"):
            return self.post(f"/tables/{table_id}/moves", {"action": move, **more}, headers=headers)
        tile, _, end = move.partition(">")
        body = {"action": "play", "tile": tile, "end": end or None, **more}
        return self.post(f"/tables/{table_id}/moves", body, headers=headers)

    def see(self, table_id: str) -> Any:
        answer = self.get(f"/tables/{table_id}")
        assert answer.status_code == 200, answer.text
        return answer.json

    def events(self, table_id: str, after: int = 0) -> list[dict[str, Any]]:
        answer = self.get(f"/tables/{table_id}/events?after={after}")
        assert answer.status_code == 200, answer.text
        assert answer.json is not None
        events: list[dict[str, Any]] = answer.json["events"]
        return events


class House:
    """The API on in-memory twins, with a clock that stands still."""

    def __init__(self) -> None:
        self.room = Room()
        self.problems: list[str] = []
        self.turnstile = MemoryTurnstile(StreamTerms(per_token=3, per_address=5, life_seconds=60), self.room.register)
        self.wired = Wired(
            tables=self.room.tables,
            players=self.room.players,
            tickets=self.room.tickets,
            standing=self.room.standing,
            analyses=self.room.analyses,
            metrics=Metrics(MemoryMeter()),
            now=self.room.store.now,
            ready=lambda: self.problems,
            feed=Feed(self.room.store, self.room.store.feeds),
            turnstile=self.turnstile,
            stream_terms=self.turnstile.terms,
        )
        self.app: Flask = create_app(self.wired)
        self.client = self.app.test_client()
        self.spectator = Caller(self.client)
        self.ann, self.bob, self.eve = (self.newcomer(name) for name in ("Ann", "Bob", "Eve"))

    def newcomer(self, name: str) -> Caller:
        answer = self.client.post("/v1/players", json={"name": name})
        assert answer.json is not None
        return Caller(self.client, answer.json["token"], answer.json["player"]["id"])

    def open_table(self, **request: Any) -> str:
        """A table of Ann's that waits for others; its id."""
        answer = self.ann.post("/tables", request or {})
        assert answer.status_code == 201, answer.text
        assert answer.json is not None
        return str(answer.json["id"])

    def running(self, **request: Any) -> str:
        """Ann against Bob, dealt; the table's id."""
        table = self.open_table(**request)
        code = self.ann.see(table)["invite_code"]
        answer = self.bob.post(f"/tables/{table}/seats", {"invite_code": code})
        assert answer.status_code == 200, answer.text
        return table

    def scripted(self, deal: dict[str, Any], **request: Any) -> str:
        """A practice table of Ann and Bob; the table's id."""
        return self.running(practice=deal, **request)

    def finished(self) -> str:
        """A game that Ann has won on its first tile; the table's id."""
        table = self.scripted(P_OUT, house_rules={**SHORT, "target": {"2": 10}})
        assert self.ann.move(table, "55").status_code == 200
        return table


def _is_documented(answer: TestResponse) -> None:
    """Whatever a test asks for: a refusal has one of the codes that the document lists for the operation."""
    request, code = answer.request, answer.get_json(force=True)["code"]
    codes = codes_of(request.method, request.path)
    assert codes is None or code in codes, f"{request.method} {request.path} is refused with {code}"


def refused(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """The problem an answer holds; it must be of the documented shape."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.content_type == "application/problem+json"
    problem: dict[str, Any] = answer.get_json(force=True)
    assert set(problem) == {
        "type",
        "title",
        "status",
        "detail",
        "instance",
        "code",
        "params",
        "request_id",
        "version",
        "legal_moves",
        "errors",
    }
    assert (problem["status"], problem["code"]) == (status, code), problem
    assert problem["type"] == f"/docs/problems#{code}"
    assert problem["request_id"] == answer.headers["X-Request-Id"]
    assert problem["title"]
    assert problem["detail"]
    return problem
