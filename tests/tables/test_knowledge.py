"""What everybody knows, beside a second reckoning from the public log that shares nothing with the engine's."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from app.tables.ports import Step
from app.tables.requests import Asker
from app.tables.shapes import Knowledge
from app.tables.terms import Clock
from tests.engine.deals import TABLES, table_name
from tests.tables.room import Room, bot

SPECTATOR = Asker()
PACE = Clock(hand_break_seconds=0, claim_seconds=1)
ALL = {f"{high}{low}" for high in range(7) for low in range(high + 1)}


class Seat:
    """One seat's tiles as batches: those dealt, those of each draw. A batch knows what cannot be in it."""

    def __init__(self, dealt: int) -> None:
        self.tiles = dealt
        self.batches: list[set[int]] = [set()]
        self.just_drawn = 0

    def shows_none_of(self, numbers: set[int]) -> None:
        for batch in self.batches:
            batch.update(numbers)

    def lacks(self) -> list[int]:
        """Numbers that are in no batch; what was drawn last may be anything until it is laid, or the seat passes."""
        return [] if self.just_drawn else sorted(set.intersection(*self.batches))

    def draws(self, number: int) -> None:
        self.tiles += number
        self.batches.append(set())
        self.just_drawn = number

    def lays(self) -> None:
        """What is laid after a draw is what was drawn last: after a draw of one, nothing of it is left."""
        self.tiles -= 1
        if self.just_drawn == 1:
            self.batches.pop()
        self.just_drawn = 0


def reckoned(events: list[dict[str, Any]], players: int) -> dict[str, Any]:
    """The public events of a table, from its beginning → what they prove of the last hand."""
    seats: list[Seat] = []
    unseen: set[str] = set()
    boneyard = hand = 0
    numbers: set[int] = set()
    for event in events:
        match event["type"]:
            case "hand_dealt":
                assert event["holdings"] == [None] * players, "a spectator sees no tiles"
                hand, boneyard, unseen, numbers = event["hand"], event["boneyard"], set(ALL), set()
                seats = [Seat(event["tiles_each"]) for _ in range(players)]
            case "tile_played":
                unseen.remove(event["tile"])
                seats[event["seat"]].lays()
                numbers = {end["number"] for end in event["ends"] if end["open"]}
            case "tiles_drawn":
                assert event["tiles"] is None
                seat = seats[event["seat"]]
                boneyard -= event["number"]
                assert event["boneyard"] == boneyard
                seat.draws(event["number"])
                seat.shows_none_of(numbers)
            case "turn_passed":
                seats[event["seat"]].shows_none_of(numbers)
                seats[event["seat"]].just_drawn = 0
    return {
        "hand": hand,
        "boneyard": boneyard,
        "unseen": unseen,
        "seats": [(number, seat.tiles, seat.lacks()) for number, seat in enumerate(seats)],
    }


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_it_is_what_the_public_log_proves_after_every_step_of_a_game(table: tuple[str, int, str]) -> None:
    """Random bots forget points and calls, so that windows stay open; draws, passes and blocks all come."""
    ruleset, players, seating = table
    room = Room()
    room.tables._chance.secret = lambda: sha256(table_name(table).encode()).hexdigest()  # type: ignore[method-assign]
    room.tables._chance.table_id = lambda: "known"  # type: ignore[method-assign]
    looks: list[Knowledge] = []
    commit = room.store.commit

    def commit_and_look(step: Step) -> bool:
        written = commit(step)
        if step.table.game is not None:
            looks.append(room.tables.knowledge(SPECTATOR, "known"))
        return written

    room.store.commit = commit_and_look  # type: ignore[method-assign]
    room.open(
        ruleset=ruleset,
        players=players,
        seating=seating,
        sit=False,
        bots=tuple(bot(seat, "easy", 0.5) for seat in range(players)),
        clock=PACE,
        house_rules={"max_hands": 3},
    )
    room.later("known", 10_000)
    told = room.tables.events(SPECTATOR, "known", after=0, limit=100_000, wait=0).events
    log: list[dict[str, Any]] = json.loads(msgspec.json.encode(told))
    for known in looks:
        right = reckoned(log[: known.version], players)
        assert (known.hand, known.boneyard, set(known.unseen)) == (right["hand"], right["boneyard"], right["unseen"])
        assert [(one.seat, one.tiles, list(one.lacks)) for one in known.seats] == right["seats"]
    assert len(looks) > 30
    assert any(one.lacks for known in looks for one in known.seats)
