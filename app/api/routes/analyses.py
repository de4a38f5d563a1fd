"""What the moves of a finished hand cost."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from app.analysis.shapes import AnalysisShape
from app.api.answers import located
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.analyses import AnalysisSchema
from app.api.services import analyses

noun = Noun("analyses", "What every move of a finished hand cost against the best one.")


@noun.route("/tables/<table_id>/hands/<number:number>/analysis")
class AnalysisView(MethodView):
    @noun.operation(
        "askAnalysis",
        asks=Asks.SPECTATOR,
        answer=AnalysisSchema,
        status=202,
        takes_key=True,
        refuses=["not_found", "hand_not_finished"],
        answers_with="It was not asked for before, and is begun.",
        or_status=200,
        or_answers_with="It was asked for before: how far it is, or all of it.",
    )
    def post(self, table_id: str, number: int) -> Response:
        """Ask what every move of a finished hand cost.

        Whoever may see the hand may ask. It is made once, whoever asks and however many, in a few seconds where nothing
        else waits; look at it with `GET` on the same path. It is kept as long as the table.
        """
        asked = analyses().ask(asker(), table_id, number, idempotency_key({}))
        location = f"/v1/tables/{table_id}/hands/{number}/analysis"
        return located(asked, asked.status, location, replayed=asked.replayed)

    @noun.operation(
        "getAnalysis",
        asks=Asks.SPECTATOR,
        answer=AnalysisSchema,
        refuses=["not_found", "hand_not_finished"],
        answers_with="How far it is; once it is ready, all of it.",
    )
    def get(self, table_id: str, number: int) -> AnalysisShape:
        """Look at what every move of a finished hand cost.

        `not_found` as long as nobody has asked with `POST`. While it is `pending`, ask again every second or two.
        """
        return analyses().analysis(asker(), table_id, number)
