"""What a table is opened with: its clock and, for practice, its scripted first deal."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import force_setattr


def spelled(number: float) -> float:
    """The same number; a whole one as an `int`, which is written `60` where a float would be written `60.0`.

    >>> spelled(60.0), spelled(2.5)
    (60, 2.5)
    """
    return int(number) if number % 1 == 0 else number


def write_alike(struct: Struct) -> None:
    """Spell a new struct's numbers alike, whether a client sent them or they were read back from the store."""
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if isinstance(value, float):
            force_setattr(struct, name, spelled(value))


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

    def __post_init__(self) -> None:
        write_alike(self)


class PracticeDeal(Struct, frozen=True, kw_only=True):
    """A first deal written down beforehand: 28 different tiles in all."""

    holdings: tuple[tuple[str, ...], ...]
    """Per seat."""
    boneyard: tuple[str, ...] = ()
    """In drawing order; tiles named nowhere follow in any order."""
    leader: int | None = None
    """None where the rule set names the leader."""
