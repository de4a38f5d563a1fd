"""The tiles on the table and their ends."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, closed, flag, list_of, text, tile, whole

END_KINDS = ("half", "long", "short")


class LaidTileSchema(Answered):
    """A tile on the table."""

    tile = tile()
    seat = whole("Who played it; null in the calculator.", null=True)
    end = text("The end it was laid on; `lead` for the first.", example="55.left")
    left = whole("The number that touches the tile it was laid on (the lead: its high half).")
    right = whole("The number of its free half (the lead: its low half).")
    spinner = flag("Whether it grows four arms.")
    lengthwise = flag("Whether this double lies along the line.")


class LayoutEndSchema(Answered):
    """A place where a tile can be laid, now or later. Identify it by `end`, never by its number."""

    end = text("`<tile>.<side>`: this name is its own for as long as the hand lasts.", example="55.up")
    tile = text("The tile it belongs to.", example="55")
    number = whole("The number a tile must have to fit.")
    kind = closed("EndKind", END_KINDS, "`half` of an ordinary tile, `long` or `short` side of a double.")
    open = flag("False: a short side of a spinner that nobody may play on yet.")
    counts = whole(
        "Its share of the count; all of them add up to `count`. Null where a claim table may not show it.", null=True
    )


class TableLayoutSchema(Answered):
    """What lies on the table. Seen from `left` to `right`, `up` is to the left hand."""

    tiles = list_of(fields.Nested(LaidTileSchema), "In order of play.")
    ends = list_of(
        fields.Nested(LayoutEndSchema),
        "Every place that is, or will be, open; empty before the lead, which goes to `lead`.",
    )
    count = whole("Sum over the ends. Null where a claim table may not show it.", null=True)
