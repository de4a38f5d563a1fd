"""Playing."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.move_answers import MoveAnswerSchema
from app.api.schemas.moves import MoveRequestSchema, move_request
from app.api.services import tables
from app.tables.shapes import Answer, MoveAnswer

noun = Noun("moves", "What a seat does.")


@noun.route("/tables/<table_id>/moves")
class MovesView(MethodView):
    @noun.operation(
        "makeMove",
        asks=Asks.PLAYER,
        body=MoveRequestSchema,
        answer=MoveAnswerSchema,
        takes_key=True,
        refuses=[
            "not_found",
            "not_seated",
            "game_not_started",
            "table_not_open",
            "table_finished",
            "hand_over",
            "stand_in_plays",
            "not_your_turn",
            "not_in_holding",
            "does_not_fit",
            "end_closed",
            "end_required",
            "lengthwise_not_allowed",
            "must_play",
            "must_draw",
            "must_play_drawn_tile",
            "must_lead",
            "nothing_to_draw",
            "nothing_to_call",
            "already_called",
        ],
        example={"action": "play", "tile": "50", "end": "55.left"},
        answers_with="What the move caused, and the table after it.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Answer[MoveAnswer]:
        """Play a tile, draw, pass, or call.

        Send back any entry of `you.legal_moves` as it stands. A refused move changes nothing; on your turn the problem
        holds your legal moves. Send an `Idempotency-Key` so that a retry after a lost answer cannot move twice.
        """
        return tables().act(asker(), table_id, move_request(body), idempotency_key(body))
