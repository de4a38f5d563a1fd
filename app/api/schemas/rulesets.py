"""Rule sets and house rules."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import SET_NAME, Answered, flag, free_map, list_of, map_of, text, whole
from app.api.schemas.asked import Asked, about

SEATINGS = ("solo", "pairs")


def _choice(about_it: str, *values: str) -> fields.String:
    """A rule's value. Open: a later rule set may bring another."""
    return text(f"{about_it} One of {', '.join(f'`{value}`' for value in values)}; later versions may add others.")


class RuleSetSchema(Answered):
    """One way to play, as data. Maps go by the number of players as text."""

    id = text("Name of the rule set.", example="all-fives")
    title = text("For a list.", example="All Fives")
    summary = text("The rules in two or three sentences.")
    source = text("Where people play it so.")
    deal = map_of(fields.Integer(), "Tiles each seat is dealt, by number of players.", examples=[{"2": 7, "4": 5}])
    seating = map_of(
        fields.List(fields.String(metadata={SET_NAME: "Seating", "enum": list(SEATINGS)})),
        "Allowed seatings by number of players, the default first.",
        examples=[{"2": ["solo"], "4": ["pairs"]}],
    )
    direction = _choice("Which way the turn goes.", "clockwise", "counterclockwise")
    first_lead = _choice("Who leads the first hand.", "lot", "highest_double")
    next_lead = _choice("Who leads later hands.", "went_out", "highest_double")
    spinner = _choice("Which doubles grow four arms.", "none", "first_double", "every_double")
    lengthwise_choice = flag("Whether the first double may be laid along the line.")
    cross_arms_open = _choice("When the short sides of a spinner open.", "after_both_sides", "at_once")
    drawing = flag("Whether a seat without a fitting tile draws.")
    boneyard_keep = whole("Tiles of the boneyard that nobody draws.")
    scoring = _choice("Whether a count that is a multiple of five scores.", "fives", "none")
    points_unit = whole("1, or 5: one point for every five.")
    hand_end = _choice("What the end of a hand is worth.", "opponents_total", "each_opponent", "own_subtracted")
    round_to = whole("Spots at a hand's end are rounded to the nearest multiple of this; 1: exact.")
    block_tie = _choice("Who wins an equal block.", "nobody", "fewer_tiles")
    target = map_of(fields.Integer(), "Points that win, by number of players each alone, and for `pairs`.")
    claim = flag("Whether points must be announced, and missed ones can be called.")
    wrong_call_costs = whole("Points off the caller's side for a call with nothing to take; 0: it is refused.")
    max_hands = whole("The game ends after so many hands; null: 1,000.", null=True)


class RuleFieldSchema(Answered):
    """One field of a rule set, in words."""

    field = text("Name of the field.", example="spinner")
    value = fields.Raw(
        required=True, allow_none=True, metadata={"description": "Its value, of any JSON type; null for none."}
    )
    means = text("What that means.", example="The first double is the spinner.")
    differs = flag("Whether `all-fives` has another value.")


class CountExampleSchema(Answered):
    """What one kind of end counts, shown on a layout."""

    ends = text("The kind of end.", example="free half of an ordinary tile")
    counts = text("What it adds to the count.", example="its number")
    plays = list_of(fields.String(), "Tiles laid, each with its end; `lengthwise` behind one laid along the line.")
    count = whole("The count after the last of them.")
    points = whole("What the last of them scores.")


class RuleSetDetailSchema(RuleSetSchema):
    """A rule set, how it differs from `all-fives`, and all of it in words."""

    differs = free_map(
        "The fields in which it differs from `all-fives`, with its own values.", additionalProperties=True
    )
    meanings = list_of(fields.Nested(RuleFieldSchema), "Every field with its value, in words.")
    count_table = list_of(fields.Nested(CountExampleSchema), "What each kind of end counts, by worked examples.")


class RuleSetListSchema(Answered):
    """Every rule set."""

    items = list_of(fields.Nested(RuleSetDetailSchema), "The default first.")
    next_cursor = text("Always null: they fit on one page.", null=True)


class RuleSetNameSchema(Answered):
    """Which rule set is played, and what this table changes in it."""

    id = text("Name of the rule set.", example="all-fives")
    house_rules = free_map("Fields this table overrides; empty for none.", additionalProperties=True)


class HouseRulesSchema(Asked):
    """Fields of the rule set that this table overrides. Maps merge by key. See RuleSet for what each means."""

    deal = fields.Dict(
        keys=fields.String(), values=fields.Integer(), metadata=about("Tiles each, by number of players.")
    )
    tiles_each = fields.Integer(metadata=about("Short for `deal` at this table's number of players."))
    seating = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String(metadata={SET_NAME: "Seating", "enum": list(SEATINGS)})),
        metadata=about("Allowed seatings by number of players."),
    )
    direction = fields.String(metadata=about("`clockwise` or `counterclockwise`."))
    first_lead = fields.String(metadata=about("`lot` or `highest_double`."))
    next_lead = fields.String(metadata=about("`went_out` or `highest_double`."))
    spinner = fields.String(metadata=about("`none`, `first_double` or `every_double`."))
    lengthwise_choice = fields.Boolean(metadata=about("Needs `spinner` `first_double`."))
    cross_arms_open = fields.String(metadata=about("`after_both_sides` or `at_once`."))
    drawing = fields.Boolean(metadata=about("Whether a seat without a fitting tile draws."))
    boneyard_keep = fields.Integer(metadata=about("Tiles of the boneyard that nobody draws."))
    scoring = fields.String(metadata=about("`fives` or `none`."))
    points_unit = fields.Integer(metadata=about("1 or 5; 5 needs `scoring` `fives` and `round_to` 5."))
    hand_end = fields.String(
        metadata=about("`opponents_total`, `each_opponent` or `own_subtracted` (needs `max_hands`).")
    )
    round_to = fields.Integer(metadata=about("5 or 1."))
    block_tie = fields.String(metadata=about("`nobody` or `fewer_tiles`."))
    target = fields.Dict(
        keys=fields.String(), values=fields.Integer(), metadata=about("Points that win: `2`, `3`, `4` or `pairs`.")
    )
    target_points = fields.Integer(metadata=about("Short for `target` at this table."))
    claim = fields.Boolean(metadata=about("Whether points must be announced."))
    wrong_call_costs = fields.Integer(metadata=about("Points for a wrong call."))
    max_hands = fields.Integer(allow_none=True, metadata=about("1 to 1,000; null: 1,000."))
