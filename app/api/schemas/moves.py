"""A move: one flat shape both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, post_load, validates_schema

from app.api.complaints import Complaint
from app.api.schemas.answered import SET_NAME, Answered, closed, flag, text, whole
from app.api.schemas.asked import Between, EndName, Flag, OneOf, Text, TileName, WholeNumber, about
from app.api.schemas.locks import LockedSchema
from app.tables.requests import MoveRequest

ACTIONS = ("play", "draw", "pass", "muggins")
MOST_ANNOUNCED = 1000
"""Points; no play is worth 100."""


class Ignored(fields.Raw):
    """Accepted because answers carry it, and not looked at."""


class MoveRequestSchema(LockedSchema):
    """What to do. Any entry of `legal_moves` is a valid body as it stands; `count` and `points` are not looked at."""

    action = Text(
        required=True,
        validate=OneOf(ACTIONS),
        metadata=about(
            "`play` lays a tile, `draw` draws until one fits, `pass` gives the turn on, `muggins` calls missed points.",
            **{SET_NAME: "MoveAction"},
        ),
    )
    tile = TileName(
        load_default=None,
        allow_none=True,
        metadata=about("The tile to play; `46` is read as `64`.", examples=["50"]),
    )
    end = EndName(
        load_default=None,
        allow_none=True,
        metadata=about(
            "Where: the name of an open end as in `layout.ends`. May be left out on the lead.", examples=["55.left"]
        ),
    )
    lengthwise = Flag(
        load_default=False,
        allow_none=True,
        metadata=about("Lay the first double along the line, where the rule set has the choice (Sniff)."),
    )
    announce = WholeNumber(
        load_default=None,
        allow_none=True,
        validate=Between(0, MOST_ANNOUNCED),
        metadata=about("Points you announce, on claim tables. 0 and null are the same."),
    )
    count = Ignored(allow_none=True, metadata=about("Not looked at.", type="integer"))
    points = Ignored(allow_none=True, metadata=about("Not looked at.", type="integer"))

    @post_load
    def _only_what_counts(self, move: dict[str, Any], **_options: object) -> dict[str, Any]:
        return {name: value for name, value in move.items() if name not in ("count", "points")}

    @validates_schema(skip_on_field_errors=True)
    def _fields_go_with_the_action(self, move: dict[str, Any], **_options: object) -> None:
        if move["action"] == "play":
            if move["tile"] is None:
                raise ValidationError(Complaint("A play needs a tile.", "required"), "tile")
            return
        for name in ("tile", "end", "announce", "lengthwise"):
            if move[name]:
                raise ValidationError(
                    Complaint(f"This goes with a play only; {move['action']} takes none.", "not_allowed"), name
                )


def move_request(body: Mapping[str, Any]) -> MoveRequest:
    """The use case's request for what `MoveRequestSchema` read."""
    return MoveRequest(
        action=body["action"],
        tile=body["tile"],
        end=body["end"],
        lengthwise=bool(body["lengthwise"]),
        announce=body["announce"],
    )


class MoveSchema(Answered):
    """Something a seat may do now; send it back as it stands to do it."""

    action = closed("MoveAction", ACTIONS, "What to do.")
    tile = text("The tile to play; null for other actions.", null=True, example="50")
    end = text("The end it goes to; null for other actions.", null=True, example="55.left")
    lengthwise = flag("Whether the first double is laid along the line.")
    announce = whole("Points announced on claim tables; null otherwise.", null=True)
    count = whole("The count after this play; null for other actions and on claim tables.", null=True)
    points = whole("What this play scores; null for other actions and on claim tables.", null=True)
