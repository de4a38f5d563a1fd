"""The table's log, by one cursor."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.schemas.events import EventPageSchema, EventsQuerySchema
from app.api.services import tables
from app.tables.shapes import EventPage

noun = Noun("events", "A table is its log: everything that happened, in order, for ever the same.")


@noun.route("/tables/<table_id>/events")
class EventsView(MethodView):
    @noun.operation(
        "listEvents",
        asks=Asks.SPECTATOR,
        query=EventsQuerySchema,
        answer=EventPageSchema,
        refuses=["not_found", "cursor_ahead"],
        answers_with="Events after the cursor; none when nothing happened in time.",
    )
    def get(self, query: dict[str, Any], table_id: str) -> EventPage:
        """Read the log, or wait for what comes next.

        Start with `after=0`, go on with `next_after` of each answer. With `wait=25` the answer comes with the next
        event.
        """
        return tables().events(asker(), table_id, **query)
