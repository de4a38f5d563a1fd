"""GET /v1/me/events and /v1/me/stream."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.cast import P_OUT, SHORT, Caller, House, refused
from tests.api.streaming import open_stream, pieces, sse_events


def told(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"/me/events{query}")
    assert answer.status_code == 200, answer.text
    events: list[dict[str, Any]] = answer.get_json()["events"]
    return events


def types(caller: Caller) -> list[str]:
    return [event["type"] for event in told(caller)]


def test_each_player_is_told_what_concerns_him(house: House, ann: Caller, bob: Caller, eve: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    ann.move(table, "55")
    bob.move(table, "53>55.left")
    ann.move(table, "52>55.right")
    assert types(ann) == ["table_started", "your_turn", "your_turn", "hand_ended"]
    assert types(bob) == ["table_started", "your_turn", "hand_ended"]
    assert types(eve) == []
    assert {event["table"] for event in told(ann)} == {table}
    assert {event["seat"] for event in told(bob)} == {1}


def test_the_end_of_a_game_is_told(house: House, ann: Caller, bob: Caller) -> None:
    house.finished()
    assert types(ann)[-2:] == types(bob)[-2:] == ["hand_ended", "table_finished"]


def test_every_entry_names_an_event_of_the_table_s_log(house: House, ann: Caller) -> None:
    table = house.finished()
    log = {event["seq"]: event for event in ann.events(table)}
    causes = {
        "table_started": "game_started",
        "your_turn": "turn_started",
        "hand_ended": "hand_ended",
        "table_finished": "game_ended",
    }
    for event in told(ann):
        cause = log[event["version"]]
        assert cause["type"] == causes[event["type"]]
        assert event["at"] == cause["at"]
        assert event["deadline"] == cause.get("deadline")


def test_your_turn_brings_what_the_seat_sees_now_and_nothing_of_others(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    (turn,) = (event for event in told(ann) if event["type"] == "your_turn")
    assert turn["you"] == ann.see(table)["you"]
    assert turn["you"]["legal_moves"]
    assert turn["deadline"] is not None
    assert "53" not in str(told(ann))
    ann.move(table, "55")
    (turn,) = (event for event in told(ann) if event["type"] == "your_turn")
    assert turn["you"] == ann.see(table)["you"]
    assert turn["you"]["legal_moves"] == []
    assert "52" not in str(told(bob))
    assert all(event["you"] is None for event in told(ann) if event["type"] != "your_turn")


def test_the_feed_is_read_in_pieces_and_from_now(house: House, ann: Caller) -> None:
    house.finished()
    whole = told(ann)
    found: list[dict[str, Any]] = []
    after = 0
    while len(found) < len(whole):
        page = ann.get(f"/me/events?after={after}&limit=2").get_json()
        found += page["events"]
        after = page["next_after"]
    assert found == whole
    now = ann.get("/me/events?after=now").get_json()
    assert now == {"events": [], "next_after": whole[-1]["seq"]}
    house.running()
    later = told(ann, f"?after={now['next_after']}")
    assert later[0]["type"] == "table_started"


def test_an_empty_poll_has_no_events_and_the_same_cursor(ann: Caller) -> None:
    assert ann.get("/me/events?after=0&wait=0.05").get_json() == {"events": [], "next_after": 0}


def test_the_stream_brings_what_a_poll_brings(house: House, ann: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    polled = told(ann)
    assert len(polled) == 2
    for query, headers, first in (("", {}, 0), ("?after=1", {}, 1), ("?after=now", {"Last-Event-ID": "1"}, 1)):
        with open_stream(ann, f"/me/stream{query}", headers=headers) as answer:
            text = pieces(answer, lambda text: ":\n\n" in text or f'"seq":{polled[-1]["seq"]},' in text)
        assert sse_events(text) == polled[first:]
        assert table in text


def test_the_stream_from_now_on_has_only_what_comes(house: House, ann: Caller) -> None:
    house.finished()
    with open_stream(ann, "/me/stream?after=now") as answer:
        assert pieces(answer, lambda text: True).startswith("retry: ")
        table = house.running()
        events = sse_events(pieces(answer, lambda text: "table_started" in text))
    assert [(event["type"], event["table"]) for event in events] == [("table_started", table)]


@pytest.mark.parametrize("path", ["/me/events", "/me/stream"])
def test_the_feed_is_for_players(house: House, spectator: Caller, ann: Caller, path: str) -> None:
    refused(spectator.get(path), 401, "unauthenticated")
    for query in ("after=abc", "after=-1", "after=", "after=Now", "after=1.5", "seq=1", "after=1&after=2"):
        refused(ann.get(f"{path}?{query}"), 422, "invalid")
    refused(ann.get(f"{path}?after=9007199254740991"), 409, "cursor_ahead")


def test_a_player_whose_seat_is_played_for_him_is_not_called_to_move(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    bob.ask("DELETE", f"/tables/{table}/seats/1")
    ann.move(table, "55")
    assert "your_turn" not in types(bob)
