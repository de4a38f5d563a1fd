"""Boards of ratings."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks
from app.api.blueprint import Noun
from app.api.schemas.standing import LeaderboardQuerySchema, LeaderboardSchema
from app.api.services import standing
from app.standing.shapes import Leaderboard

noun = Noun("leaderboards", "Who plays best, by rule set and way of sitting.")


@noun.route("/leaderboards/<ruleset_id>")
class LeaderboardView(MethodView):
    @noun.operation(
        "getLeaderboard",
        asks=Asks.ANYONE,
        query=LeaderboardQuerySchema,
        answer=LeaderboardSchema,
        refuses=["not_found"],
        answers_with="A page of the board.",
    )
    def get(self, query: dict[str, Any], ruleset_id: str) -> Leaderboard:
        """Show the best, our own bots among them.

        Only public tables that play the rule set as it is written are rated, shortly after the game. A cursor stays
        good while ratings change: the next page goes on below the place the last one ended at.
        """
        return standing().leaderboard(ruleset_id, **query)
