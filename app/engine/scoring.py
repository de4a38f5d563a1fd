"""What the end of a hand is worth: rounding, who won a block, and the account of every seat.

See RULES.md, "End of hand, end of game".
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.engine.events import Settlement
from app.engine.rules import Rules
from app.engine.tiles import TileSet, size, spots_in


class Account(Struct, frozen=True):
    """The end of one hand in figures."""

    winner: int | None
    """The side that won; None: nobody."""
    brought: tuple[int, ...]
    """Per seat: what its spots brought the winner's side, or (negative) cost its own."""
    points: tuple[int, ...]
    """Per side; negative where spots are subtracted."""


def round_spots(spots: int, round_to: int) -> int:
    """Spots to the nearest multiple of `round_to`.

    >>> [round_spots(spots, 5) for spots in (2, 3, 7, 8, 12, 13)]
    [0, 5, 5, 10, 10, 15]
    >>> round_spots(13, 1)
    13
    """
    return (spots + round_to // 2) // round_to * round_to


def block_winner(rules: Rules, holdings: Sequence[TileSet]) -> int | None:
    """The side with the lowest spots when a hand is blocked; None: equal, and the rule set leaves it so.

    Partners' spots and tiles are added up. Among the tied `fewer_tiles` looks at the number of tiles.

    >>> from app.engine.rules import rules_for
    >>> from app.engine.rulesets import RULE_SETS
    >>> from app.engine.tiles import parse_tiles
    >>> left = [parse_tiles(["54"]), parse_tiles(["32", "31"])]
    >>> [block_winner(rules_for(RULE_SETS[name], 2, "solo"), left) for name in ("all-fives", "all-fives-150")]
    [None, 0]
    """
    spots = [sum(spots_in(holdings[seat]) for seat in seats) for seats in rules.seats_of]
    lowest = [side for side in range(rules.sides) if spots[side] == min(spots)]
    if len(lowest) > 1 and rules.ruleset.block_tie == "fewer_tiles":
        held = {side: sum(size(holdings[seat]) for seat in rules.seats_of[side]) for side in lowest}
        lowest = [side for side in lowest if held[side] == min(held.values())]
    return lowest[0] if len(lowest) == 1 else None


def settle(rules: Rules, holdings: Sequence[TileSet], went_out: int | None) -> Account:
    """The account of a hand that ended because a seat went out, or (None) was blocked.

    >>> from app.engine.rulesets import RULE_SETS
    >>> from app.engine.rules import rules_for
    >>> from app.engine.tiles import parse_tiles
    >>> settle(rules_for(RULE_SETS["all-fives"], 2, "solo"), [parse_tiles([]), parse_tiles(["65", "20"])], 0).points
    (15, 0)
    """
    winner = block_winner(rules, holdings) if went_out is None else rules.side[went_out]
    ruleset = rules.ruleset
    round_to, unit = ruleset.round_to, ruleset.points_unit
    points = [0] * rules.sides
    brought = [0] * rules.players
    opponents_spots = 0
    for seat, held in enumerate(holdings):
        side = rules.side[seat]
        if ruleset.hand_end == "own_subtracted":
            brought[seat] = -round_spots(spots_in(held), round_to) // unit
            points[side] += brought[seat]
        elif winner is not None and side != winner:
            if ruleset.hand_end == "each_opponent":
                brought[seat] = round_spots(spots_in(held), round_to) // unit
            else:
                # The total is rounded once; each seat's line shows how far it moved the rounded total.
                before = round_spots(opponents_spots, round_to)
                opponents_spots += spots_in(held)
                brought[seat] = (round_spots(opponents_spots, round_to) - before) // unit
            points[winner] += brought[seat]
    return Account(winner, tuple(brought), tuple(points))


def unsettled(rules: Rules) -> Account:
    """The account of a hand that points in play ended: what is held brings nothing."""
    return Account(None, (0,) * rules.players, (0,) * rules.sides)


def breakdown(rules: Rules, holdings: Sequence[TileSet], account: Account) -> tuple[Settlement, ...]:
    """The account as one line for every seat."""
    lines = []
    for seat, held in enumerate(holdings):
        spots = spots_in(held)
        rounded = round_spots(spots, rules.ruleset.round_to)
        lines.append(
            Settlement(seat=seat, spots=spots, rounded=rounded, side=rules.side[seat], points=account.brought[seat])
        )
    return tuple(lines)


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """Each side's place, 1 the best; equal scores share a place.

    >>> places([40, 95, 40])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def sole_best(scores: Sequence[int], among: Sequence[int]) -> int | None:
    """The side with the best score among these sides; None: several share it, or there is none.

    >>> sole_best([40, 95, 95], [0, 1]), sole_best([40, 95, 95], [0, 1, 2])
    (1, None)
    """
    if not among:
        return None
    best = max(scores[side] for side in among)
    leaders = [side for side in among if scores[side] == best]
    return leaders[0] if len(leaders) == 1 else None
