"""The rules calculator: tiles laid without a table."""

from __future__ import annotations

from marshmallow import fields

from app.api import limits
from app.api.schemas.answered import Answered, inside, list_of, tile, whole
from app.api.schemas.asked import (
    Asked,
    Between,
    EndName,
    Flag,
    FreeMap,
    Inside,
    ListOf,
    Long,
    TileName,
    WholeNumber,
    about,
)
from app.api.schemas.layouts import LayoutEndSchema, TableLayoutSchema
from app.api.schemas.moves import MoveSchema
from app.api.schemas.rulesets import HouseRulesSchema

SET = 28
"""Tiles in the set."""


class TileToLaySchema(Asked):
    """A tile to lay."""

    tile = TileName(required=True, metadata=about("The tile.", examples=["50"]))
    end = EndName(
        load_default=None,
        allow_none=True,
        metadata=about("Where; may be left out for the first tile.", examples=["55.left"]),
    )
    lengthwise = Flag(load_default=False, metadata=about("Lay the first double along the line (Sniff)."))


class NewLayoutSchema(Asked):
    """Tiles to lay, in order."""

    players = WholeNumber(
        load_default=2, validate=Between(limits.PLAYERS.min, limits.PLAYERS.max), metadata=about("For the rules.")
    )
    house_rules = FreeMap(HouseRulesSchema, load_default=dict, metadata=about("Fields of the rule set to override."))
    plays = ListOf(Inside(TileToLaySchema), required=True, validate=Long(0, SET), metadata=about("In order."))
    holding = ListOf(
        TileName(),
        load_default=list,
        validate=Long(0, SET),
        metadata=about("Tiles to find legal moves for.", examples=[["64", "50"]]),
    )


class LayoutStepSchema(Answered):
    """One tile laid."""

    tile = tile()
    count = whole("Sum over the open ends.")
    points = whole("What its maker scores.")
    ends = list_of(fields.Nested(LayoutEndSchema), "All ends after it.")


class LayoutCalculationSchema(Answered):
    """What the plays come to."""

    steps = list_of(fields.Nested(LayoutStepSchema), "One per play.")
    layout = inside(TableLayoutSchema, "The tiles on the table.")
    legal_moves = list_of(fields.Nested(MoveSchema), "What the holding could play next.")
