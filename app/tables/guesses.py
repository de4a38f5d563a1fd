"""Codes can be guessed, so whoever is wrong about one too often has to wait: counted per player and per address.

An attempt is counted before anything is looked up, and given back unless the code was wrong: what is refused is the
same for all codes and tables, and no two attempts at once get past the limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

from app.tables.ports import Attempts, StoreUnavailable
from app.tables.refusals import Refusal
from app.tables.requests import Asker


class Allowance(Struct, frozen=True):
    """How many attempts in how many seconds."""

    at_most: int
    seconds: int


INVITE_GUESSES = Allowance(1000, 3600)
"""Invite codes: one of 2^49 each, so this many an hour find none."""
LINK_GUESSES = Allowance(30, 600)
"""Link codes, which open a whole account."""


class Guesses:
    """Counts wrong guesses."""

    def __init__(self, attempts: Attempts | None) -> None:
        """`attempts` None: nobody counts."""
        self._attempts = attempts

    @contextmanager
    def guess(self, what: str, asker: Asker, allowed: Allowance) -> Iterator[None]:
        """Around one guess: it stays counted if the block says `not_found`, for then the code was wrong.

        Whatever else goes wrong (a full table, a store out of reach) says nothing against the code.

        Raises: Refusal `rate_limited`.
        """
        counted = self.count(what, asker, allowed)
        wrong = False
        try:
            yield
        except Refusal as refusal:
            wrong = refusal.code == "not_found"
            raise
        finally:
            if not wrong:
                with suppress(StoreUnavailable):  # a guess too many in the count; what was done is done
                    self.give_back((what, who) for who in counted)

    def count(self, what: str, asker: Asker, allowed: Allowance, said: str = "That was tried too often") -> list[str]:
        """Count one attempt for good; `said`: what a refusal begins with.

        Raises: Refusal `rate_limited`, and then it is counted for nobody.
        """
        counted: list[str] = []
        if self._attempts is None:
            return counted
        for who in _names_of(asker):
            wait = self._attempts.take(what, who, allowed.at_most, allowed.seconds)
            if wait is not None:
                self.give_back((what, other) for other in counted)
                seconds = max(1, math.ceil(wait))
                raise Refusal(
                    "rate_limited",
                    f"{said}: try again in {seconds} s.",
                    params={"retry_after": seconds},
                )
            counted.append(who)
        return counted

    def give_back(self, counted: Iterable[tuple[str, str]]) -> None:
        """These attempts (what, who) were none to be counted."""
        if self._attempts is not None:
            for what, who in counted:
                self._attempts.give_back(what, who)


def _names_of(asker: Asker) -> list[str]:
    names = []
    if asker.player_id is not None:
        names.append(f"player {asker.player_id}")
    if asker.address is not None:
        names.append(f"address {asker.address}")
    return names
