"""What a bot's player would like to play, and which invitations he takes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from app.engine.errors import InvalidRules
from app.engine.rulesets import resolve
from app.kit.answers import Invitation


class Wishes(Struct, frozen=True, kw_only=True):
    """What to play, with whom, and how much of it."""

    ruleset: str = "all-fives"
    players: int = 2
    seating: str | None = None
    """None: as the rule set has it."""
    house_rules: dict[str, Any] = {}
    clock: dict[str, Any] = {}
    fill_with_bots_after: float | None = None
    """Seconds until the service's own bots take free seats; None: never."""
    level: str = "medium"
    """Of those bots."""
    tickets: bool = True
    """Whether to look for games."""
    invitations: str = "same"
    """Which are accepted: `same` rules, `any`, or `none`."""
    tables: int = 1
    """Games at the same time, at most."""
    games: int | None = None
    """Games in all; None: no end."""
    table: str | None = None
    """The only table to play at; None: any."""

    @property
    def want_no_more(self) -> bool:
        """No game will come but those that are there: one named table, or what was left running."""
        return self.table is not None or not (self.tickets or self.invitations != "none")

    def ticket(self) -> dict[str, Any]:
        """The body of `POST /tickets`."""
        return {
            "ruleset": self.ruleset,
            "players": self.players,
            "seating": self.seating,
            "house_rules": self.house_rules,
            "clock": self.clock,
            "fill_with_bots_after": self.fill_with_bots_after,
            "level": self.level,
        }

    def against(self, invitation: Invitation, *, room: bool) -> str | None:
        """The API's reason for declining this invitation; None: it is accepted. `room`: one more game may begin.

        >>> from app.kit.answers import Named
        >>> asked = Invitation(id="T-7", table="T", ruleset=Named(id="five-up"), players=2, seating="solo")
        >>> [Wishes(invitations=taken).against(asked, room=True) for taken in ("same", "any", "none")]
        ['other_rules', None, 'no_reason']
        """
        if self.invitations == "none" or self.table is not None:
            return "no_reason"
        if self.invitations == "same":
            if invitation.players != self.players or self.seating not in (None, invitation.seating):
                return "other_players"
            if not self._are_ours(invitation):
                return "other_rules"
        return None if room else "not_now"

    def _are_ours(self, invitation: Invitation) -> bool:
        """Whether the rules come to the same, however they were written."""
        terms = invitation.players, invitation.seating
        try:
            ours, _ = resolve(self.ruleset, *terms, self.house_rules)
            theirs, _ = resolve(invitation.ruleset.id, *terms, invitation.ruleset.house_rules)
        except InvalidRules:
            return False
        return ours == theirs
