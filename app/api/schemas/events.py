"""The log's entries. What a viewer may not know is null, when the event is written and for ever after."""

from __future__ import annotations

from marshmallow import fields

from app.api import limits
from app.api.schemas.answered import (
    ANY_EVENT,
    Answered,
    constant,
    flag,
    inside,
    list_of,
    moment,
    text,
    tile,
    tiles,
    whole,
)
from app.api.schemas.asked import LARGEST, Asked, Between, QueryNumber, QueryWhole, about
from app.api.schemas.clocks import ClockSchema
from app.api.schemas.layouts import LayoutEndSchema
from app.api.schemas.moves import MoveSchema
from app.api.schemas.rulesets import RuleSetNameSchema, RuleSetSchema
from app.api.schemas.seats import OccupantSchema

_BY = "Who did it; open set: `player`, `bot`, `stand_in`, `timeout`, `forced` (the table makes forced moves itself)."


class EventsQuerySchema(Asked):
    """Which part of the log."""

    after = QueryWhole(
        load_default=0,
        validate=Between(0, LARGEST),
        metadata=about("`seq` of the last event you have; 0 for the beginning. Send `next_after` of the last answer."),
    )
    limit = QueryWhole(
        load_default=limits.EVENTS_DEFAULT,
        validate=Between(1, limits.EVENTS),
        metadata=about("Events at most; more may follow at once."),
    )
    wait = QueryNumber(
        load_default=0,
        validate=Between(0, limits.WAIT_SECONDS),
        metadata=about("Seconds to wait for the first event; then the list is empty."),
    )


class EventSchema(Answered):
    """What every event has."""

    seq = whole("Place in the table's log, from 1; the same for every viewer.")
    at = moment("When it was written.")
    hand = whole("Number of the hand it belongs to; null outside a hand.", null=True)


class TableCreatedSchema(EventSchema):
    """The table was opened."""

    type = constant("table_created")
    table = text("Its id.")
    ruleset = inside(RuleSetNameSchema, "What is played.")
    rules = inside(RuleSetSchema, "Every rule of this table.")
    players = whole("Seats.")
    seating = text("`solo` or `pairs`.")
    visibility = text("`public` or `private`.")
    abandonment = text("`bot_plays_on` or `forfeit`.")
    clock = inside(ClockSchema, "Times.")
    host = text("Player id.", null=True)
    practice = flag("Whether it is a practice table.")
    auto_forced = flag("Whether forced draws and passes are made at once.")
    commitment = text("Public end of the chain all deals come from; 64 hex digits.", null=True)


class TableClosedSchema(EventSchema):
    """The table is closed; it never started."""

    type = constant("table_closed")
    reason = text("Open set: `empty`, `expired`.")


class SeatTakenSchema(EventSchema):
    """Somebody sat down."""

    type = constant("seat_taken")
    seat = whole("Where.")
    occupant = inside(OccupantSchema, "Who.")


class SeatLeftSchema(EventSchema):
    """Somebody left an open table."""

    type = constant("seat_left")
    seat = whole("Where.")


class SeatHeldSchema(EventSchema):
    """An open seat is kept for one player for a while; nobody else may take it."""

    type = constant("seat_held")
    seat = whole("Where.")
    player_id = text("Whom it is kept for.")
    until = moment("When it is free for everybody.")


class SeatFreedSchema(EventSchema):
    """A seat is not kept for anybody any more."""

    type = constant("seat_freed")
    seat = whole("Where.")


class HostChangedSchema(EventSchema):
    """Somebody else is host now."""

    type = constant("host_changed")
    player_id = text("The new host; null: nobody.", null=True)


class InviteRenewedSchema(EventSchema):
    """The table has a new invite code and the old one stopped working; the code is in the view of those who sit."""

    type = constant("invite_renewed")


class PlayerInvitedSchema(EventSchema):
    """A player was asked to come and play."""

    type = constant("player_invited")
    player_id = text("Who; null for everybody but him and whoever asked.", null=True)
    inviter = text("Who asked; null for everybody but these two.", null=True)
    until = moment("When the invitation ends by itself.")


class InvitationDeclinedSchema(EventSchema):
    """An invited player does not want to come."""

    type = constant("invitation_declined")
    player_id = text("Who; null for everybody but him and whoever had asked.", null=True)
    inviter = text("Who had asked; null for everybody but these two.", null=True)
    reason = text("Open set, see `GET /v1/options`; null for everybody but these two.", null=True)


class GameStartedSchema(EventSchema):
    """The last seat was filled and the game began."""

    type = constant("game_started")
    ruleset = inside(RuleSetNameSchema, "What is played.")
    rules = inside(RuleSetSchema, "Every rule of this table.")
    players = whole("Seats.")
    seating = text("`solo` or `pairs`.")
    target = whole("Points that win.")


class HandDealtSchema(EventSchema):
    """A hand was dealt."""

    type = constant("hand_dealt")
    leader = whole("The seat that leads.")
    lead_by = text("Why; open set: `lot`, `went_out`, `highest_double`, `heaviest_tile`, `scripted`.")
    tiles_each = whole("Tiles each seat got.")
    boneyard = whole("Tiles in the boneyard.")
    boneyard_tiles = list_of(
        tile(), "In drawing order; null unless the hand is over and all tiles are open.", null=True
    )
    holdings = list_of(fields.List(tile(), allow_none=True), "Per seat: yours, null for the others.")
    commitment = text("What this hand's `proof.link` will hash to; null for a scripted deal.", null=True)
    client_seeds = list_of(fields.String(), "The seats' parts in the shuffle; null unless the hand is over.", null=True)


class TurnStartedSchema(EventSchema):
    """A seat is to move."""

    type = constant("turn_started")
    seat = whole("Whose turn.")
    deadline = moment("When it ends; null: untimed, or a bot's turn.", null=True)
    deadline_ms = whole("Milliseconds from `at` to `deadline`.", null=True)
    bank_from = moment("From then on the seat's bank is used up; null: no bank.", null=True)
    legal_moves = list_of(fields.Nested(MoveSchema), "All it may do, if the seat is yours; else null.", null=True)


class TimeAddedSchema(EventSchema):
    """An opponent gave the seat on turn more time."""

    type = constant("time_added")
    seat = whole("Whose turn.")
    deadline = moment("When it ends now.")


class TurnTimedOutSchema(EventSchema):
    """A turn expired; the move that follows was made for the seat."""

    type = constant("turn_timed_out")
    seat = whole("Whose turn it was.")


class TilePlayedSchema(EventSchema):
    """A tile was laid."""

    type = constant("tile_played")
    seat = whole("Who.")
    tile = tile()
    end = text("The end it was laid on; `lead` for the first.", example="55.left")
    left = whole("The number that touches the tile it was laid on (the lead: its high half).")
    right = whole("The number of its free half (the lead: its low half).")
    lengthwise = flag("Whether this double lies along the line.")
    spinner = flag("Whether it grows four arms.")
    announce = whole("Points announced, on claim tables; null for none.", null=True)
    count = whole("Sum over the open ends; null where a claim table may not show it yet.", null=True)
    ends = list_of(
        fields.Nested(LayoutEndSchema),
        "All ends after the play; their `counts` null where a claim table may not show them.",
    )
    by = text(_BY, example="player")


class PointsScoredSchema(EventSchema):
    """A side's score changed."""

    type = constant("points_scored")
    side = whole("Whose score.")
    seat = whole("Who earned them; null for hand-end points that belong to no single seat.", null=True)
    points = whole("May be negative.")
    reason = text("Open set: `play`, `muggins`, `hand_end`.")
    score = whole("The side's total afterwards.")


class TilesDrawnSchema(EventSchema):
    """A seat drew until a tile fitted, or the boneyard was empty. The turn and its clock go on."""

    type = constant("tiles_drawn")
    seat = whole("Who.")
    number = whole("How many.")
    tiles = list_of(tile(), "Which, in order, if they are yours; else null.", null=True)
    boneyard = whole("Tiles left in the boneyard.")
    by = text(_BY, example="player")
    legal_moves = list_of(fields.Nested(MoveSchema), "All it may do now, if the seat is yours; else null.", null=True)


class TurnPassedSchema(EventSchema):
    """A seat could neither play nor draw."""

    type = constant("turn_passed")
    seat = whole("Who.")
    by = text(_BY, example="player")


class ClaimOpenedSchema(EventSchema):
    """A play that did not score may be called."""

    type = constant("claim_opened")
    seat = whole("Who made the play.")
    deadline = moment("When the window closes; null: with the next action.", null=True)


class MugginsCalledSchema(EventSchema):
    """An opponent took missed points."""

    type = constant("muggins_called")
    seat = whole("Who called.")
    points = whole("Points taken; negative where a wrong call costs.")


class ClaimClosedSchema(EventSchema):
    """The window is closed and the count is public."""

    type = constant("claim_closed")
    seat = whole("Who made the play.")
    count = whole("Its count.")
    ends = list_of(fields.Nested(LayoutEndSchema), "Its ends.")
    missed = whole("Points its maker did not get; 0: it was worth nothing.")
    taken_by = whole("The seat that called; null: nobody.", null=True)


class StandInSeatedSchema(EventSchema):
    """A bot plays for a seat whose player is gone."""

    type = constant("stand_in_seated")
    seat = whole("Where.")
    level = text("Open set.", example="medium")
    reason = text("Open set: `left`, `timeout`.")


class SeatReclaimedSchema(EventSchema):
    """The player is back."""

    type = constant("seat_reclaimed")
    seat = whole("Where.")


class RematchAskedSchema(EventSchema):
    """A seat of a finished table wants another game."""

    type = constant("rematch_asked")
    seat = whole("Who.")


class RematchReadySchema(EventSchema):
    """The next table is there."""

    type = constant("rematch_ready")
    table = text("Its id.")


class SettlementSchema(Answered):
    """One seat's line in the account of a hand's end."""

    seat = whole("Whose tiles.")
    spots = whole("Spots left in its holding.")
    rounded = whole("The same, rounded as the rules have it.")
    side = whole("The side they go to, or come off.")
    points = whole("What they brought or cost.")


class ProofSchema(Answered):
    """With this anybody can deal the hand again and compare; docs/fair-deal.md says how."""

    algorithm = text("Name and version of the algorithm; open set.", example="all-fives-fair-deal/1")
    link = text("64 hex digits; their hash is the hand's `commitment`.")
    client_seeds = list_of(fields.String(), "The seats' parts in the shuffle; empty for a seat without one.")


class HandEndedSchema(EventSchema):
    """A hand is over; all tiles are open."""

    type = constant("hand_ended")
    reason = text("Open set: `went_out`, `blocked`, `target`.")
    winner = whole("The side that won the hand; null: nobody.", null=True)
    seat = whole("Who went out or made the last play; null: nobody played.", null=True)
    holdings = list_of(fields.List(tile()), "What each seat had left.")
    boneyard = tiles("What was left, in drawing order.")
    breakdown = list_of(fields.Nested(SettlementSchema), "How the points came about.")
    points = list_of(fields.Integer(), "Hand-end points per side.")
    scores = list_of(fields.Integer(), "Scores per side afterwards.")
    next_hand_at = moment("When the next hand is dealt; null: the game is over.", null=True)
    proof = inside(ProofSchema, "What lets you check the deal; null for a scripted one.", null=True)


class GameEndedSchema(EventSchema):
    """The game is over."""

    type = constant("game_ended")
    winner = whole("A side; null for a draw.", null=True)
    scores = list_of(fields.Integer(), "Per side.")
    places = list_of(fields.Integer(), "Per side, 1 is best; equal scores share a place.")
    reason = text("Open set: `target`, `forfeit`, `max_hands`, `abandoned`.")


EVENTS: dict[str, type[EventSchema]] = {
    "table_created": TableCreatedSchema,
    "table_closed": TableClosedSchema,
    "seat_taken": SeatTakenSchema,
    "seat_left": SeatLeftSchema,
    "seat_held": SeatHeldSchema,
    "seat_freed": SeatFreedSchema,
    "host_changed": HostChangedSchema,
    "invite_renewed": InviteRenewedSchema,
    "player_invited": PlayerInvitedSchema,
    "invitation_declined": InvitationDeclinedSchema,
    "game_started": GameStartedSchema,
    "hand_dealt": HandDealtSchema,
    "turn_started": TurnStartedSchema,
    "time_added": TimeAddedSchema,
    "turn_timed_out": TurnTimedOutSchema,
    "tile_played": TilePlayedSchema,
    "points_scored": PointsScoredSchema,
    "tiles_drawn": TilesDrawnSchema,
    "turn_passed": TurnPassedSchema,
    "claim_opened": ClaimOpenedSchema,
    "muggins_called": MugginsCalledSchema,
    "claim_closed": ClaimClosedSchema,
    "stand_in_seated": StandInSeatedSchema,
    "seat_reclaimed": SeatReclaimedSchema,
    "hand_ended": HandEndedSchema,
    "game_ended": GameEndedSchema,
    "rematch_asked": RematchAskedSchema,
    "rematch_ready": RematchReadySchema,
}
"""By `type`."""


class AnyEvent(fields.Field[object]):
    """One event, told by its `type`."""

    def __init__(self) -> None:
        super().__init__(required=True, metadata={ANY_EVENT: True})


class FlatEventSchema(Answered):
    """Any event. What a type adds is written in the server's guide; every type has these."""

    seq = whole("Place in the table's log, from 1.")
    type = text("What happened; skip what you do not know.", example="tile_played")
    at = moment("When it was written.")
    hand = whole("Number of the hand; null outside a hand.", null=True)


class EventPageSchema(Answered):
    """A piece of the log."""

    events = list_of(AnyEvent(), "Oldest first; empty when nothing happened in time.")
    next_after = whole("Send it as `after` next time.")
    version = whole("The table's version; larger than `next_after` when more follows at once.")
