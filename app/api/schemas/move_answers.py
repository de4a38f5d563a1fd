"""What a move caused."""

from __future__ import annotations

from app.api.schemas.answered import Answered, inside, list_of, whole
from app.api.schemas.events import AnyEvent
from app.api.schemas.tables import TableViewSchema


class MoveAnswerSchema(Answered):
    """What your move caused."""

    version = whole("The table's version now.")
    events = list_of(AnyEvent(), "What happened, as you may see it.")
    table = inside(TableViewSchema, "The table now.")
