"""Finished hands and whole games, all tiles open."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, flag, inside, list_of, moment, text, tile, tiles, whole
from app.api.schemas.events import AnyEvent, HandEndedSchema, ProofSchema
from app.api.schemas.rulesets import RuleSetNameSchema, RuleSetSchema
from app.api.schemas.seats import OccupantSchema
from app.api.schemas.tables import GameResultSchema


class FinishedHandSchema(Answered):
    """A hand that is over."""

    number = whole("From 1.")
    leader = whole("The seat that led.")
    lead_by = text("Why; open set.")
    holdings = list_of(fields.List(tile()), "As dealt, per seat.")
    boneyard = tiles("As dealt, in drawing order.")
    events = list_of(AnyEvent(), "All of the hand's events, nothing masked.")
    result = inside(HandEndedSchema, "How it ended.")
    proof = inside(ProofSchema, "What lets you check the deal; null for a scripted one.", null=True)


class KnownOfSeatSchema(Answered):
    """What everybody can work out about one seat's holding."""

    seat = whole("From 0.")
    tiles = whole("Tiles it holds.")
    lacks = list_of(fields.Integer(strict=True), "Numbers its draws and passes prove it not to hold right now.")


class KnowledgeSchema(Answered):
    """What the hand has told everybody alike."""

    version = whole("The table's version.")
    hand = whole("Number of the hand; null before the first deal.", null=True)
    boneyard = whole("Tiles in the boneyard.")
    unseen = tiles("Tiles that do not lie on the table: held by somebody or in the boneyard.")
    seats = list_of(fields.Nested(KnownOfSeatSchema), "In order; empty before the first deal.")


class RecordSeatSchema(Answered):
    """Who played where."""

    seat = whole("From 0.")
    side = whole("Index into scores.")
    occupant = inside(OccupantSchema, "Who.")


class GameRecordSchema(Answered):
    """Finished hands and the result: all that is needed to replay the game offline. Nothing of a running hand."""

    format = text("Name and version of this format.")
    table = text("Id of the table.")
    ruleset = inside(RuleSetNameSchema, "What was played.")
    rules = inside(RuleSetSchema, "Every rule of the table.")
    players = whole("Seats.")
    seating = text("`solo` or `pairs`.")
    target = whole("Points that win.")
    abandonment = text("`bot_plays_on` or `forfeit`.")
    practice = flag("Whether the first deal may have been scripted.")
    commitment = text("Public end of the chain all deals come from; 64 hex digits.", null=True)
    seats = list_of(fields.Nested(RecordSeatSchema), "In order.")
    started_at = moment("Null: the game has not started.", null=True)
    hands = list_of(fields.Nested(FinishedHandSchema), "Oldest first.")
    result = inside(GameResultSchema, "Null while playing.", null=True)
