"""The view made from HTTP answers is the one the engine's own bots get for the same seat, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from app.engine import views
from app.engine.views import SeatView
from app.kit.answers import Entry, TableView
from app.kit.views import IncompleteLog, seat_view
from tests.api.cast import Caller, House
from tests.engine.deals import TABLES, table_name

STEPS = 90


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_the_view_is_the_engines_own_for_every_seat_at_every_moment(table: tuple[str, int, str]) -> None:
    ruleset, players, seating = table
    compared, drew, windows = 0, 0, 0
    for house, table_id, seated in played(ruleset, players, seating):
        for seat, caller in enumerate(seated):
            made, own = made_from_http(caller, table_id), engines_own(house, table_id, seat)
            assert msgspec.json.encode(made) == msgspec.json.encode(own)
            assert made == own
            compared += 1
            drew += any(type(past).__name__ == "Drew" for past in made.history)
            windows += made.window is not None
    assert compared > STEPS
    if ruleset == "all-fives-claim":
        assert windows > 10


def played(ruleset: str, players: int, seating: str) -> Iterator[tuple[House, str, list[Caller]]]:
    """A table over HTTP, stopped after every move; hands follow at once, and moves are random."""
    house, chance = House(), random.Random(5)
    seated = [house.ann, house.bob, house.eve, house.newcomer("Dan")][:players]
    terms: dict[str, Any] = {"ruleset": ruleset, "players": players, "seating": seating}
    table_id = house.open_table(**terms, clock={"hand_break_seconds": 5})
    yield house, table_id, seated[:1]
    for caller in seated[1:]:
        assert caller.post(f"/tables/{table_id}/seats", {}).status_code == 200
    for _ in range(STEPS):
        yield house, table_id, seated
        choices = [(caller, move) for caller in seated for move in caller.see(table_id)["you"]["legal_moves"]]
        if not choices:
            house.room.later(table_id, 6)
            continue
        caller, move = chance.choice(choices)
        if move["action"] == "play" and chance.random() < 0.5:
            move["announce"] = 5
        # A call with nothing to take is refused; it changes nothing.
        assert caller.post(f"/tables/{table_id}/moves", move).status_code in (200, 409)


def made_from_http(caller: Caller, table_id: str) -> SeatView:
    return seat_view(view_of(caller, table_id), log_of(caller, table_id))


def view_of(caller: Caller, table_id: str) -> TableView:
    return msgspec.json.decode(caller.get(f"/tables/{table_id}").data, type=TableView)


def log_of(caller: Caller, table_id: str) -> list[Entry]:
    log: list[Entry] = []
    while True:
        page = caller.get(f"/tables/{table_id}/events?after={len(log)}").get_json()
        if not page["events"]:
            return log
        log += page["events"]


def engines_own(house: House, table_id: str, seat: int) -> SeatView:
    game = house.room.table(table_id).game
    if game is not None:
        return views.seat_view(game, seat)
    # Nobody has a view of a game that has not begun; it is that of a game before its first deal.
    return made_from_http(house.ann, table_id)


def test_what_was_told_after_the_tables_version_is_left_out(house: House, ann: Caller, bob: Caller) -> None:
    """The log may be read a moment after the table."""
    table_id = house.running()
    before = view_of(ann, table_id)
    view = made_from_http(ann, table_id)
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
