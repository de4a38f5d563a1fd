"""Giving the opponent more time."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.locks import ExpectedVersionSchema
from app.api.schemas.tables import TableViewSchema
from app.api.services import tables
from app.tables.shapes import Answer, TableView

noun = Noun("time", "More time for whoever is on turn.")


@noun.route("/tables/<table_id>/more-time")
class MoreTimeView(MethodView):
    @noun.operation(
        "giveMoreTime",
        asks=Asks.PLAYER,
        body=ExpectedVersionSchema,
        answer=TableViewSchema,
        takes_key=True,
        refuses=[
            "not_found",
            "not_seated",
            "game_not_started",
            "table_not_open",
            "table_finished",
            "stand_in_plays",
            "hand_over",
            "no_more_time",
        ],
        example={"expected_version": 17},
        answers_with="The table, its `deadline` later.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Answer[TableView]:
        """Give an opponent on turn half of `turn_seconds` more, at least 5 s; at most three times a turn."""
        return tables().more_time(asker(), table_id, idempotency_key(body))
