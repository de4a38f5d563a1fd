"""Finished hands and whole games."""

from __future__ import annotations

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.schemas.hands import FinishedHandSchema, GameRecordSchema, KnowledgeSchema
from app.api.services import tables
from app.tables.shapes import FinishedHand, GameRecord, Knowledge

noun = Noun("hands", "What is over is open to everyone who may see the table.")


@noun.route("/tables/<table_id>/hands/<number:number>")
class HandView(MethodView):
    @noun.operation(
        "getHand",
        asks=Asks.SPECTATOR,
        answer=FinishedHandSchema,
        refuses=["not_found", "hand_not_finished"],
        answers_with="The hand, all tiles open.",
    )
    def get(self, table_id: str, number: int) -> FinishedHand:
        """Look into a finished hand, all tiles open."""
        return tables().finished_hand(asker(), table_id, number)


@noun.route("/tables/<table_id>/knowledge")
class KnowledgeView(MethodView):
    @noun.operation(
        "getKnowledge",
        asks=Asks.SPECTATOR,
        answer=KnowledgeSchema,
        refuses=["not_found"],
        answers_with="What is proved, and what is unseen.",
    )
    def get(self, table_id: str) -> Knowledge:
        """Tell what the running hand has told everybody.

        Numbers each seat is proved not to hold by its draws and passes, and the tiles that do not lie on the table: the
        same for every seat and for spectators, since your own tiles are not in it.
        """
        return tables().knowledge(asker(), table_id)


@noun.route("/tables/<table_id>/record")
class RecordView(MethodView):
    @noun.operation(
        "getRecord",
        asks=Asks.SPECTATOR,
        answer=GameRecordSchema,
        refuses=["not_found"],
        answers_with="Finished hands and the result.",
    )
    def get(self, table_id: str) -> GameRecord:
        """Take the game along: one document that anyone can replay offline.

        It holds finished hands and the result, and nothing of a running hand.
        """
        return tables().record(asker(), table_id)
