"""What may be chosen."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, inside, list_of, map_of, number, text, whole


class LimitSchema(Answered):
    """A number a client may choose."""

    min = number("The least.")
    max = number("The most.")
    default = number("What is taken without a choice; null: nothing, or no limit of time.", null=True)


class NameRulesSchema(Answered):
    """What a player's name may be."""

    longest = whole("Characters, after trimming.")
    rule = text("The rule as a sentence.")


class BotLevelSchema(Answered):
    """A level of our own bots."""

    level = text("Its name.", example="expert")
    summary = text("How it plays, in a sentence.")
    think_seconds = number("Its move comes so long after the start of its turn, or `bot_pace_seconds` if that is more.")


class OptionsSchema(Answered):
    """Levels, limits and defaults; a client needs none of them built in."""

    levels = list_of(
        fields.String(), "Levels of our own bots, weakest first. More may come.", examples=[["easy", "medium"]]
    )
    bots = list_of(fields.Nested(BotLevelSchema), "The same levels: how each plays, and how long it thinks.")
    rulesets = list_of(fields.String(), "Ids of the rule sets, the default first.")
    players = inside(LimitSchema, "Seats at a table.")
    clock = map_of(
        fields.Nested(LimitSchema), "Limits of each field of `clock`, in seconds unless it counts something."
    )
    turn_seconds_may_be_null = fields.Boolean(
        required=True, metadata={"description": "Whether a table may be untimed (`turn_seconds` null)."}
    )
    forgetfulness = inside(LimitSchema, "Share of its points a bot forgets to claim on claim tables.")
    wait = inside(LimitSchema, "Seconds a long-poll may wait.")
    events = inside(LimitSchema, "Events in one answer (`limit`).")
    page = inside(LimitSchema, "Items on one page of a list (`limit`).")
    body_bytes = whole("Largest body of a request.")
    name = inside(NameRulesSchema, "What a player's name may be.")
    streams = map_of(fields.Integer(), "Streams that may be open at a time: `per_token`, `per_address`. More may come.")
    decline_reasons = list_of(fields.String(), "Reasons there are to decline an invitation. More may come.")
