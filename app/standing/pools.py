"""Who is compared with whom: one pool of ratings for each rule set and way of sitting.

Two players alone, three or four players alone, and pairs are different games: skill in one says little about another.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.engine.rulesets import RULE_SETS, Seating

GROUPS: Final[dict[str, tuple[Seating, tuple[int, ...]]]] = {
    "two": ("solo", (2,)),
    "several": ("solo", (3, 4)),
    "pairs": ("pairs", (4,)),
}
"""Seating and numbers of players of each group; solo tables of three and four share one."""


class Pool(Struct, frozen=True):
    """Ratings that can be compared."""

    ruleset: str
    group: str
    """One of `GROUPS`."""

    @property
    def seating(self) -> Seating:
        return GROUPS[self.group][0]

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players whose games are rated here.

        >>> Pool("all-fives-150", "several").players, Pool("all-fives", "several").players
        ((3, 4), (3,))
        """
        allowed = RULE_SETS[self.ruleset].seating
        return tuple(number for number in GROUPS[self.group][1] if self.seating in allowed.get(str(number), ()))


def pool_of(ruleset: str, players: int, seating: Seating) -> Pool:
    """The pool a table's game counts in.

    >>> pool_of("all-fives", 3, "solo") == pool_of("all-fives", 4, "solo")
    True
    >>> pool_of("five-up", 4, "pairs").group
    'pairs'
    """
    for name, (its_seating, its_players) in GROUPS.items():
        if seating == its_seating and players in its_players:
            return Pool(ruleset, name)
    raise ValueError(f"nobody sits {seating} with {players}")


def all_pools() -> tuple[Pool, ...]:
    """Every pool there is, in the order of the rule sets; house rules may seat people as the rule set does not.

    >>> [pool.group for pool in all_pools() if pool.ruleset == "all-fives"]
    ['two', 'several', 'pairs']
    """
    return tuple(Pool(ruleset, group) for ruleset in RULE_SETS for group in GROUPS)
