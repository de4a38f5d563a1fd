"""What somebody asks for, in the imperative; `decide` turns it into events or refuses it.

Chance enters here as data: a deal carries the order of the 28 tiles and the seat the lot would name.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Deal(Struct, frozen=True, kw_only=True):
    """Deal the next hand from a given order."""

    order: tuple[str, ...]
    """28 different tiles; seat 0 gets the first `tiles_each`, seat 1 the next, …; the rest is the boneyard."""
    lot: int
    """The seat that leads where the lot decides; ignored otherwise."""


class DealScripted(Struct, frozen=True, kw_only=True):
    """Deal the next hand as written down, for practice."""

    holdings: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    """In drawing order."""
    leader: int | None
    """None where the rule set names the leader; where the lot would, seat 0 leads then."""


class Play(Struct, frozen=True, kw_only=True):
    seat: int
    tile: str
    end: str | None = None
    """None is accepted on the lead only."""
    lengthwise: bool = False
    announce: int | None = None


class Draw(Struct, frozen=True, kw_only=True):
    seat: int


class Pass(Struct, frozen=True, kw_only=True):
    seat: int


class Muggins(Struct, frozen=True, kw_only=True):
    seat: int


class CloseClaim(Struct, frozen=True, kw_only=True):
    """The claim window at a hand's last play has run out."""


class EndGame(Struct, frozen=True, kw_only=True):
    """Stop the game, between hands or in mid-hand, because people are gone."""

    reason: Literal["forfeit", "abandoned"]
    present: tuple[int, ...] = ()
    """Sides with a human present; forfeit: the best score among them wins."""


Action = Deal | DealScripted | Play | Draw | Pass | Muggins | CloseClaim | EndGame
