"""Moves made ahead."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.schemas.premoves import NewPremoveSchema, PremoveSchema, premove_request
from app.api.services import tables
from app.tables.premoves import PreMove

noun = Noun("premoves", "What you will play when your turn comes. Nobody else ever sees it.")
REFUSES = [
    "not_found",
    "not_seated",
    "game_not_started",
    "table_not_open",
    "table_finished",
    "stand_in_plays",
    "hand_over",
]


@noun.route("/tables/<table_id>/premove")
class PremoveView(MethodView):
    @noun.operation(
        "setPremove",
        asks=Asks.PLAYER,
        body=NewPremoveSchema,
        answer=PremoveSchema,
        refuses=[*REFUSES, "not_in_holding", "premove_not_allowed"],
        example={"tile": "50", "end": "55.left"},
        answers_with="What is kept.",
    )
    def put(self, body: dict[str, Any], table_id: str) -> PreMove:
        """Make a move ahead: if it is legal when your turn comes it is played at once and costs no time.

        If it is not legal then, you draw or pass where you can do nothing else; otherwise the turn is yours as always.
        It counts for your next turn in this hand only. Not on claim tables.
        """
        return tables().premove(asker(), table_id, premove_request(body))

    @noun.operation(
        "deletePremove", asks=Asks.PLAYER, answer=None, status=204, refuses=REFUSES, answers_with="There is none."
    )
    def delete(self, table_id: str) -> None:
        """Take the move back that you made ahead."""
        tables().forget_premove(asker(), table_id)
