"""Looking for others to play with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.api import limits
from app.api.schemas.answered import SET_NAME, Answered, closed, inside, moment, text, whole
from app.api.schemas.asked import (
    Asked,
    Between,
    FreeMap,
    Inside,
    Long,
    Number,
    OneOf,
    QueryNumber,
    Text,
    WholeNumber,
    about,
)
from app.api.schemas.clocks import ClockRequestSchema, ClockSchema
from app.api.schemas.rulesets import SEATINGS, HouseRulesSchema, RuleSetNameSchema
from app.tables.terms import Clock
from app.tables.ticket import TicketRequest

STATUSES = ("waiting", "matched", "cancelled", "expired")


class NewTicketSchema(Asked):
    """What you would like to play. Everything has a default: an empty object waits for one opponent at `all-fives`."""

    ruleset = Text(load_default="all-fives", validate=Long(1, 64), metadata=about("See `GET /v1/rulesets`."))
    players = WholeNumber(
        load_default=2,
        validate=Between(limits.PLAYERS.min, limits.PLAYERS.max),
        metadata=about("Seats, yours included."),
    )
    seating = Text(
        load_default=None,
        allow_none=True,
        validate=OneOf(SEATINGS),
        metadata=about(
            "Each alone, or in pairs across the table. Null: as the rule set has it.", **{SET_NAME: "Seating"}
        ),
    )
    house_rules = FreeMap(
        HouseRulesSchema, load_default=dict, metadata=about("Fields of the rule set this table overrides.")
    )
    clock = Inside(ClockRequestSchema, load_default=dict, metadata=about("Times."))
    fill_with_bots_after = Number(
        load_default=None,
        allow_none=True,
        validate=Between(limits.FILL_WITH_BOTS.min, limits.FILL_WITH_BOTS.max),
        metadata=about("Seconds after which bots take the seats nobody came for; null: people only."),
    )
    level = Text(load_default="medium", validate=Long(1, 40), metadata=about("Of those bots; see `GET /v1/options`."))


def ticket_request(body: Mapping[str, Any]) -> TicketRequest:
    """The use case's request for what `NewTicketSchema` read."""
    return TicketRequest(
        ruleset=body["ruleset"],
        players=body["players"],
        seating=body["seating"],
        house_rules=body["house_rules"],
        clock=Clock(**body["clock"]),
        fill_with_bots_after=body["fill_with_bots_after"],
        level=body["level"],
    )


class TicketQuerySchema(Asked):
    """How long to wait."""

    wait = QueryNumber(
        load_default=0,
        validate=Between(0, limits.WAIT_SECONDS),
        metadata=about("Seconds to wait at most for the table; then the ticket still waits."),
    )


class TicketSchema(Answered):
    """Your wish to play, and what became of it."""

    id = text("Opaque.")
    status = closed("TicketStatus", STATUSES, "`matched`: `table` is where you sit and play.")
    ruleset = inside(RuleSetNameSchema, "What is played.")
    players = whole("Seats.")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs across the table.")
    clock = inside(ClockSchema, "Times.")
    fill_at = moment("From then on bots may take the seats nobody came for; null: people only.", null=True)
    level = text("Level of those bots; open set.", example="medium")
    waiting = whole("Compatible tickets that wait now, yours included; 0 when yours does not.")
    created_at = moment("When you took it.")
    expires_at = moment("When it lapses unless you ask for it before; null when it does not wait.", null=True)
    table = text("Id of the table, once matched.", null=True)
