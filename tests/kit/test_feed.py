"""The feed goes on where it was, by stream or by poll, and nothing is told of twice or left out."""

from __future__ import annotations

import json
import threading
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.kit.feed import Feed
from app.kit.server import Refused, Server
from tests.kit.stand_in import Answer, Asked, Hangs, Says, StandIn, problem

SSE = {"Content-Type": "text/event-stream"}


def told(seq: int) -> dict[str, Any]:
    return {"seq": seq, "type": "your_turn", "table": "T", "version": seq, "seat": 0, "extra": "ignored"}


def frames(*seqs: int) -> bytes:
    lines = [f"id: {seq}\nevent: your_turn\ndata: {json.dumps(told(seq))}\n\n" for seq in seqs]
    return ("retry: 1000\n\n:\n\n" + "".join(lines)).encode()


class Told:
    """A feed of numbered entries behind a line that breaks as the test says."""

    def __init__(self, *streams: Answer, newest: int) -> None:
        self.streams = list(streams)
        self.newest = newest

    def __call__(self, asked: Asked) -> Answer:
        path = urlsplit(asked.path)
        if path.path == "/v1/me/stream":
            return self.streams.pop(0) if self.streams else Hangs()
        after = parse_qs(path.query)["after"][0]
        if after == "now":
            return Says(200, {"events": [], "next_after": 0})
        events = [told(seq) for seq in range(int(after) + 1, self.newest + 1)]
        return Says(200, {"events": events, "next_after": self.newest})


def read(stand_in: StandIn, number: int) -> tuple[list[int | None], Feed]:
    enough = threading.Event()
    feed = Feed(Server(stand_in.url, "a5_token", enough=enough, sleep=lambda _: None), enough)
    feed.begin()
    seqs: list[int | None] = []
    for one in feed.follow():
        seqs.append(None if one is None else one.seq)
        if len(seqs) == number:
            break
    return seqs, feed


def test_a_stream_that_breaks_is_taken_up_after_the_last_whole_entry() -> None:
    broken = frames(1, 2, 3)
    streams = [Says(200, broken, SSE, only=len(broken) - 9), Says(200, frames(3, 4), SSE)]
    with StandIn(rest=Told(*streams, newest=2)) as stand_in:
        seqs, feed = read(stand_in, 4)
    assert seqs == [1, 2, 3, 4]
    assert feed.way == "stream"
    assert [asked.headers["Last-Event-ID"] for asked in stand_in.asked if "stream" in asked.path] == ["0", "2"]


def test_polls_carry_on_where_no_stream_comes_through() -> None:
    with StandIn(rest=Told(newest=3)) as stand_in:
        seqs, feed = read(stand_in, 3)
    assert seqs == [1, 2, 3]
    assert feed.way == "poll"


def test_the_more_a_stream_breaks_the_more_polls_come_between() -> None:
    enough = threading.Event()

    class Broken(Told):
        tried = 0

        def __call__(self, asked: Asked) -> Answer:
            self.tried += "stream" in asked.path
            if self.tried == 4:
                enough.set()
            return super().__call__(asked)

    with StandIn(rest=Broken(newest=0)) as stand_in:
        feed = Feed(Server(stand_in.url, "a5_token", enough=enough, sleep=lambda _: None), enough)
        feed.begin()
        assert list(feed.follow()) == []
    ways = "".join("s" if "stream" in asked.path else "p" for asked in stand_in.asked[1:])
    assert ways.startswith("spsppsppps")


def test_a_server_that_has_forgotten_is_followed_from_now_and_says_that_something_may_be_missing() -> None:
    with StandIn(rest=Told(problem(409, "cursor_ahead", latest=0), Says(200, frames(1), SSE), newest=1)) as stand_in:
        seqs, _ = read(stand_in, 2)
    assert seqs == [None, 1]


def test_one_that_forgot_between_two_polls_as_well() -> None:
    class Forgets(Told):
        """No stream comes through, and the second poll is asked for what there is not any more."""

        polls = 0

        def __call__(self, asked: Asked) -> Answer:
            if "events" in asked.path and "now" not in asked.path:
                self.polls += 1
                if self.polls == 2:
                    return problem(409, "cursor_ahead", latest=0)
            return super().__call__(asked)

    with StandIn(rest=Forgets(newest=2)) as stand_in:
        seqs, feed = read(stand_in, 5)
    assert seqs == [1, 2, None, 1, 2]
    assert feed.way == "poll"


def test_a_token_that_is_not_known_any_more_ends_it() -> None:
    with StandIn(rest=Told(problem(401, "unauthenticated"), newest=0)) as stand_in, pytest.raises(Refused):
        read(stand_in, 1)


def test_a_server_with_too_many_streams_is_polled_as_long_as_it_asks_for() -> None:
    tried: list[float] = []

    class Full(Told):
        def __call__(self, asked: Asked) -> Answer:
            if "stream" in asked.path:
                tried.append(time.monotonic())
            elif "now" not in asked.path:
                time.sleep(0.1)
            return super().__call__(asked)

    full = Full(problem(429, "rate_limited", retry_after=1), Says(200, frames(1), SSE), newest=0)
    with StandIn(rest=full) as stand_in:
        assert read(stand_in, 1)[0] == [1]
    assert tried[1] - tried[0] >= 1
