"""GET /metrics: what is counted, and that nothing of anybody is in it."""

from __future__ import annotations

import logging
import re

import pytest

from app.metrics.instruments import ErrorCounter
from app.tables.ports import StoreUnavailable
from tests.api.cast import P_DRAW, Caller, House, refused


def figures(house: House) -> dict[str, float]:
    answer = house.spectator.get("/metrics")
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def requests(method: str, route: str, status: int) -> str:
    return f'allfives_requests_total{{method="{method}",route="{route}",status="{status}"}}'


def test_answers_are_counted_by_route_and_status(house: House, ann: Caller, spectator: Caller) -> None:
    table = house.running()
    before = figures(house).get(requests("GET", "/v1/tables/<table_id>", 200), 0)
    ann.see(table)
    spectator.get("/tables/unknown")
    spectator.get("/nowhere/at/all")
    spectator.ask("BREW", "/tables")
    after = figures(house)
    assert after[requests("GET", "/v1/tables/<table_id>", 200)] == before + 1
    assert after[requests("GET", "/v1/tables/<table_id>", 404)] == 1
    assert after[requests("GET", "none", 404)] == 1
    assert after[requests("other", "none", 405)] == 1
    assert after[requests("GET", "/metrics", 200)] == 1


def test_how_long_answers_take_without_those_that_waited(house: House, ann: Caller) -> None:
    table = house.running()
    for query in ("", "?wait=0", f"?newer_than={ann.see(table)['version']}&wait=0.1"):
        ann.get(f"/tables/{table}{query}")
    labels = 'method="GET",route="/v1/tables/<table_id>"'
    seen = figures(house)
    assert (
        seen[f"allfives_request_seconds_count{{{labels}}}"] == seen[requests("GET", "/v1/tables/<table_id>", 200)] - 2
    )
    assert seen[f'allfives_request_seconds_bucket{{le="+Inf",{labels}}}'] > 0


def test_a_bug_is_counted_as_an_error(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(house.room.standing, "profile", broken)
    root = logging.getLogger()
    counter = ErrorCounter(house.wired.metrics.count, "web")
    root.addHandler(counter)
    try:
        assert house.spectator.get("/players/x").status_code == 500
    finally:
        root.removeHandler(counter)
    seen = figures(house)
    assert seen['allfives_errors_total{process="web"}'] == 1
    assert seen[requests("GET", "/v1/players/<player:player_id>", 500)] == 1


def test_what_is_due_is_timed(house: House) -> None:
    house.room.tables._done_late = house.wired.metrics.count.done_late
    table = house.running()
    house.room.clock.advance(60.3)
    assert house.room.run(table)
    seen = figures(house)
    assert seen['allfives_due_late_seconds_count{why="turn"}'] == 1
    assert seen['allfives_due_late_seconds_sum{why="turn"}'] == pytest.approx(0.3)


def test_nothing_of_tiles_names_ids_or_tokens_is_in_it(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_DRAW, visibility="private")
    code = ann.see(table)["invite_code"]
    ann.move(table, "61")
    bob.move(table, "draw")
    bob.move(table, "00>61.left")
    bob.get(f"/tables/{table}/events?wait=0")
    house.spectator.get(f"/players/{ann.id}")
    house.spectator.get(f"/{ann.token}/{code}")
    house.spectator.get(f"/tables/{table}?cursor={ann.token}")
    text = house.spectator.get("/metrics").text
    for secret in (ann.id, bob.id, ann.token, bob.token, table, code, "Ann", "Bob"):
        assert secret
        assert secret not in text
    values = re.findall(r'(\w+)="([^"]*)"', text)
    assert {name for name, _ in values} <= {"method", "route", "status", "le", "process", "why", "outcome"}
    assert all("<" in value or not re.search(r"\d\d", value) for name, value in values if name == "route")


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_whoever_comes_through_a_proxy_finds_nothing(spectator: Caller, header: str) -> None:
    refused(spectator.get("/metrics", headers={header: "203.0.113.7"}), 404, "not_found")


def test_without_the_store_it_says_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(house.wired.metrics._meter, "add", away)
    refused(house.spectator.get("/metrics"), 503, "store_unavailable")
    assert house.spectator.get("/livez").status_code == 200


def test_it_is_not_in_the_document(spectator: Caller) -> None:
    assert "/metrics" not in spectator.get("/openapi.json").get_json()["paths"]
