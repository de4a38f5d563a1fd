"""A player's feed over all of his tables."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields

from app.api import limits
from app.api.complaints import Complaint
from app.api.schemas.answered import Answered, inside, list_of, moment, text, whole
from app.api.schemas.asked import LARGEST, Asked, Between, Coded, QueryNumber, QueryWhole, about
from app.api.schemas.tables import OwnSeatSchema

NOW = "now"


class FeedCursor(Coded, fields.String):
    """A `seq`, or `now`, which is read as None."""

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> Any:
        if value == NOW:
            return None
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16:
            return Between(0, LARGEST)(int(value))
        raise ValidationError(Complaint("This must be the `seq` of an event, 0, or now.", "wrong_form"))


def _cursor() -> FeedCursor:
    return FeedCursor(
        load_default=0,
        metadata=about(
            "`seq` of the last event you have; 0 for all that is kept; `now` for what is to come.",
            pattern=f"^({NOW}|[0-9]{{1,16}})$",
            default="0",
        ),
    )


class FeedStreamQuerySchema(Asked):
    """From where on."""

    after = _cursor()


class FeedQuerySchema(Asked):
    """Which part of the feed."""

    after = _cursor()
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


class FeedEventSchema(Answered):
    """Something that happened at one of your tables. It may be told twice; `table`, `version` and `type` tell."""

    seq = whole("Place in your feed; it grows, with gaps.")
    type = text(
        "Open set: `table_started`, `your_turn`, `hand_ended`, `table_finished`, `invited`. Skip what you do not know.",
        example="your_turn",
    )
    at = moment("When it happened.")
    table = text("Id of the table.")
    version = whole("`seq`, in the table's log, of the event that is told of.")
    seat = whole("Your seat there; null where you do not sit.", null=True)
    deadline = moment("With `your_turn`: when your turn ends; null: untimed.", null=True)
    you = inside(OwnSeatSchema, "With `your_turn`: your holding and legal moves as they are now; else null.", null=True)


class FeedPageSchema(Answered):
    """A piece of your feed."""

    events = list_of(fields.Nested(FeedEventSchema), "Oldest first; empty when nothing happened in time.")
    next_after = whole("Send it as `after` next time.")
