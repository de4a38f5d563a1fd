"""What a table is opened with: its clock and, for practice, its scripted first deal."""

from __future__ import annotations

from msgspec import Struct


class Clock(Struct, frozen=True, kw_only=True):
    """How long everything may take, in seconds."""

    turn_seconds: float | None = 60
    """From the start of a turn; None: untimed."""
    bank_seconds: float = 0
    """Per seat for the whole game, used up when a turn's own seconds are over."""
    timeouts_before_takeover: int = 2
    """Expired turns in a row after which a stand-in is seated."""
    hand_break_seconds: float = 3
    """From the end of a hand to the next deal."""
    bot_pace_seconds: float = 0
    """Least time between the start of a bot's turn and its move."""
    claim_seconds: float = 5
    """Length of the claim window at a hand's last play."""


class PracticeDeal(Struct, frozen=True, kw_only=True):
    """A first deal written down beforehand: 28 different tiles in all."""

    holdings: tuple[tuple[str, ...], ...]
    """Per seat."""
    boneyard: tuple[str, ...] = ()
    """In drawing order; tiles named nowhere follow in any order."""
    leader: int | None = None
    """None where the rule set names the leader."""
