"""Recorded games to verify: bots and people on the in-memory twins, the same again from the same secret."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from app.engine.rulesets import RULE_SETS
from app.tables.requests import Asker
from app.tables.shapes import GameRecord
from app.tables.terms import Clock
from tests.tables.room import Room, bot

QUICK = Clock(hand_break_seconds=0)
TABLES = [
    (name, int(players), seating)
    for name, ruleset in RULE_SETS.items()
    for players in ruleset.deal
    for seating in ruleset.seating[players]
]
"""Rule set, players and seating of every table without house rules."""


def room_of(name: str) -> Room:
    """A room whose next table has this name and a secret that follows from it."""
    room = Room()
    room.tables._chance.secret = lambda: sha256(name.encode()).hexdigest()  # type: ignore[method-assign]
    room.tables._chance.table_id = lambda: name  # type: ignore[method-assign]
    return room


def played_by_bots(name: str, ruleset: str, players: int, seating: str | None = None, **request: Any) -> GameRecord:
    """A whole game of bots, the same every time; on claim tables they forget some points."""
    room = room_of(name)
    bots = tuple(bot(seat, ("medium", "easy")[seat % 2], 0.3) for seat in range(players))
    table = room.open(ruleset=ruleset, players=players, seating=seating, sit=False, bots=bots, clock=QUICK, **request)
    room.later(table, 100_000)
    return room.tables.record(Asker(), table)


def timed_out(name: str) -> GameRecord:
    """A game of a person with a seed who never moves: his turns expire, stand-ins take over, he comes back."""
    room = room_of(name)
    slow = Clock(turn_seconds=10, hand_break_seconds=0, bot_pace_seconds=10)
    table = room.open(players=2, client_seed="Ann | ünter", bots=(bot(1, "easy"),), clock=slow)
    for _ in range(400):
        room.later(table, 10)
        view = room.view(room.ann, table)
        if view.status != "playing":
            break
        if view.seats[0].stand_in is not None:
            room.tables.sit(room.ann, table, None, None, None)
    return room.tables.record(room.ann, table)


def forfeited(name: str) -> GameRecord:
    """One of two leaves in the first hand."""
    room = room_of(name)
    table = room.open(room.bob, players=2, abandonment="forfeit", clock=Clock(timeouts_before_takeover=100))
    room.tables.leave(room.bob, table, 1)
    room.later(table, 10_000)
    return room.tables.record(room.ann, table)


def abandoned(name: str) -> GameRecord:
    """Both leave in the first hand."""
    room = room_of(name)
    table = room.open(room.bob, players=2)
    room.tables.leave(room.ann, table, 0)
    room.tables.leave(room.bob, table, 1)
    room.later(table, 10_000)
    return room.tables.record(room.ann, table)


def scripted(name: str) -> GameRecord:
    """A practice table: the first hand is written down, the others are dealt."""
    room = room_of(name)
    deal = "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30"
    table = room.practice(deal, "50 40 32 64", leader=1, clock=Clock(timeouts_before_takeover=100))
    room.later(table, 4_000)
    return room.tables.record(room.ann, table)


def as_json(record: GameRecord) -> dict[str, Any]:
    """The record as others get it."""
    document: dict[str, Any] = json.loads(msgspec.json.encode(record))
    return document


@cache
def _text_of(name: str, ruleset: str, players: int) -> bytes:
    return msgspec.json.encode(played_by_bots(name, ruleset, players))


def fresh(name: str, ruleset: str = "all-fives", players: int = 2) -> dict[str, Any]:
    """A game of bots as JSON, to be altered; played once."""
    document: dict[str, Any] = json.loads(_text_of(name, ruleset, players))
    return document


def again(document: dict[str, Any]) -> GameRecord:
    """The document read as a record."""
    return msgspec.json.decode(json.dumps(document), type=GameRecord)
