"""What is played: the rules, how many games, and who sits where in each of them.

A **series** is the games that are played with the same deals: with duplicate deals one for every way in which the two
players can change places, otherwise a single one.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from app.bots.chance import below
from app.engine.actions import Deal
from app.engine.game import new_game
from app.engine.tiles import NAMES

ONE, OTHER = 0, 1
"""The two players of a contest; with three or four seats each alone, one plays against two or three of the other."""


class Contest(Struct, frozen=True, kw_only=True):
    """Everything that decides the games, but for the players' own moves."""

    ruleset: str = "all-fives"
    players: int = 2
    seating: str = "solo"
    house_rules: dict[str, object] = {}
    games: int = 1000
    """At least so many; series are played whole."""
    duplicate: bool = True
    seed: int = 1

    def check(self) -> None:
        """Whether such a table can be played. Raises: InvalidRules."""
        new_game(self.ruleset, self.players, self.seating, self.house_rules)

    @property
    def places(self) -> int:
        """Ways in which the players can change places."""
        return 2 if self.seating == "pairs" else self.players

    @property
    def games_a_series(self) -> int:
        """Games with the same deals."""
        return self.places if self.duplicate else 1

    @property
    def series(self) -> int:
        """How many series there are."""
        return -(-self.games // self.games_a_series)

    def seats(self, series: int, place: int) -> tuple[int, ...]:
        """Which player sits at each seat in one game of a series.

        >>> Contest().seats(0, 1), Contest(players=4, seating="pairs").seats(0, 0)
        ((1, 0), (0, 1, 0, 1))
        >>> Contest(players=3).seats(0, 2), Contest(players=3, duplicate=False).seats(4, 0)
        ((1, 1, 0), (1, 0, 1))
        """
        of_one = (place if self.duplicate else series) % self.places
        sides = range(self.players) if self.seating == "solo" else [seat % 2 for seat in range(self.players)]
        return tuple(ONE if side == of_one else OTHER for side in sides)

    def deal(self, series: int, hand: int) -> Deal:
        """The deal of a hand, the same in all games of a series; hands are numbered from 1.

        >>> Contest().deal(3, 1) == Contest(players=3).deal(3, 1), Contest().deal(3, 1) == Contest().deal(3, 2)
        (True, False)
        """
        chance = mixed(self.seed, series, hand)
        order = [*NAMES]
        for place in range(len(order) - 1, 0, -1):
            other = below(chance, place, place + 1)
            order[place], order[other] = order[other], order[place]
        return Deal(order=tuple(order), lot=below(chance, len(order), self.players))

    def seed_of_move(self, series: int, place: int, move: int) -> int:
        """The seed a player gets for one move of a game."""
        return mixed(self.seed, series, place, move)


def mixed(*numbers: int) -> int:
    """One number of 64 bits from several."""
    return int.from_bytes(sha256("/".join(map(str, numbers)).encode()).digest()[:8])
