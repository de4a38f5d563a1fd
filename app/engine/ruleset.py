"""What a rule set is: data, one field for every point on which the rule texts disagree.

No code asks which rule set is played; it asks a field. See RULES.md, "RuleSet fields".
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Seating = Literal["solo", "pairs"]


class RuleSet(Struct, frozen=True, kw_only=True):
    """One way to play. Maps go by the number of players as text, so that they look the same in JSON."""

    id: str
    title: str
    summary: str
    source: str
    """Where people play it so."""
    deal: dict[str, int]
    """Tiles each seat is dealt, by number of players; a number that is missing cannot play."""
    seating: dict[str, tuple[Seating, ...]]
    """Allowed seatings by number of players, the default first."""
    direction: Literal["clockwise", "counterclockwise"] = "clockwise"
    """Seats are numbered clockwise; counter-clockwise the turn goes to the seat before."""
    first_lead: Literal["lot", "highest_double"] = "lot"
    """Who leads the first hand."""
    next_lead: Literal["went_out", "highest_double"] = "went_out"
    """Who leads later hands; after a block `went_out` means a new lot."""
    spinner: Literal["none", "first_double", "every_double"] = "first_double"
    lengthwise_choice: bool = False
    """Whether the first double may be laid along the line (Sniff)."""
    cross_arms_open: Literal["after_both_sides", "at_once"] = "after_both_sides"
    """When the short sides of a spinner open."""
    drawing: bool = True
    """Whether a seat without a fitting tile draws."""
    boneyard_keep: int = 0
    """Tiles of the boneyard that nobody draws."""
    scoring: Literal["fives", "none"] = "fives"
    """Whether a count that is a multiple of five scores."""
    points_unit: Literal[1, 5] = 1
    """5: one point for every five, in play and at a hand's end."""
    hand_end: Literal["opponents_total", "each_opponent", "own_subtracted"] = "opponents_total"
    round_to: Literal[5, 1] = 5
    """Spots at a hand's end are rounded to the nearest multiple; 1: they count exactly."""
    block_tie: Literal["nobody", "fewer_tiles"] = "nobody"
    """Who wins a blocked hand when the lowest spots are equal."""
    target: dict[str, int]
    """Points that win, for `2`, `3` and `4` players each alone and for `pairs`."""
    claim: bool = False
    """Whether points must be announced, and missed ones can be called."""
    wrong_call_costs: int = 0
    """Points off the caller's side for a call with nothing to take; 0: such a call is refused."""
    max_hands: int | None = None
    """The game ends after so many hands; None: 1,000."""


DESCRIPTION = ("id", "title", "summary", "source")
"""Fields that describe a rule set; house rules cannot change them."""
MOST_HANDS = 1000
"""Hard limit of any game."""
