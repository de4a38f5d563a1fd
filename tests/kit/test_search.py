"""A ticket that found a table is played, and one that is not wanted any more is given back."""

from __future__ import annotations

import threading

from app.kit.search import Search
from app.kit.server import Server
from tests.kit.stand_in import Answer, Asked, Hangs, Says, StandIn, problem

WAITING = Says(201, {"id": "K1", "status": "waiting", "table": None})
MATCHED = Says(200, {"id": "K1", "status": "matched", "table": "T1"})


class Looking:
    """A search whose patience is the test's: it goes on for so many looks."""

    def __init__(self, stand_in: StandIn, looks: int) -> None:
        self.looks = looks
        self.no_more = threading.Event()
        server = Server(stand_in.url, "a5_token", enough=threading.Event(), sleep=lambda _: None)
        self.search = Search(server, {"players": 2}, goes_on=self.goes_on, no_more=self.no_more)

    def goes_on(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def asked(stand_in: StandIn) -> list[str]:
    return [f"{one.method} {one.path.partition('?')[0]}" for one in stand_in.asked]


def found(*answers: Answer, looks: int = 9) -> tuple[str | None, list[str]]:
    with StandIn(*answers) as stand_in:
        table = Looking(stand_in, looks).search.table()
    return table, asked(stand_in)


def test_it_waits_until_the_ticket_has_a_table() -> None:
    table, paths = found(WAITING, WAITING, MATCHED)
    assert table == "T1"
    assert paths == ["POST /v1/tickets", "GET /v1/tickets/K1", "GET /v1/tickets/K1"]


def test_a_ticket_that_lapsed_is_no_table() -> None:
    assert found(WAITING, Says(200, {"id": "K1", "status": "expired", "table": None}))[0] is None


def test_a_ticket_the_server_has_forgotten_is_no_table_either() -> None:
    forgotten = problem(404, "not_found")
    assert found(WAITING, WAITING, forgotten) == (None, ["POST /v1/tickets", *["GET /v1/tickets/K1"] * 2])
    assert found(WAITING, forgotten, looks=0) == (None, ["POST /v1/tickets", "DELETE /v1/tickets/K1"])


def test_giving_back_does_not_wait_as_long_as_a_busy_server_asks_for() -> None:
    waited: list[float] = []
    with StandIn(Hangs(), problem(429, "rate_limited", retry_after=3600)) as stand_in:
        no_more = threading.Event()
        no_more.set()
        server = Server(stand_in.url, "a5_token", enough=threading.Event(), sleep=waited.append)
        assert Search(server, {}, goes_on=lambda: True, no_more=no_more).table() is None
    assert waited == []


def test_what_is_not_wanted_any_more_is_given_back() -> None:
    table, paths = found(WAITING, WAITING, Says(204), looks=1)
    assert table is None
    assert paths[-1] == "DELETE /v1/tickets/K1"


def test_a_table_found_in_the_last_moment_is_played() -> None:
    assert found(WAITING, problem(409, "ticket_matched", table="T7"), looks=0)[0] == "T7"


def test_a_ticket_whose_answer_was_lost_is_found_again_under_its_key_and_given_back() -> None:
    """No more games are wanted while the server is away: the ticket may have been taken all the same."""
    with StandIn(Hangs(), WAITING, Says(204)) as stand_in:
        looking = Looking(stand_in, 9)
        looking.no_more.set()
        assert looking.search.table() is None
    assert asked(stand_in) == ["POST /v1/tickets", "POST /v1/tickets", "DELETE /v1/tickets/K1"]
    assert stand_in.asked[0].key == stand_in.asked[1].key


def test_a_server_that_is_gone_keeps_nobody() -> None:
    with StandIn() as stand_in:
        looking = Looking(stand_in, 9)
        looking.no_more.set()
        url = stand_in.url
    gone = Search(Server(url, enough=looking.no_more), {}, goes_on=looking.goes_on, no_more=looking.no_more)
    assert gone.table() is None


def test_a_ticket_that_is_waited_for_may_be_given_back_meanwhile() -> None:
    """By another thread; whoever waits hears of it."""

    def waits_until_it_is_given_back(one: Asked) -> Answer:
        if one.method == "DELETE":
            return Says(204)
        given_back = any(before.method == "DELETE" for before in stand_in.asked)
        return Says(200, {"id": "K1", "status": "cancelled" if given_back else "waiting", "table": None})

    with StandIn(rest=waits_until_it_is_given_back) as stand_in:
        looking = Looking(stand_in, 100_000)
        looking.search.stop()
        assert stand_in.asked == []
        waiting = threading.Thread(target=looking.search.table, daemon=True)
        waiting.start()
        while len(stand_in.asked) < 3:
            waiting.join(0.01)
        looking.search.stop()
        waiting.join(20)
        assert not waiting.is_alive()
    assert asked(stand_in).count("DELETE /v1/tickets/K1") == 1
