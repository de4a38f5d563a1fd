"""A session goes on whatever becomes of one of its tables, and asks no more often than it must."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.kit import session as sessions
from app.kit.bot import Bot
from app.kit.game import Game
from app.kit.server import Server
from app.kit.session import Session, _Place
from app.kit.wishes import Wishes
from tests.api.cast import P_DRAW, House
from tests.kit.stand_in import Answer, Asked, Says, StandIn, problem

GONE = problem(404, "not_found")


class Desk:
    """The way to the house. A test may close it for a table, or have it say something else about tickets."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.gone: str | None = None
        """The table the house does not know any more."""
        self.tickets: Callable[[Asked], Answer] = lambda _: GONE

    def __call__(self, asked: Asked) -> Answer:
        path = asked.path.partition("?")[0]
        if path.startswith("/v1/tickets"):
            return self.tickets(asked)
        if self.gone is not None and path.startswith(f"/v1/tables/{self.gone}"):
            return GONE
        if path in ("/v1/me/stream", "/v1/me/events") and "now" not in asked.path:
            time.sleep(0.05)
            return Says(200, {"events": [], "next_after": 0})
        headers = {name: value for name, value in asked.headers.items() if name not in ("Host", "Content-Length")}
        short = asked.path.replace("wait=20.0", "wait=0.05")
        answer = self.house.client.open(short, method=asked.method, data=asked.body, headers=headers)
        return Says(answer.status_code, answer.data)


class Played:
    """Ann's session, and what it told."""

    def __init__(self, desk: Desk, stand_in: StandIn, folder: Path) -> None:
        self.desk, self.stand_in, self.folder = desk, stand_in, folder
        self.told: list[tuple[str, str, dict[str, Any]]] = []
        self.enough = threading.Event()
        self.server = Server(stand_in.url, desk.house.ann.token, enough=self.enough)
        self.session = self.that_wishes()

    def that_wishes(self, **wished: Any) -> Session:
        bot = Bot("first", lambda seen, _: seen.legal_moves[0], seed=1)
        self.session = Session(
            self.server, bot, Wishes(**wished), self.folder, lambda *told: self.told.append(told), enough=self.enough
        )
        return self.session

    def comes_to(self, what: Callable[[], bool]) -> bool:
        ends = time.monotonic() + 20
        while not what() and time.monotonic() < ends:
            time.sleep(0.02)
        return what()


@pytest.fixture
def played(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    monkeypatch.setattr(sessions, "LOOK_EVERY", 0.2)
    desk = Desk(house)
    with StandIn(rest=desk) as stand_in:
        played = Played(desk, stand_in, tmp_path)
        yield played
        played.session.end()
        played.session._pool.shutdown()
        for game in played.session.games:
            game._log.close()


def test_a_table_the_server_does_not_know_any_more_is_given_up_and_its_log_has_an_end(
    house: House, played: Played
) -> None:
    table = house.scripted(P_DRAW)
    session = played.that_wishes(table=table)
    session.begin()
    assert played.comes_to(lambda: session.counted["moves"] == 1)
    played.desk.gone = table
    assert played.comes_to(lambda: session.done)
    assert session.failure is None
    assert session.counted["given up"] == 1
    ended = [told for kind, _, told in played.told if kind == "ended"]
    assert [(told["outcome"], told["scores"]) for told in ended] == [("given up", (0, 0))]
    lines = [json.loads(line) for line in (played.folder / f"{table}.jsonl").read_text().splitlines()]
    assert lines[-1]["end"]["how"] == "given up"


def test_a_table_that_was_never_seen_is_given_up_as_well(played: Played) -> None:
    session = played.that_wishes(table="nowhere")
    session.begin()
    assert played.comes_to(lambda: session.done)
    assert session.failure is None
    assert session.counted["given up"] == 1


def test_who_wants_nothing_more_ends_with_what_was_left_running(house: House, played: Played) -> None:
    table = house.scripted(P_DRAW)
    session = played.that_wishes(tickets=False, invitations="none")
    session.begin()
    assert played.comes_to(lambda: session.counted["moves"] == 1)
    assert not session.done
    played.desk.gone = table
    assert played.comes_to(lambda: session.done)


def test_a_claim_table_the_server_has_forgotten_ends_nothing_but_its_game(house: House, played: Played) -> None:
    table = house.scripted(P_DRAW, ruleset="all-fives-claim")
    session = played.that_wishes(tickets=False)
    session.begin()
    waits = [f"/v1/tables/{table}?newer_than=", "until=my_turn"]
    assert played.comes_to(lambda: any(all(part in asked.path for part in waits) for asked in played.stand_in.asked))
    played.desk.gone = table
    assert played.comes_to(lambda: session.counted["given up"] == 1)
    assert played.comes_to(lambda: not session.games)
    assert session.failure is None
    assert not session.done


def test_a_wait_that_is_refused_has_somebody_look(house: House, played: Played) -> None:
    """It may well be the first to hear that there is no such table any more."""
    table = house.scripted(P_DRAW, ruleset="all-fives-claim")
    session = played.session
    game = Game(played.server, session._bot, table, played.folder, session._news)
    session._places[table] = _Place(game)
    played.desk.gone = table
    session._watch_calls(game)
    assert game.over
    assert played.comes_to(lambda: session.games == [])
    assert played.told[-1][0] == "ended"


def test_a_ticket_the_server_has_forgotten_is_followed_by_another_after_a_while(played: Played) -> None:
    first = [Says(201, {"id": "K1", "status": "waiting", "table": None}), GONE]

    def tickets(asked: Asked) -> Answer:
        return first.pop(0) if first else Says(201, {"id": "K2", "status": "waiting", "table": None})

    played.desk.tickets = tickets
    session = played.that_wishes()
    session.begin()
    assert played.comes_to(lambda: [asked.method for asked in played.stand_in.asked].count("POST") == 2)
    assert session.failure is None


def test_a_game_that_ends_while_more_is_heard_of_it_is_put_away_once(house: House, played: Played) -> None:
    """Between any two steps of the one who attends, others may hear of the table."""
    table = house.scripted(P_DRAW)
    session: Any = played.session
    game = Game(played.server, session._bot, table, played.folder, session._news)
    game.give_up()
    place = session._places[table] = _Place(game, busy=True, again=True)

    class AtOnce(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            fn(*args, **kwargs)

    class Between:
        """The lock, with somebody who hears of the table each time it is free."""

        def __enter__(self) -> None:
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()
            if session._lock is between:
                session._lock = lock
                session._attend(table)
                session._lock = between

    lock, between = session._lock, Between()
    session._pool.shutdown()
    session._pool, session._lock = AtOnce(), between
    session._attend_to(place)
    session._lock = lock
    assert session.failure is None
    assert session.games == []


def test_a_wait_that_brings_nothing_is_not_begun_again_at_once(house: House, played: Played) -> None:
    """A server that is being stopped answers every wait at once."""
    pauses: list[float | None] = []

    class Counted(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout)
            if len(pauses) == 3:
                self.set()
            return True

    table = house.scripted(P_DRAW)
    session = played.session
    game = Game(played.server, session._bot, table, played.folder, session._news)
    assert game.wait_for_moves()
    session._enough = Counted()
    session._watch_calls(game)
    game._log.close()
    assert pauses == [sessions.WAIT_AGAIN] * 3
