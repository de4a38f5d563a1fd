"""Another game for the same people."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.answers import located
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.locks import ExpectedVersionSchema
from app.api.schemas.tables import TableViewSchema
from app.api.services import tables

noun = Noun("rematches", "Another game for the same people, from a finished table.")


@noun.route("/tables/<table_id>/rematch")
class RematchView(MethodView):
    @noun.operation(
        "askRematch",
        asks=Asks.PLAYER,
        body=ExpectedVersionSchema,
        answer=TableViewSchema,
        status=201,
        takes_key=True,
        refuses=["not_found", "not_seated", "game_not_started", "table_not_finished", "table_not_open"],
        example={"expected_version": 17},
        answers_with="The next table, which your asking has opened.",
        or_status=200,
        or_answers_with="The next table, which was there already.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Response:
        """Ask for another game, and sit down at the next table.

        All who ask get the same table: same rules, clock and bots, everybody one seat on. Each seat is kept for its
        player for 120 seconds (`seats[].held_for`); asking takes yours. The game starts when the last one has come.
        """
        asked = tables().rematch(asker(), table_id, idempotency_key(body))
        return located(asked, asked.status, f"/v1/tables/{asked.value.id}", replayed=asked.replayed)
