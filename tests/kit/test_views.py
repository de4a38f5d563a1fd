"""The view made from HTTP answers is the one the engine's own bots get for the same seat, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from app.engine import views
from app.engine.rulesets import RULE_SETS
from app.engine.views import SeatView
from app.kit.answers import Entry, TableView
from app.kit.views import IncompleteLog, seat_view
from tests.api.cast import P_DRAW, Caller, House
from tests.engine.deals import TABLES, table_name

STEPS = 40


WRONG_CALLS = {"claim": True, "wrong_call_costs": 5, "boneyard_keep": 2, "direction": "counterclockwise"}


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_the_view_is_the_engines_own_for_every_seat_at_every_moment(table: tuple[str, int, str]) -> None:
    ruleset, players, seating = table
    windows, _ = compared(ruleset, players, seating)
    if RULE_SETS[ruleset].claim:
        assert windows > 10


def test_the_view_tells_who_called_wrongly() -> None:
    windows, called = compared("all-fives-classic", 3, "solo", WRONG_CALLS)
    assert windows > 10
    assert called > 10


def compared(ruleset: str, players: int, seating: str, house_rules: dict[str, Any] | None = None) -> tuple[int, int]:
    """Hold every seat's view at every moment against the engine's; how many had what in them."""
    seen = windows = called = 0
    for house, table_id, readers in played(ruleset, players, seating, house_rules or {}):
        game = house.room.table(table_id).game
        for seat, reader in enumerate(readers):
            made = reader.look()
            if game is None:  # nobody has a view of a game that has not begun; it is that before the first deal
                assert (made.hand_number, made.history, made.legal_moves) == (0, (), ())
                continue
            own = views.seat_view(game, seat)
            assert made == own
            assert msgspec.json.encode(made) == msgspec.json.encode(own)
            seen += 1
            windows += made.window is not None
            called += made.window is not None and bool(made.window.called)
    assert seen > STEPS
    return windows, called


def test_what_draws_and_passes_prove_is_in_the_view_of_every_seat(house: House, ann: Caller, bob: Caller) -> None:
    """61 lies; Bob draws 50 40 32, which do not fit, then 64, which he must lay on the 6: then he holds no 1."""
    table_id = house.scripted(P_DRAW)
    readers = [Reader(caller, table_id) for caller in (ann, bob)]
    proved = []
    for caller, move in ((ann, "61"), (bob, "draw"), (bob, "64>61.left")):
        assert caller.move(table_id, move).status_code == 200
        game = house.room.table(table_id).game
        assert game is not None
        seen = [reader.look() for reader in readers]
        assert seen == [views.seat_view(game, 0), views.seat_view(game, 1)]
        proved.append({view.lacks[1] for view in seen})
    assert proved == [{()}, {()}, {(1, 6)}]


class Reader:
    """A seat that reads its table and the log as it grows."""

    def __init__(self, caller: Caller, table_id: str) -> None:
        self.caller, self.table_id = caller, table_id
        self.log: list[Entry] = []

    def look(self) -> SeatView:
        self.log += log_of(self.caller, self.table_id, after=len(self.log))
        return seat_view(view_of(self.caller, self.table_id), self.log)

    @property
    def moves(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = self.caller.see(self.table_id)["you"]["legal_moves"]
        return moves


def played(
    ruleset: str, players: int, seating: str, house_rules: dict[str, Any]
) -> Iterator[tuple[House, str, list[Reader]]]:
    """A table over HTTP, looked at after every move; moves are random, and hands follow at once."""
    house, chance = House(), random.Random(5)
    terms: dict[str, Any] = {"ruleset": ruleset, "players": players, "seating": seating, "house_rules": house_rules}
    table_id = house.open_table(**terms, clock={"hand_break_seconds": 5})
    callers = [house.ann, house.bob, house.eve, house.newcomer("Dan")][:players]
    readers = [Reader(caller, table_id) for caller in callers]
    yield house, table_id, readers[:1]
    for caller in callers[1:]:
        assert caller.post(f"/tables/{table_id}/seats", {}).status_code == 200
    for _ in range(STEPS):
        yield house, table_id, readers
        choices = [(reader.caller, move) for reader in readers for move in reader.moves]
        if not choices:
            house.room.later(table_id, 6)
            continue
        caller, move = chance.choice(choices)
        if move["action"] == "play" and chance.random() < 0.5:
            move["announce"] = 5
        # A call with nothing to take is refused; it changes nothing.
        assert caller.post(f"/tables/{table_id}/moves", move).status_code in (200, 409)


def view_of(caller: Caller, table_id: str) -> TableView:
    return msgspec.json.decode(caller.get(f"/tables/{table_id}").data, type=TableView)


def log_of(caller: Caller, table_id: str, after: int = 0) -> list[Entry]:
    log: list[Entry] = caller.get(f"/tables/{table_id}/events?after={after}&limit=1000").get_json()["events"]
    return log


def test_what_was_told_after_the_tables_version_is_left_out(house: House, ann: Caller, bob: Caller) -> None:
    """The log may be read a moment after the table."""
    table_id = house.running()
    before = view_of(ann, table_id)
    view = Reader(ann, table_id).look()
    for caller in (ann, bob):
        moves = caller.see(table_id)["you"]["legal_moves"]
        if moves:
            caller.post(f"/tables/{table_id}/moves", moves[0])
    assert seat_view(before, log_of(ann, table_id)) == view


def test_a_log_with_its_end_or_its_deal_missing_is_refused(house: House, ann: Caller, bob: Caller) -> None:
    table_id = house.running()
    table, log = view_of(ann, table_id), log_of(ann, table_id)
    with pytest.raises(IncompleteLog):
        seat_view(table, log[:-1])
    deal = next(place for place, event in enumerate(log) if event["type"] == "hand_dealt")
    assert seat_view(table, log[deal:]).hand_number == 1
    with pytest.raises(IncompleteLog):
        seat_view(table, log[deal + 1 :])


def test_who_does_not_sit_there_has_no_view(house: House, eve: Caller) -> None:
    table_id = house.running()
    with pytest.raises(ValueError, match="do not sit"):
        seat_view(view_of(eve, table_id), log_of(eve, table_id))
