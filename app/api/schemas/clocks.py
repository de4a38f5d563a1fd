"""How long everything at a table may take."""

from __future__ import annotations

from app.api import limits
from app.api.schemas.answered import Answered, number, whole
from app.api.schemas.asked import Asked, Between, Number, WholeNumber, about


def _seconds(name: str, about_it: str, *, null: bool = False) -> Number:
    limit = limits.CLOCK[name]
    return Number(
        load_default=limit.default, allow_none=null, validate=Between(limit.min, limit.max), metadata=about(about_it)
    )


class ClockRequestSchema(Asked):
    """How long everything may take; what is left out keeps its default."""

    turn_seconds = _seconds("turn_seconds", "From the start of a turn; null: untimed.", null=True)
    bank_seconds = _seconds("bank_seconds", "Per seat for the whole game, used up when a turn's own seconds are over.")
    timeouts_before_takeover = WholeNumber(
        load_default=2,
        validate=Between(limits.CLOCK["timeouts_before_takeover"].min, limits.CLOCK["timeouts_before_takeover"].max),
        metadata=about("Expired turns in a row after which a stand-in is seated."),
    )
    hand_break_seconds = _seconds("hand_break_seconds", "From the end of a hand to the next deal.")
    bot_pace_seconds = _seconds("bot_pace_seconds", "Least time between the start of a bot's turn and its move.")
    claim_seconds = _seconds("claim_seconds", "Length of the claim window at a hand's last play.")


class ClockSchema(Answered):
    """How long everything may take, in seconds."""

    turn_seconds = number("From the start of a turn; null: untimed.", null=True)
    bank_seconds = number("Per seat for the whole game, used up when a turn's own seconds are over; 0: none.")
    timeouts_before_takeover = whole("Expired turns in a row after which a stand-in is seated.")
    hand_break_seconds = number("From the end of a hand to the next deal.")
    bot_pace_seconds = number("Least time between the start of a bot's turn and its move.")
    claim_seconds = number("Length of the claim window at a hand's last play.")
