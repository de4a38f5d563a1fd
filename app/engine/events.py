"""What happened in a game, in the past tense: the log, the stream, the API event and the test notation are one class.

An event holds results (the count, its parts, the points), so nobody re-runs rules to read it, and names (`"64"`,
`"55.up"`), never internal ids. The engine has no clock: fields that speak of time, and `seq`, are stamped by the table.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

from msgspec import Struct

from app.engine.moves import Move
from app.engine.rulesets import RuleSet


def _snake(class_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Event(Struct, frozen=True, kw_only=True, tag_field="type", tag=_snake):
    """One entry of a table's log; `type` is the class name in snake case."""

    seq: int = 0
    """Place in the table's log, from 1; 0 until the table has written it."""
    at: datetime | None = None
    """When it was written, by the store's clock (UTC); None until then."""
    hand: int | None = None
    """Number of the hand it belongs to, from 1; None outside a hand."""


class RuleSetName(Struct, frozen=True, kw_only=True):
    """Which rule set is played and which of its fields this table overrides."""

    id: str
    house_rules: dict[str, object] = {}


class GameStarted(Event, frozen=True, kw_only=True):
    ruleset: RuleSetName
    rules: RuleSet
    players: int
    seating: Literal["solo", "pairs"]
    target: int
    """Points that win, already resolved for this number of players and seating."""


class HandDealt(Event, frozen=True, kw_only=True):
    leader: int
    lead_by: str
    """lot | went_out | highest_double | heaviest_tile | scripted"""
    tiles_each: int
    boneyard: int
    """Tiles in the boneyard."""
    boneyard_tiles: tuple[str, ...] | None
    """The boneyard in drawing order (first element drawn first); hidden from everyone until the hand is over."""
    holdings: tuple[tuple[str, ...] | None, ...]
    """Per seat; hidden from everyone but that seat."""
    commitment: str | None = None
    """What this hand's link hashes to, 64 hex digits; None for a scripted deal. Stamped by the table."""
    client_seeds: tuple[str, ...] | None = None
    """The seats' parts in the shuffle; hidden from everyone until the hand is over. Stamped by the table."""


class TilePlayed(Event, frozen=True, kw_only=True):
    seat: int
    tile: str
    end: str
    """`<tile>.<side>` it was laid on, or `lead`."""
    left: int
    """The number that touches the tile it was laid on (lead: its high half)."""
    right: int
    """The number of its free half (lead: its low half)."""
    lengthwise: bool
    spinner: bool
    announce: int | None
    """Points announced on a claim table; None elsewhere and for nothing."""
    count: int | None
    """Sum over the open ends; None where a claim table may not show it yet."""
    ends: tuple[End, ...]
    """All ends after the play, with what each counts; there None as for `count`."""
    by: str = "player"
    """player | bot | stand_in | timeout"""


class End(Struct, frozen=True, kw_only=True):
    """One place of the layout where a tile can be laid, now or later."""

    end: str
    tile: str
    number: int
    kind: Literal["half", "long", "short"]
    open: bool
    """False: a short side of a spinner whose long sides are not both covered yet."""
    counts: int | None
    """Its share of the count; None where a claim table may not show it yet."""


class PointsScored(Event, frozen=True, kw_only=True):
    side: int
    seat: int | None
    """Who earned them; None for hand-end points that belong to no single seat: a side of two after a block, or what
    partners lose."""
    points: int
    """May be negative at a hand's end (`own_subtracted`) and for a wrong call."""
    reason: str
    """play | muggins | hand_end"""
    score: int
    """The side's running total afterwards."""


class TilesDrawn(Event, frozen=True, kw_only=True):
    seat: int
    number: int
    tiles: tuple[str, ...] | None
    """What was drawn, in order; hidden from everyone but that seat."""
    boneyard: int
    """Tiles left in the boneyard."""
    by: str = "player"
    legal_moves: tuple[Move, ...] | None = None
    """The seat's own; stamped by the table, hidden from everyone else."""


class TurnPassed(Event, frozen=True, kw_only=True):
    seat: int
    by: str = "player"


class ClaimOpened(Event, frozen=True, kw_only=True):
    seat: int
    """Who made the play that may be called."""
    deadline: datetime | None = None
    """When the window closes; None while the next action closes it. Stamped by the table."""


class MugginsCalled(Event, frozen=True, kw_only=True):
    seat: int
    points: int
    """Points taken; negative where a wrong call costs."""


class ClaimClosed(Event, frozen=True, kw_only=True):
    seat: int
    """Who made the play."""
    count: int
    ends: tuple[End, ...]
    missed: int
    """Points the play was worth and its maker did not get; 0: it was worth nothing."""
    taken_by: int | None


class Settlement(Struct, frozen=True, kw_only=True):
    """One seat's line in the account of a hand's end."""

    seat: int
    spots: int
    rounded: int
    side: int
    points: int
    """What these spots brought (or cost) that side or the winner's side, before they were added up."""


class Proof(Struct, frozen=True, kw_only=True):
    """What lets anybody deal the hand again and compare."""

    algorithm: str
    link: str
    """64 hex digits; it hashes to the hand's commitment."""
    client_seeds: tuple[str, ...]
    """In seat order; empty for a seat without one."""


class HandEnded(Event, frozen=True, kw_only=True):
    reason: str
    """went_out | blocked | target"""
    winner: int | None
    """The side that won the hand; None: nobody (block tie, or the target was reached in mid-hand)."""
    seat: int | None
    """Who went out or made the last play; None for a hand without a play."""
    holdings: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    """What was left, in drawing order."""
    breakdown: tuple[Settlement, ...]
    points: tuple[int, ...]
    """Hand-end points per side."""
    scores: tuple[int, ...]
    next_hand_at: datetime | None = None
    """When the next hand is dealt; None: the game is over. Stamped by the table."""
    proof: Proof | None = None
    """None for a scripted deal. Stamped by the table."""


class GameEnded(Event, frozen=True, kw_only=True):
    winner: int | None
    """A side; None for a draw."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    """Per side, 1 is best; equal scores share a place."""
    reason: str
    """target | forfeit | max_hands | abandoned"""


GameEvent = (
    GameStarted
    | HandDealt
    | TilePlayed
    | PointsScored
    | TilesDrawn
    | TurnPassed
    | ClaimOpened
    | MugginsCalled
    | ClaimClosed
    | HandEnded
    | GameEnded
)
