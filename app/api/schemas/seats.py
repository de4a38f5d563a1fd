"""Who sits where."""

from __future__ import annotations

from app.api.schemas.answered import Answered, closed, moment, number, text
from app.api.schemas.asked import Between, Long, Text, WholeNumber, about
from app.api.schemas.locks import LockedSchema

OCCUPANT_KINDS = ("human", "bot", "house_bot", "open")
PLAYER_ID = 64
"""Characters; ours are shorter."""
INVITE_CODE = 64
"""Characters; ours are shorter."""


class SitSchema(LockedSchema):
    """Where to sit. The body may be left out."""

    seat = WholeNumber(
        load_default=None,
        allow_none=True,
        validate=Between(0, 3),
        metadata=about("Null: the first open one. While the table is open another seat moves you."),
    )
    invite_code = Text(
        load_default=None, allow_none=True, validate=Long(0, INVITE_CODE), metadata=about("For a private table.")
    )
    client_seed = Text(
        load_default=None,
        allow_none=True,
        validate=Long(0, 64),
        metadata=about(
            "Your part in the shuffle from the next deal on, any text; everybody can read it once the hand has ended. "
            "At your own seat it changes the seed and nothing else."
        ),
    )


class HouseBotSchema(LockedSchema):
    """The bot to seat."""

    level = Text(required=True, validate=Long(1, 40), metadata=about("See `GET /v1/options`.", examples=["medium"]))


class HeldForSchema(Answered):
    """Whom an open seat is kept for."""

    player_id = text("The player.")
    name = text("His name now; null for a deleted player.", null=True, example="Ana")
    until = moment("When it is free for everybody.")


class MovedPlayerSchema(LockedSchema):
    """Whom to put there."""

    player = Text(
        required=True,
        validate=Long(1, PLAYER_ID),
        metadata=about("Id of a player who sits at this table.", examples=["5f3c9a0b1d2e4f6071829304"]),
    )


class OccupantSchema(Answered):
    """Who sits at a seat."""

    kind = closed(
        "OccupantKind",
        OCCUPANT_KINDS,
        "A person, a program with a token, one of our own bots, or nobody.",
    )
    player_id = text("Null for our own bots and open seats.", null=True)
    name = text("The player's name now; null for bots, open seats and deleted players.", null=True, example="Ana")
    level = text("Level of one of our own bots; open set. Null for players.", null=True, example="medium")
    forgetfulness = number("Share of its points one of our bots forgets to claim.")


class StandInSchema(Answered):
    """The bot that plays for a player who is gone."""

    level = text("Open set.", example="medium")
    reason = text("Open set: `left` or `timeout`.", example="left")
    since = moment("When it sat down.")
