"""A request is tried until there is an answer, and a write is one write however often it is sent."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from app.kit import server
from app.kit.server import BACKOFF, NoAnswer, Refused, Server
from tests.kit.stand_in import Answer, Asked, Hangs, Says, StandIn, problem

Told = dict[str, Any]


class Asking:
    """A server asked without waiting in earnest; `waited` has the seconds between the tries."""

    def __init__(self, stand_in: StandIn) -> None:
        self.waited: list[float] = []
        self.sighs: list[str] = []
        self.enough = threading.Event()
        self.server = Server(
            stand_in.url,
            "a5_secret",
            enough=self.enough,
            tell=lambda why, tries: self.sighs.append(f"{tries}: {why}"),
            sleep=self.waited.append,
        )


@pytest.mark.parametrize(
    "first",
    [
        Hangs(),
        Says(200, {"done": 1}, only=3),
        Says(200, b'{"done"'),
        problem(503, "store_unavailable", retry_after=1),
        problem(429, "rate_limited", retry_after=7),
        problem(409, "request_in_progress"),
        Says(502, b"<html>Bad Gateway</html>"),
        problem(500, "internal"),
    ],
    ids=["dropped", "cut off", "half an answer", "503", "429", "in progress", "bad gateway", "500"],
)
def test_a_write_is_tried_again_under_the_same_key(first: Answer) -> None:
    with StandIn(first, first, Says(200, {"done": 1})) as stand_in:
        asking = Asking(stand_in)
        assert asking.server.ask(Told, "POST", "/tables/T/moves", {"action": "draw"}) == {"done": 1}
    keys = [asked.key for asked in stand_in.asked]
    assert len(keys) == 3
    assert keys[0] is not None
    assert len(set(keys)) == 1
    assert {asked.body for asked in stand_in.asked} == {b'{"action":"draw"}'}
    assert len(asking.waited) == len(asking.sighs) == 2


def test_another_write_has_another_key() -> None:
    with StandIn(rest=lambda _: Says(200, {})) as stand_in:
        asking = Asking(stand_in)
        for _ in range(2):
            asking.server.ask(Told, "POST", "/tickets", {})
        asking.server.ask(Told, "POST", "/tickets", {}, key="again")
    keys = [asked.key for asked in stand_in.asked]
    assert len(set(keys)) == 3
    assert keys[-1] == "again"


@pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (503, "store_unavailable")])
def test_it_is_left_alone_as_long_as_it_asks_for(status: int, code: str) -> None:
    with StandIn(problem(status, code, retry_after=30), problem(status, code), Says(200, {})) as stand_in:
        asking = Asking(stand_in)
        asking.server.ask(Told, "GET", "/me")
    assert 30 <= asking.waited[0] <= 30.2
    assert asking.waited[1] <= 0.4


def test_tries_come_less_and_less_often_and_never_in_step() -> None:
    with StandIn(*[Hangs()] * 12, Says(200, {})) as stand_in:
        asking = Asking(stand_in)
        asking.server.ask(Told, "GET", "/me")
    assert len(set(asking.waited)) == 12
    bounds = [min(BACKOFF.max, BACKOFF.multiplier * 2**tries) for tries in range(12)]
    assert all(0 <= waited <= bound for waited, bound in zip(asking.waited, bounds, strict=True))
    assert max(asking.waited) > bounds[1], "one chance in 10^9 that none of ten is"


@pytest.mark.parametrize("code", ["not_your_turn", "version_conflict", "does_not_fit"])
def test_a_refusal_is_an_answer(code: str) -> None:
    with StandIn(problem(409, code, version=9)) as stand_in, pytest.raises(Refused) as refused:
        Asking(stand_in).server.ask(Told, "POST", "/tables/T/moves", {})
    assert (refused.value.status, refused.value.code, refused.value.params) == (409, code, {"version": 9})
    assert len(stand_in.asked) == 1


def test_it_ends_when_it_is_enough() -> None:
    with StandIn() as stand_in:
        asking = Asking(stand_in)
        asking.enough.set()
        with pytest.raises(NoAnswer):
            asking.server.ask(Told, "GET", "/me")
    assert len(stand_in.asked) == 1


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "AT_LEAST", 15.0)
    with StandIn() as stand_in, pytest.raises(NoAnswer, match="Remote end closed"):
        Asking(stand_in).server.ask(Told, "GET", "/me", patience=0.0)


def test_patience_ends_before_the_server_wants_to_be_asked_again() -> None:
    with StandIn(problem(503, "store_unavailable", retry_after=3600)) as stand_in:
        asking = Asking(stand_in)
        with pytest.raises(NoAnswer, match="store_unavailable"):
            asking.server.ask(Told, "GET", "/me", patience=15.0)
    assert asking.waited == []
    assert len(stand_in.asked) == 1


def test_patience_ends_while_the_server_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "AT_LEAST", 0.05)
    gave_up = threading.Event()

    def says_nothing(_: Asked) -> Answer:
        gave_up.wait(3)
        return Says(200, {})

    with StandIn(rest=says_nothing) as stand_in, pytest.raises(NoAnswer, match="no answer in time"):
        Asking(stand_in).server.ask(Told, "GET", "/me", patience=0.0)
    gave_up.set()


def test_nobody_listens_there() -> None:
    nobody = Server("http://127.0.0.1:9", enough=threading.Event())
    with pytest.raises(NoAnswer, match="Connection refused"):
        nobody.ask(Told, "GET", "/me", patience=0.0)


def test_an_answer_of_another_shape_is_not_asked_for_again() -> None:
    with StandIn(Says(200, [])) as stand_in, pytest.raises(Refused, match="not_understood"):
        Asking(stand_in).server.ask(Told, "GET", "/me")


def test_the_token_goes_with_every_request_and_into_no_message() -> None:
    with StandIn(Hangs(), problem(401, "unauthenticated")) as stand_in:
        asking = Asking(stand_in)
        with pytest.raises(Refused) as refused:
            asking.server.ask(Told, "GET", "/me")
    assert {asked.headers["Authorization"] for asked in stand_in.asked} == {"Bearer a5_secret"}
    assert not any("secret" in text for text in (str(refused.value), *asking.sighs))
