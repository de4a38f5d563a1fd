"""Moves made ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.api.schemas.answered import Answered, flag, text, tile, whole
from app.api.schemas.asked import EndName, Flag, TileName, about
from app.api.schemas.locks import LockedSchema
from app.tables.premoving import PreMoveRequest


class NewPremoveSchema(LockedSchema):
    """What to play when your turn comes."""

    tile = TileName(required=True, metadata=about("One of your tiles; `46` is read as `64`.", examples=["50"]))
    end = EndName(
        load_default=None,
        allow_none=True,
        metadata=about(
            "The end it goes to, which need not be there yet; null: wherever it fits, if there is only one way.",
            examples=["55.left"],
        ),
    )
    lengthwise = Flag(load_default=False, metadata=about("Lay the first double along the line, where that is played."))


def premove_request(body: Mapping[str, Any]) -> PreMoveRequest:
    """The use case's request for what `NewPremoveSchema` read."""
    return PreMoveRequest(tile=body["tile"], end=body["end"], lengthwise=body["lengthwise"])


class PremoveSchema(Answered):
    """What will be played when your turn comes; only you ever see it."""

    player_id = text("You.")
    hand = whole("Number of the hand it counts for.")
    tile = tile("The tile.")
    end = text("The end; null: wherever it fits, if there is only one way.", null=True, example="55.left")
    lengthwise = flag("Whether the first double is laid along the line.")
