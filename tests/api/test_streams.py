"""GET /v1/tables/{id}/stream and /v1/tables/{id}/events.ndjson."""

from __future__ import annotations

import dataclasses
import json

import pytest

from app.api.services import EXTENSION
from app.tables.live import StreamTerms
from tests.api.cast import P_DRAW, Caller, House, refused
from tests.api.streaming import frames, lines, open_stream, pieces, sse_events

PATHS = ["/tables/{}/stream", "/tables/{}/events.ndjson"]


def read(caller: Caller, path: str, until: int, **options: object) -> list[dict[str, object]]:
    """Events of a stream up to this `seq`."""
    find = sse_events if "events.ndjson" not in path else lines

    def is_there(text: str) -> bool:
        return f'"seq":{until},' in text

    with open_stream(caller, path, **options) as answer:
        return find(pieces(answer, is_there))


@pytest.mark.parametrize("path", PATHS)
def test_a_stream_brings_what_a_poll_brings_to_everyone_his_own(house: House, path: str) -> None:
    table = house.running()
    for caller in (house.ann, house.bob, house.spectator, house.eve):
        polled = caller.events(table)
        assert read(caller, path.format(table), polled[-1]["seq"]) == polled


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("query", "header", "first"),
    [
        ("", None, 1),
        ("?after=0", None, 1),
        ("?after=3", None, 4),
        ("?after=3", "5", 6),
        ("", "2", 3),
        ("?after=4", "", 5),
    ],
)
def test_a_stream_goes_on_where_it_is_told_and_the_header_wins(
    house: House, path: str, query: str, header: str | None, first: int
) -> None:
    table, ann = house.running(), house.ann
    log = ann.events(table)
    headers = {} if header is None else {"Last-Event-ID": header}
    assert read(ann, path.format(table) + query, log[-1]["seq"], headers=headers) == log[first - 1 :]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["after=abc", "after=-1", "after=1.5", "after=", "after=1&after=2", "seq=1"])
def test_a_cursor_that_is_no_number_is_refused(house: House, ann: Caller, path: str, query: str) -> None:
    refused(ann.get(f"{path.format(house.open_table())}?{query}"), 422, "invalid")


@pytest.mark.parametrize("path", [*PATHS, "/me/stream"])
@pytest.mark.parametrize("sent", ["abc", "-1", "1.5", "9" * 16, "9" * 30, "\u0661"])
def test_a_last_event_id_that_is_no_number_is_refused(house: House, ann: Caller, path: str, sent: str) -> None:
    headers = {"Last-Event-ID": sent.encode().decode("latin-1")}
    problem = refused(ann.get(path.format(house.open_table()), headers=headers), 422, "invalid")
    assert problem["errors"][0]["path"] == "Last-Event-ID"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("how", ["query", "header"])
def test_a_cursor_ahead_of_the_log_is_refused_with_the_version(house: House, ann: Caller, path: str, how: str) -> None:
    table = house.open_table()
    headers = {"Last-Event-ID": "999999"} if how == "header" else {}
    query = "?after=999999" if how == "query" else ""
    problem = refused(ann.get(path.format(table) + query, headers=headers), 409, "cursor_ahead")
    assert problem["version"] == ann.see(table)["version"]


@pytest.mark.parametrize("path", PATHS)
def test_errors_come_before_the_stream_begins(house: House, ann: Caller, eve: Caller, path: str) -> None:
    private = house.open_table(visibility="private")
    unknown = refused(eve.get(path.format("nowhere")), 404, "not_found")
    hidden = refused(eve.get(path.format(private)), 404, "not_found")
    assert (unknown["detail"], unknown["title"]) == (hidden["detail"], hidden["title"])
    refused(ann.get(path.format(private), headers={"Authorization": "Bearer a5_wrong"}), 401, "unauthenticated")
    refused(ann.get("/tables/%00/stream"), 400, "malformed")
    refused(ann.post(path.format(private)), 405, "method_not_allowed")
    assert house.turnstile.open == [], "nothing counts as open"


@pytest.mark.parametrize(("path", "media_type"), [(PATHS[0], "text/event-stream"), (PATHS[1], "application/x-ndjson")])
def test_a_stream_tells_proxies_to_hold_nothing_back(house: House, ann: Caller, path: str, media_type: str) -> None:
    with open_stream(ann, path.format(house.open_table())) as answer:
        assert answer.headers["Content-Type"] == media_type
        assert answer.headers["X-Accel-Buffering"] == "no"
        assert answer.headers["Cache-Control"] == "private, no-store, no-transform"
        assert "Content-Encoding" not in answer.headers
        assert "Content-Length" not in answer.headers
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_server_sent_events_say_when_to_come_back_and_presence_has_no_id(house: House, ann: Caller) -> None:
    table = house.running()
    with open_stream(ann, f"/tables/{table}/stream") as answer:
        text = pieces(answer, lambda text: text.count("event: presence") == 2)
    found = frames(text)
    assert found[0] == {"retry": "1000"}
    presence = [json.loads(frame["data"]) for frame in found if frame.get("event") == "presence"]
    assert not any("id" in frame for frame in found if frame.get("event") == "presence")
    assert presence == [
        {"type": "presence", "seq": None, "seat": 0, "connected": True},
        {"type": "presence", "seq": None, "seat": 1, "connected": False},
    ]


def test_idle_lines_are_empty_and_one_event_is_one_line(house: House, ann: Caller) -> None:
    table = house.running()
    with open_stream(ann, f"/tables/{table}/events.ndjson") as answer:
        text = pieces(answer, lambda text: text.count("\n\n") >= 2)
    assert text.startswith("\n")
    assert all(json.loads(line)["type"] for line in text.split("\n") if line)


@pytest.mark.parametrize("path", PATHS)
def test_a_table_that_has_been_over_for_a_minute_ends_with_what_is_left(house: House, ann: Caller, path: str) -> None:
    table = house.finished()
    house.room.clock.advance(61)
    log = ann.events(table)
    find = sse_events if path.endswith("stream") else lines
    rest = ann.get(f"{path.format(table)}?after={len(log) - 2}")
    assert find(rest.text) == log[-2:]


def test_nothing_left_is_204_for_an_event_source_and_an_empty_body_for_lines(house: House, ann: Caller) -> None:
    table = house.finished()
    house.room.clock.advance(61)
    last = len(ann.events(table))
    over = ann.get(f"/tables/{table}/stream", headers={"Last-Event-ID": str(last)})
    assert (over.status_code, over.data) == (204, b"")
    assert "Content-Type" not in over.headers
    empty = ann.get(f"/tables/{table}/events.ndjson?after={last}", buffered=True)
    assert (empty.status_code, empty.text.strip()) == (200, "")
    assert house.turnstile.open == []


def test_a_table_just_over_stays_open_for_a_rematch(house: House, ann: Caller) -> None:
    table = house.finished()
    house.room.clock.advance(59)
    last = len(ann.events(table))
    with open_stream(ann, f"/tables/{table}/stream?after={last}") as answer:
        assert pieces(answer, lambda text: ":\n\n" in text)
        house.room.clock.advance(2)
        assert "goodbye" in pieces(answer, lambda text: False)


def test_a_head_request_opens_nothing(house: House, ann: Caller) -> None:
    answer = ann.ask("HEAD", f"/tables/{house.open_table()}/stream", buffered=True)
    assert (answer.status_code, answer.headers["Content-Type"], answer.data) == (200, "text/event-stream", b"")
    assert house.turnstile.open == []


@pytest.mark.parametrize("path", ["/tables/{}/stream", "/tables/{}/events.ndjson", "/me/stream"])
def test_too_many_streams_of_a_token_are_refused_until_one_is_closed(
    house: House, ann: Caller, bob: Caller, path: str
) -> None:
    table = house.running()
    told = ann.get("/options").get_json()["streams"]
    assert told == {"per_token": 3, "per_address": 5}
    mine = [ann.get(path.format(table), buffered=False) for _ in range(3)]
    assert [answer.status_code for answer in mine] == [200] * 3
    refusal = ann.get(path.format(table))
    refused(refusal, 429, "rate_limited")
    assert int(refusal.headers["Retry-After"]) > 0
    others = [bob.get(path.format(table), buffered=False) for _ in range(2)]
    refused(bob.get(path.format(table)), 429, "rate_limited")
    mine[0].close()
    with open_stream(bob, path.format(table)):
        pass
    for answer in [*mine, *others]:
        answer.close()
    assert house.turnstile.open == []


@pytest.mark.parametrize("path", PATHS)
def test_a_stream_ends_when_the_invitation_that_let_one_see_the_table_is_declined(
    house: House, ann: Caller, eve: Caller, path: str
) -> None:
    table = house.open_table(players=4, visibility="private")
    invitation = ann.post(f"/tables/{table}/invitations", {"player": eve.id}).get_json()["id"]
    find = sse_events if path.endswith("stream") else lines
    with open_stream(eve, path.format(table)) as answer:
        assert len(find(pieces(answer, lambda text: '"player_invited"' in text))) == 3
        assert eve.post(f"/invitations/{invitation}/decline", {}).status_code == 204
        assert [event for event in find(pieces(answer, lambda text: False)) if event["type"] != "presence"] == []
    refused(eve.get(path.format(table)), 404, "not_found")


STREAMS = [*PATHS, "/me/stream"]


def on_the_phone(house: House) -> tuple[Caller, str]:
    """Ann by another token, and its id."""
    made = house.ann.post("/me/tokens", {"label": "phone"}).get_json()
    return Caller(house.client, made["token"], house.ann.id), made["id"]


@pytest.mark.parametrize("path", STREAMS)
def test_a_stream_whose_token_is_removed_while_it_waits_brings_nothing_that_comes_then(
    house: House, ann: Caller, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    table = house.scripted(P_DRAW)
    phone, token = on_the_phone(house)
    wait = house.room.store.wait

    def while_it_waits(*_: object) -> bool:
        monkeypatch.setattr(house.room.store, "wait", wait)
        assert ann.ask("DELETE", f"/me/tokens/{token}").status_code == 204
        moves = [ann.move(table, "61"), house.bob.move(table, "draw"), house.bob.move(table, "64>61.left")]
        return all(move.status_code == 200 for move in moves)

    with open_stream(phone, path.format(table)) as answer:
        before = pieces(answer, lambda text: "your_turn" in text or "turn_started" in text)
        assert before
        monkeypatch.setattr(house.room.store, "wait", while_it_waits)
        rest = pieces(answer, lambda text: False)
    assert house.room.store.wait == wait
    assert '"seq":' not in rest.replace('"seq":null', "")


@pytest.mark.parametrize("path", STREAMS)
def test_a_stream_ends_when_its_player_is_deleted(house: House, ann: Caller, path: str) -> None:
    with open_stream(ann, path.format(house.open_table())) as answer:
        next(iter(answer.response))
        assert ann.ask("DELETE", "/me").status_code == 204
        assert '"seq"' not in pieces(answer, lambda text: False)


@pytest.mark.parametrize("path", ["/tables/{}/events?after={}&wait=25", "/tables/{}?newer_than={}&wait=25"])
def test_a_long_poll_whose_token_is_removed_brings_nothing_that_comes_afterwards(
    house: House, ann: Caller, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    table = house.scripted(P_DRAW)
    phone, token = on_the_phone(house)
    monkeypatch.setattr("app.api.auth.LONG_AGO", 0)

    def while_it_waits(*_: object) -> bool:
        monkeypatch.undo()
        monkeypatch.setattr("app.api.auth.LONG_AGO", 0)
        ann.ask("DELETE", f"/me/tokens/{token}")
        return ann.move(table, "61").status_code == 200

    monkeypatch.setattr(house.room.store, "wait", while_it_waits)
    refused(phone.get(path.format(table, ann.see(table)["version"])), 401, "unauthenticated")


def test_a_stream_ends_when_the_server_stops_and_says_when_to_come_back(house: House, ann: Caller) -> None:
    with open_stream(ann, f"/tables/{house.open_table()}/stream") as answer:
        pieces(answer, lambda text: ":\n\n" in text)
        house.room.store.stopping = True
        rest = pieces(answer, lambda text: False)
    assert rest.startswith(": goodbye")
    assert 0 < int(frames(rest)[-1]["retry"]) < 5000


def test_a_stream_that_has_lived_long_enough_ends_in_good_order(house: House, ann: Caller) -> None:
    table = house.running()
    short = dataclasses.replace(house.wired, stream_terms=StreamTerms(life_seconds=0))
    house.app.extensions[EXTENSION] = short
    seqs: list[object] = []
    while len(seqs) < 5:
        with open_stream(ann, f"/tables/{table}/events.ndjson?after={len(seqs)}") as answer:
            seqs += [event["seq"] for event in lines(pieces(answer, lambda text: False))]
    assert seqs == list(range(1, len(seqs) + 1)), "each comes back with its cursor and misses nothing"
