"""A game attended to over HTTP: what is lost is done once, and what has moved on is looked at again."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.bots.named import Choose
from app.kit.bot import Bot
from app.kit.game import Game
from app.kit.gamelog import GameLog
from app.kit.server import Refused, Server
from app.kit.views import IncompleteLog
from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House
from tests.kit.stand_in import Answer, Asked, Hangs, Says, StandIn, problem

Meddle = Callable[[Asked, Callable[[], Answer]], Answer]


class Line:
    """The way to the house; a test may meddle with what goes over it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.meddle: Meddle | None = None
        self.instead: tuple[str, str] | None = None
        """A table, and another one that the house takes for it: it has forgotten what was played there."""

    def __call__(self, asked: Asked) -> Answer:
        meddle, self.meddle = (self.meddle, None) if is_move(asked) else (None, self.meddle)
        return self.through(asked) if meddle is None else meddle(asked, lambda: self.through(asked))

    def through(self, asked: Asked) -> Answer:
        headers = {name: value for name, value in asked.headers.items() if name not in ("Host", "Content-Length")}
        path = asked.path if self.instead is None else asked.path.replace(*self.instead)
        answer = self.house.client.open(
            path.replace("wait=20.0", "wait=0"), method=asked.method, data=asked.body, headers=headers
        )
        return Says(answer.status_code, answer.data)


def is_move(asked: Asked) -> bool:
    return asked.method == "POST" and asked.path.endswith("/moves")


class Seat:
    """Ann's seat, played by a bot that makes the first legal move."""

    def __init__(self, house: House, stand_in: StandIn, line: Line, folder: Path) -> None:
        self.house, self.line, self.stand_in, self.folder = house, line, stand_in, folder
        self.told: list[str] = []
        self.games: list[Game] = []
        self.server = Server(stand_in.url, house.ann.token, enough=threading.Event(), sleep=lambda _: None)

    def at(self, table: str) -> Game:
        return self.played_by(lambda seen, _: seen.legal_moves[0], table)

    def played_by(self, choose: Choose, table: str) -> Game:
        bot = Bot("test", choose, seed=1)
        self.games.append(Game(self.server, bot, table, self.folder, lambda kind, *_: self.told.append(kind)))
        return self.games[-1]

    @property
    def moves(self) -> list[Asked]:
        return [asked for asked in self.stand_in.asked if is_move(asked)]

    def log_of(self, table: str, kind: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in (self.folder / f"{table}.jsonl").read_text().splitlines()]
        return [line[kind] for line in lines if kind in line]


@pytest.fixture
def seat(house: House, tmp_path: Path) -> Iterator[Seat]:
    line = Line(house)
    with StandIn(rest=line) as stand_in:
        seat = Seat(house, stand_in, line, tmp_path)
        yield seat
    for game in seat.games:
        game._log.close()


def test_a_move_whose_answer_is_lost_is_made_once(house: House, seat: Seat) -> None:
    table = house.scripted(P_DRAW)
    game = seat.at(table)

    def lose_the_answer(_: Asked, through: Callable[[], Answer]) -> Answer:
        through()
        return Hangs()

    seat.line.meddle = lose_the_answer
    game.attend()
    assert len(seat.moves) == 2
    assert seat.moves[0].key == seat.moves[1].key
    assert seat.moves[0].body == seat.moves[1].body
    assert [event["type"] for event in house.ann.events(table)].count("tile_played") == 1
    assert seat.log_of(table, "event") == house.ann.events(table)
    assert len(seat.log_of(table, "decision")) == game.moves == 1


def test_a_table_that_has_moved_on_is_looked_at_and_decided_on_again(house: House, seat: Seat, bob: Caller) -> None:
    table = house.scripted(P_DRAW)
    game = seat.at(table)

    def somebody_was_faster(_: Asked, through: Callable[[], Answer]) -> Answer:
        assert bob.post(f"/tables/{table}/more-time").status_code == 200
        return through()

    seat.line.meddle = somebody_was_faster
    game.attend()
    versions = [json.loads(asked.body)["expected_version"] for asked in seat.moves]
    assert len(set(versions)) == 2
    assert versions[1] == versions[0] + 1
    assert seat.moves[0].key != seat.moves[1].key
    assert [line["version"] for line in seat.log_of(table, "decision")] == versions
    assert "moved on" in seat.told
    assert game.moves == 1


def test_a_move_that_arrives_once_more_later_is_not_made_again(house: House, seat: Seat, bob: Caller) -> None:
    """A pass or a draw may well be legal again by then."""
    table = house.scripted(P_DRAW)
    game = seat.at(table)
    game.attend()
    bob.move(table, "draw")
    bob.move(table, "64>61.left")
    game.attend()
    late = seat.moves[-1]
    answer = house.ann.post(f"/tables/{table}/moves", json.loads(late.body), headers={"Idempotency-Key": "late"})
    assert answer.status_code == 409
    assert len(seat.moves) == len(seat.log_of(table, "decision"))


def test_a_seat_a_stand_in_plays_is_taken_back(house: House, seat: Seat) -> None:
    table = house.scripted(P_DRAW)
    assert house.ann.ask("DELETE", f"/tables/{table}/seats/0").status_code == 200
    game = seat.at(table)
    game.attend()
    assert house.ann.see(table)["seats"][0]["stand_in"] is None
    assert "came back" in seat.told


def test_the_running_hand_is_finished_before_the_seat_is_left(house: House, seat: Seat, bob: Caller) -> None:
    table = house.scripted({"holdings": [["55", "52"], ["53", "66"]], "leader": 0}, house_rules={"deal": {"2": 2}})
    game = seat.at(table)
    game.attend()
    game.leave()
    game.attend()
    assert "ended" not in seat.told
    assert house.ann.see(table)["seats"][0]["stand_in"] is None
    bob.move(table, "53>55.left")
    game.attend()
    assert "ended" in seat.told
    assert house.ann.see(table)["seats"][0]["stand_in"]["reason"] == "left"
    assert seat.log_of(table, "end")[0]["how"] == "left"
    assert house.ann.see(table)["hand"]["phase"] == "over"


def test_a_game_its_stand_in_has_won_is_told_as_lost(house: House, seat: Seat) -> None:
    table = house.scripted(P_OUT, house_rules={**SHORT, "target": {"2": 10}})
    assert house.ann.ask("DELETE", f"/tables/{table}/seats/0").status_code == 200
    assert house.room.run(table)
    assert house.ann.see(table)["result"]["winner"] == 0
    seat.at(table).attend()
    assert [(end["how"], end["outcome"]) for end in seat.log_of(table, "end")] == [("finished", "lost")]


def test_a_game_its_player_has_won_is_told_as_won(house: House, seat: Seat) -> None:
    table = house.scripted(P_OUT, house_rules={**SHORT, "target": {"2": 10}})
    seat.played_by(lambda seen, _: next(move for move in seen.legal_moves if move.tile == "55"), table).attend()
    assert [end["outcome"] for end in seat.log_of(table, "end")] == ["won"]


def test_a_log_that_was_cut_off_in_mid_game_goes_on_without_a_gap(house: House, seat: Seat, bob: Caller) -> None:
    table = house.scripted(P_DRAW)
    first = seat.at(table)
    first.attend()
    first._log.close()
    bob.move(table, "draw")
    bob.move(table, "64>61.left")
    again = seat.at(table)
    again.attend()
    assert seat.log_of(table, "event") == house.ann.events(table)
    assert len(seat.log_of(table, "begin")) == 1
    assert house.ann.see(table)["hand"]["turn"] == 1


def test_where_the_server_has_forgotten_moves_the_log_is_begun_anew_and_play_goes_on(
    house: House, seat: Seat, bob: Caller
) -> None:
    table = house.scripted(P_DRAW)
    game = seat.at(table)
    game.attend()
    bob.move(table, "draw")
    bob.move(table, "64>61.left")
    game.attend()
    known = house.ann.events(table)
    forgotten = house.scripted(P_DRAW)
    seat.line.instead = (table, forgotten)
    game.attend()
    assert seat.log_of(table, "event") == house.ann.events(forgotten)
    assert len(seat.log_of(table, "begin")) == 1
    assert house.ann.see(forgotten)["hand"]["turn"] == 1, "the lead was made again"
    lost = [json.loads(line) for line in (seat.folder / f"{table}.lost").read_text().splitlines()]
    assert [line["event"] for line in lost if "event" in line] == known


def test_a_log_of_another_story_is_begun_anew_as_well(house: House, seat: Seat) -> None:
    """The server has forgotten, and as much has happened again: the versions do not tell."""
    table = house.scripted(P_DRAW)
    log = GameLog(seat.folder, table)
    log.add([{"seq": event["seq"], "type": "turn_passed", "seat": 0} for event in house.ann.events(table)])
    log.close()
    game = seat.at(table)
    game.attend()
    assert seat.moves == []
    game.attend()
    assert len(seat.moves) == 1
    assert seat.log_of(table, "event") == house.ann.events(table)


def test_a_server_that_does_not_tell_what_happened_is_not_asked_in_a_circle(house: House, seat: Seat) -> None:
    table = house.scripted(P_DRAW)
    view = Says(200, house.ann.see(table))

    def tells_nothing(asked: Asked) -> Answer:
        return Says(200, {"events": [], "next_after": 0, "version": 9}) if "/events" in asked.path else view

    with StandIn(rest=tells_nothing) as stand_in:
        seat.server = Server(stand_in.url, "a5_token", enough=threading.Event(), sleep=lambda _: None)
        with pytest.raises(IncompleteLog, match="what came after 0"):
            seat.at(table).attend()
    assert len(stand_in.asked) == 2


def test_a_refusal_as_if_the_table_had_moved_on_is_not_argued_with(house: House, seat: Seat) -> None:
    table = house.scripted(P_DRAW)
    game = seat.at(table)
    seat.line.meddle = lambda *_: problem(409, "version_conflict")
    game.attend()
    assert len(seat.moves) == 1
    game.attend()
    assert game.moves == 1


def test_each_piece_of_news_is_waited_for_once(house: House, seat: Seat, bob: Caller) -> None:
    """Whether or not anybody has attended to it meanwhile."""
    table = house.scripted(P_DRAW)
    game = seat.at(table)
    assert [game.wait_for_moves() for _ in range(3)] == [True, False, False]
    assert bob.post(f"/tables/{table}/more-time").status_code == 200
    assert [game.wait_for_moves() for _ in range(2)] == [True, False]


def test_waiting_for_what_the_server_has_forgotten_is_refused_once(house: House, seat: Seat) -> None:
    table = house.scripted(P_DRAW)
    house.ann.move(table, "61")
    game = seat.at(table)
    game.wait_for_moves()
    seat.line.instead = (table, house.scripted(P_DRAW))
    with pytest.raises(Refused, match="cursor_ahead"):
        game.wait_for_moves()
    assert game.wait_for_moves()


def test_a_trouble_has_the_view_the_bot_was_given_without_the_call_that_is_made_for_it(
    house: House, seat: Seat, bob: Caller
) -> None:
    table = house.scripted(
        {"holdings": [["55", "52"], ["53", "66"]], "leader": 0},
        ruleset="all-fives-claim",
        house_rules={"deal": {"2": 2}},
    )
    given: list[Any] = []

    def breaks(seen: Any, _: int) -> Any:
        given.append(seen)
        raise LookupError("lost")

    game = seat.played_by(breaks, table)
    game.attend()
    assert bob.move(table, "53>55.left").status_code == 200
    assert "muggins" in [move["action"] for move in house.ann.see(table)["you"]["legal_moves"]]
    game.attend()
    troubles = [json.loads(line) for line in (seat.folder / "troubles.jsonl").read_text().splitlines()]
    assert [line["view"]["legal_moves"] for line in troubles] == [
        json.loads(msgspec.json.encode(seen.legal_moves)) for seen in given
    ]
    assert len(given) == 2
    assert {move.action for move in given[1].legal_moves} == {"play"}
