"""Sitting down, seating bots, leaving."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.seats import HouseBotSchema, MovedPlayerSchema, SitSchema
from app.api.schemas.tables import TableViewSchema
from app.api.services import tables
from app.tables.shapes import Answer, TableView

noun = Noun("seats", "Who sits where.")


@noun.route("/tables/<table_id>/seats")
class SeatsView(MethodView):
    @noun.operation(
        "takeSeat",
        asks=Asks.PLAYER,
        body=SitSchema,
        answer=TableViewSchema,
        takes_key=True,
        refuses=[
            "not_found",
            "seat_taken",
            "table_full",
            "already_seated",
            "table_not_open",
            "table_finished",
            "rate_limited",
        ],
        example={"seat": 1},
        answers_with="The table, your seat in it.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Answer[TableView]:
        """Sit down, or come back.

        While the table is open another `seat` moves you. Where a stand-in plays for you, you are back in your seat. The
        game starts when the last seat is filled.
        """
        return tables().sit(
            asker(),
            table_id,
            body["seat"],
            body["invite_code"],
            idempotency_key(body),
            client_seed=body["client_seed"],
        )


@noun.route("/tables/<table_id>/seats/<number:seat>")
class SeatView(MethodView):
    @noun.operation(
        "seatBot",
        asks=Asks.PLAYER,
        body=HouseBotSchema,
        answer=TableViewSchema,
        refuses=["not_found", "not_host", "seat_taken", "table_not_open", "table_finished"],
        example={"level": "medium"},
        answers_with="The table with the bot.",
    )
    def put(self, body: dict[str, Any], table_id: str, seat: int) -> Answer[TableView]:
        """Seat a bot; for the host of an open table."""
        return tables().seat_bot(asker(), table_id, seat, body["level"])

    @noun.operation(
        "leaveSeat",
        asks=Asks.PLAYER,
        answer=TableViewSchema,
        refuses=["not_found", "not_host", "not_seated", "table_not_open", "table_finished", "invalid"],
        answers_with="The table after you left.",
    )
    def delete(self, table_id: str, seat: int) -> TableView:
        """Leave your seat, or remove somebody from it as host of an open table.

        In a running game a stand-in plays on for you, and you may come back at any time.
        """
        return tables().leave(asker(), table_id, seat)


@noun.route("/tables/<table_id>/seats/<number:seat>/player")
class SeatedPlayerView(MethodView):
    @noun.operation(
        "movePlayer",
        asks=Asks.PLAYER,
        body=MovedPlayerSchema,
        answer=TableViewSchema,
        refuses=["not_found", "not_host", "seat_taken", "table_not_open", "table_finished"],
        example={"player": "5f3c9a0b1d2e4f6071829304"},
        answers_with="The table, the player in that seat.",
    )
    def put(self, body: dict[str, Any], table_id: str, seat: int) -> TableView:
        """Put a player who sits here on another seat; for the host of an open table.

        Whoever sits there already changes places with him, so pairs can be made up before the game starts.
        """
        return tables().move_player(asker(), table_id, seat, body["player"])
