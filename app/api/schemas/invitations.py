"""Asking one player to come and play."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, closed, inside, list_of, moment, text, whole
from app.api.schemas.asked import Asked, Long, Text, about
from app.api.schemas.clocks import ClockSchema
from app.api.schemas.locks import LockedSchema
from app.api.schemas.rulesets import SEATINGS, RuleSetNameSchema
from app.api.schemas.seats import PLAYER_ID


class NewInvitationSchema(LockedSchema):
    """Whom to ask."""

    player = Text(
        required=True,
        validate=Long(1, PLAYER_ID),
        metadata=about("Id of the player.", examples=["5f3c9a0b1d2e4f6071829304"]),
    )


class DeclinedSchema(Asked):
    """Why not. The body may be left out."""

    reason = Text(
        load_default="no_reason",
        validate=Long(1, 40),
        metadata=about("One of the `decline_reasons` of `GET /v1/options`.", examples=["not_now"]),
    )


class PersonSchema(Answered):
    """A player, as others see him."""

    player_id = text("Who.")
    name = text("His name now; null for a deleted player.", null=True, example="Ana")


class InvitationSchema(Answered):
    """A player is asked to come and play at a table; it keeps no seat."""

    id = text("Opaque.")
    table = text("Id of the table; its player may look at it, a private one too.")
    player = inside(PersonSchema, "Who is asked.")
    inviter = inside(PersonSchema, "Who asks.")
    ruleset = inside(RuleSetNameSchema, "What is played.")
    players = whole("Seats.")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs across the table.")
    clock = inside(ClockSchema, "Times.")
    created_at = moment("When it was sent.")
    expires_at = moment("When it ends by itself; it ends with the table's opening time too.")


class InvitationListSchema(Answered):
    """Invitations the caller may answer."""

    items = list_of(fields.Nested(InvitationSchema), "Newest first.")
    next_cursor = text("Always null: they fit on one page.", null=True)
