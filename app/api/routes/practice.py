"""A game against bots from one request."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.auth import Asks
from app.api.blueprint import Noun
from app.api.newcomers import start_practice
from app.api.schemas.practice import NewPracticeSchema, PracticeStartedSchema

noun = Noun("practice", "Play at once, against bots.")


@noun.route("/practice")
class PracticeView(MethodView):
    @noun.operation(
        "startPractice",
        asks=Asks.SPECTATOR,
        body=NewPracticeSchema,
        answer=PracticeStartedSchema,
        status=201,
        takes_key=True,
        example={"level": "easy", "name": "Ana"},
        answers_with="You, your token, and the running game.",
    )
    def post(self, body: dict[str, Any]) -> Response:
        """Start a game against bots; the tiles are dealt when the answer arrives.

        Without a token a player is made for you, and the answer holds the token. With one, that player sits, `token` is
        null and `name` is not used. The body may be left out. Players made here are counted with those of
        `POST /v1/players`.
        """
        return start_practice(body)
