"""Opening tables, and tables as their viewers see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from app.api import limits
from app.api.complaints import Complaint
from app.api.schemas.answered import (
    SET_NAME,
    Answered,
    closed,
    flag,
    free_map,
    inside,
    list_of,
    moment,
    text,
    tiles,
    whole,
)
from app.api.schemas.asked import (
    Asked,
    Between,
    Flag,
    FreeMap,
    Inside,
    Known,
    ListOf,
    Long,
    Number,
    OneOf,
    QueryNumber,
    QueryWhole,
    Text,
    TileName,
    WholeNumber,
    about,
)
from app.api.schemas.clocks import ClockRequestSchema, ClockSchema
from app.api.schemas.events import HandEndedSchema
from app.api.schemas.layouts import TableLayoutSchema
from app.api.schemas.moves import MoveSchema
from app.api.schemas.queries import CursorSchema, SeenVersion
from app.api.schemas.rulesets import SEATINGS, HouseRulesSchema, RuleSetNameSchema, RuleSetSchema
from app.api.schemas.seats import HeldForSchema, OccupantSchema, StandInSchema
from app.engine.rulesets import RULE_SETS
from app.tables.requests import BotSeat, OpenTable
from app.tables.terms import Clock, PracticeDeal

STATUSES = ("open", "playing", "finished", "closed")
VISIBILITIES = ("public", "private")
HAND_PHASES = ("playing", "claim", "over")
CLIENT_SEED = 64
"""Characters."""


def client_seed() -> Text:
    """The asker's part in the shuffle."""
    return Text(
        load_default=None,
        allow_none=True,
        validate=Long(0, CLIENT_SEED),
        metadata=about("Your part in the shuffle, any text; everybody can read it once the hand has ended."),
    )


class BotSeatSchema(Asked):
    """One of our own bots at a seat."""

    seat = WholeNumber(
        required=True, validate=Between(0, 3), metadata=about("From 0; the caller has 0 unless `sit` is false.")
    )
    level = Text(required=True, validate=Long(1, 40), metadata=about("See `GET /v1/options`.", examples=["medium"]))
    forgetfulness = Number(
        load_default=0,
        validate=Between(limits.FORGETFULNESS.min, limits.FORGETFULNESS.max),
        metadata=about("Share of its points the bot forgets to claim, on claim tables."),
    )


class PracticeDealSchema(Asked):
    """The first deal, written down: 28 different tiles in all."""

    holdings = ListOf(
        ListOf(TileName(), validate=Long(0, 28)),
        required=True,
        validate=Long(1, 4),
        metadata=about("Tiles per seat.", examples=[[["55", "52"], ["53", "66"]]]),
    )
    boneyard = ListOf(
        TileName(),
        load_default=list,
        validate=Long(0, 28),
        metadata=about("In drawing order; tiles named nowhere follow in any order."),
    )
    leader = WholeNumber(
        load_default=None,
        allow_none=True,
        validate=Between(0, 3),
        metadata=about("The seat that leads. Null where the rule set names it."),
    )


class NewTableSchema(Asked):
    """A table to be opened. Everything has a default: an empty object opens a table of `all-fives` for two."""

    ruleset = Text(load_default="all-fives", validate=Long(1, 64), metadata=about("See `GET /v1/rulesets`."))
    players = WholeNumber(
        load_default=2, validate=Between(limits.PLAYERS.min, limits.PLAYERS.max), metadata=about("Seats.")
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
    visibility = Text(
        load_default="public",
        validate=OneOf(VISIBILITIES),
        metadata=about(
            "`private` tables are found only by those who sit there or have the code.", **{SET_NAME: "Visibility"}
        ),
    )
    clock = Inside(ClockRequestSchema, load_default=dict, metadata=about("Times."))
    bots = ListOf(
        Inside(BotSeatSchema), load_default=list, validate=Long(0, 4), metadata=about("Seats taken by our own bots.")
    )
    abandonment = Text(
        load_default="bot_plays_on",
        validate=OneOf(("bot_plays_on", "forfeit")),
        metadata=about(
            "What happens when a hand ends and a stand-in still holds a seat: "
            "`bot_plays_on`, or `forfeit`: the best score among sides with a human present wins."
        ),
    )
    auto_forced = Flag(
        load_default=False,
        metadata=about(
            "Whether the server draws and passes at once for whoever can do nothing else, marked `by: forced`. "
            "Not on claim tables."
        ),
    )
    client_seed = client_seed()
    sit = Flag(load_default=True, metadata=about("Whether you take seat 0."))
    practice = Inside(
        PracticeDealSchema,
        load_default=None,
        allow_none=True,
        metadata=about("Script the first deal. Such a table is private, unrated and never listed."),
    )

    @validates_schema(pass_original=True)
    def _scripted_is_private(self, read: dict[str, Any], sent: Mapping[str, Any], **_options: Any) -> None:
        if read["practice"] is not None and sent.get("visibility") == "public":
            detail = "A table with a scripted deal is private: leave this out, or send private."
            raise ValidationError({"visibility": [Complaint(detail, "not_allowed", allowed=["private"])]})


def open_table(body: Mapping[str, Any]) -> OpenTable:
    """The use case's request for what `NewTableSchema` read."""
    deal = body["practice"]
    return OpenTable(
        ruleset=body["ruleset"],
        players=body["players"],
        seating=body["seating"],
        house_rules=body["house_rules"],
        visibility=body["visibility"],
        clock=Clock(**body["clock"]),
        bots=tuple(BotSeat(**bot) for bot in body["bots"]),
        abandonment=body["abandonment"],
        auto_forced=body["auto_forced"],
        sit=body["sit"],
        client_seed=body["client_seed"],
        practice=None
        if deal is None
        else PracticeDeal(
            holdings=tuple(tuple(holding) for holding in deal["holdings"]),
            boneyard=tuple(deal["boneyard"]),
            leader=deal["leader"],
        ),
    )


class LobbyQuerySchema(CursorSchema):
    """Which tables to list."""

    status = Text(
        load_default=None,
        validate=OneOf(("open", "playing", "finished")),
        metadata=about("Only tables of this status. Left out: open tables where a seat is free for you."),
    )
    ruleset = Text(load_default=None, validate=Known(tuple(RULE_SETS)), metadata=about("Only tables of this rule set."))
    players = QueryWhole(
        load_default=None,
        validate=Between(limits.PLAYERS.min, limits.PLAYERS.max),
        metadata=about("Only tables with so many seats."),
    )
    seating = Text(
        load_default=None,
        validate=OneOf(SEATINGS),
        metadata=about("Only tables where each plays alone, or in pairs."),
    )
    free_seats = QueryWhole(
        load_default=None,
        validate=Between(0, limits.PLAYERS.max),
        metadata=about("Only tables with at least so many seats free for you."),
    )


class MyTablesQuerySchema(CursorSchema):
    """Which of the caller's tables to list."""

    status = Text(
        load_default=None,
        validate=OneOf(("open", "playing", "finished", "active")),
        metadata=about("Only tables of this status; `active` is open or playing."),
    )


class TableQuerySchema(Asked):
    """How to look at a table."""

    newer_than = SeenVersion(
        load_default=None,
        metadata=about("The version you have; with `wait` the answer waits until the table is past it."),
    )
    wait = QueryNumber(
        load_default=0,
        validate=Between(0, limits.WAIT_SECONDS),
        metadata=about("Seconds to wait at most; then you get the same view again."),
    )
    until = Text(
        load_default=None,
        validate=OneOf(("my_turn",)),
        metadata=about("`my_turn`: wait until you have legal moves as well, or the table is over."),
    )


class SeatSchema(Answered):
    """One place at the table."""

    seat = whole("From 0, clockwise.")
    side = whole("Index into `scores`: a seat of its own, or 0 and 1 for pairs.")
    occupant = inside(OccupantSchema, "Who sits there.")
    stand_in = inside(StandInSchema, "The bot that plays for a player who is gone; null: nobody does.", null=True)
    timeouts = whole("Expired turns since the seat's own last action.")
    tiles = whole("Tiles held; null before the first deal.", null=True)
    connected = flag(
        "Whether the player was here in the last 15 s; null for bots and open seats. Not part of the version.",
        null=True,
    )
    bank_ms = whole("Milliseconds left in the seat's bank now; null: this table has none.", null=True)
    held_for = inside(
        HeldForSchema, "The only player who may take this open seat for now; null: whoever comes.", null=True
    )


class HandSchema(Answered):
    """The running hand, or the last one until the next is dealt."""

    number = whole("From 1.")
    phase = closed(
        "HandPhase", HAND_PHASES, "`claim`: only calls are accepted. `over`: the next hand comes at `next_hand_at`."
    )
    leader = whole("The seat that led.")
    turn = whole("The seat whose turn it is; null between turns.", null=True)
    deadline = moment("When the turn, the claim window or the break ends; null: never by itself.", null=True)
    deadline_ms = whole(
        "Milliseconds from `now` to `deadline`, never negative. Count from this: it needs no right clock of yours.",
        null=True,
    )
    bank_from = moment(
        "From then on the bank of the seat on turn is used up, until `deadline`; null: it is not.", null=True
    )
    next_hand_at = moment("When the next hand is dealt; null while one is running.", null=True)
    boneyard = whole("Tiles left in it.")
    layout = inside(TableLayoutSchema, "The tiles on the table.")
    commitment = text("What the hand's `proof.link` will hash to; null for a scripted deal.", null=True)


class OwnSeatSchema(Answered):
    """What only you can see."""

    seat = whole("Yours.")
    holding = tiles("Your tiles, high ones first.")
    legal_moves = list_of(
        fields.Nested(MoveSchema), "All you may do now, each ready to be sent back; empty when it is not your turn."
    )


class GameResultSchema(Answered):
    """How the game ended."""

    winner = whole("A side; null for a draw.", null=True)
    scores = list_of(fields.Integer(), "Per side.")
    reason = text("Open set: `target`, `forfeit`, `max_hands`, `abandoned`.")
    places = list_of(fields.Integer(), "Per side, 1 is best; equal scores share a place.")


class TableViewSchema(Answered):
    """A table as you may see it."""

    id = text("Opaque.")
    version = whole("Number of events so far: lock, cursor and cache key in one.")
    now = moment("The server's time of this view.")
    status = closed("TableStatus", STATUSES, "`closed`: it never started.")
    ruleset = inside(RuleSetNameSchema, "What is played.")
    rules = inside(RuleSetSchema, "Every rule of this table, house rules merged in.")
    players = whole("Seats.")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs across the table.")
    target = whole("Points that win.")
    visibility = closed("Visibility", VISIBILITIES, "Whether it is listed.")
    invite_code = text("Lets others find a private table; only those who sit there see it.", null=True)
    practice = flag("Private, unrated and never listed.")
    rated = flag("Whether its result changes ratings: a public table that plays its rule set as it is written.")
    host = text("Player id of the host; null: none.", null=True)
    created_at = moment("When it was opened.")
    expires_at = moment("When an open table closes, or a finished one is forgotten; null while playing.", null=True)
    next_table = text("The rematch; null: none yet.", null=True)
    abandonment = text("`bot_plays_on` or `forfeit`; see POST /v1/tables.")
    auto_forced = flag("Whether forced draws and passes are made at once.")
    clock = inside(ClockSchema, "Times.")
    seats = list_of(fields.Nested(SeatSchema), "In order.")
    scores = list_of(fields.Integer(), "Per side.")
    hand = inside(HandSchema, "Null only before the first deal.", null=True)
    last_hand = inside(HandEndedSchema, "The event that ended the last hand; null: none yet.", null=True)
    you = inside(OwnSeatSchema, "Your seat; null for spectators.", null=True)
    result = inside(GameResultSchema, "Null until the game is over.", null=True)


class TableSummarySchema(Answered):
    """A table in a list."""

    id = text("Opaque.")
    version = whole("As in the view.")
    status = closed("TableStatus", STATUSES, "As in the view.")
    ruleset = text("Id of the rule set.", example="all-fives")
    house_rules = free_map("Fields this table overrides.", additionalProperties=True)
    players = whole("Seats.")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs.")
    seats = list_of(
        fields.String(metadata={SET_NAME: "OccupantKind", "enum": ["human", "bot", "house_bot", "open"]}),
        "Kind of each seat's occupant.",
    )
    free_seats = whole("Seats you may take now: open and not kept for somebody else; 0 unless the table is open.")
    clock = inside(ClockSchema, "Times.")
    created_at = moment("When it was opened.")
    expires_at = moment("As in the view.", null=True)
    your_turn = flag("Whether you are to move; false while a stand-in plays for you.")


class TableListSchema(Answered):
    """A page of tables; it may be short even if more follow."""

    items = list_of(fields.Nested(TableSummarySchema), "Newest first.")
    next_cursor = text("Send it as `cursor` for the next page; null: this is the last.", null=True)
