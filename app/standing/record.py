"""What is kept of one player, or one level of our own bots, in one pool: a rating and how the games ended."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

MU: Final = 25.0
"""Skill everybody is first thought to have."""
SIGMA: Final = MU / 3
"""How unsure that is."""
ZERO: Final = 1000
"""The rating of somebody nothing is known about."""
SCALE: Final = 40
"""Points of rating for one of skill: a settled player of average skill is near 1,900."""
LEAST_GAMES: Final = 10
"""Rated games from which on somebody is on the board; before, a rating says more about luck."""

BOT: Final = "bot:"
"""What the id of a level of our own bots begins with; ids of players hold no colon."""

Ending = Literal["won", "drawn", "lost", "abandoned"]
"""How one game ended for one seat. `abandoned`: it ended for want of people, and this player was one of those gone."""


class Record(Struct, frozen=True, kw_only=True):
    """One entry of a pool."""

    version: int = 0
    """Writes so far: what a writer found must still be there when it writes."""
    mu: float = MU
    sigma: float = SIGMA
    rated: int = 0
    """Games that changed the rating."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    abandoned: int = 0
    """Games that ended for want of people while this player was gone; part of none of the other counts."""

    @property
    def rating(self) -> int:
        """A number to show: what this player can be trusted to play like, so it rises as doubt goes.

        >>> Record().rating, Record(mu=30, sigma=1).rating
        (1000, 2080)
        """
        return round(ZERO + SCALE * (self.mu - 3 * self.sigma))

    @property
    def finished(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def is_listed(self) -> bool:
        """Whether there are games enough for a place on the board."""
        return self.rated >= LEAST_GAMES

    def after(self, ending: Ending) -> Record:
        """The record with one more game counted; the rating is another matter.

        >>> Record(won=2).after("won").won
        3
        """
        return replace(self, **{ending: getattr(self, ending) + 1})


def bot_id(level: str) -> str:
    """The id under which a level of our own bots is rated.

    >>> bot_id("medium")
    'bot:medium'
    """
    return BOT + level


def level_of(entry_id: str) -> str | None:
    """The level behind an id; None: it is a player's.

    >>> level_of("bot:medium"), level_of("f00d")
    ('medium', None)
    """
    return entry_id.removeprefix(BOT) if entry_id.startswith(BOT) else None
