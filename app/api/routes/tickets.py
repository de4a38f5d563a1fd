"""Finding a game."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.answers import located
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.tickets import NewTicketSchema, TicketQuerySchema, TicketSchema, ticket_request
from app.api.services import tickets
from app.tables.ticket import TicketShape

noun = Noun("tickets", "Wait for others who want to play the same.")


@noun.route("/tickets")
class TicketsView(MethodView):
    @noun.operation(
        "createTicket",
        asks=Asks.PLAYER,
        body=NewTicketSchema,
        answer=TicketSchema,
        status=201,
        takes_key=True,
        example={"ruleset": "all-fives", "players": 2, "fill_with_bots_after": 30},
        answers_with="The ticket; it may have a table already.",
        or_status=200,
        or_answers_with="The ticket with which you wait on these terms already.",
    )
    def post(self, body: dict[str, Any]) -> Response:
        """Look for others who want to play the same.

        Tickets meet when their rules come to the same, and players, seating and clock are equal. As soon as enough have
        met, all get one table where the game is running. Go on with `GET /v1/tickets/{ticket_id}?wait=25`: a ticket
        nobody asks for lapses after two minutes.
        """
        answer = tickets().ask(asker(), ticket_request(body), idempotency_key(body))
        return located(answer, answer.status, f"/v1/tickets/{answer.value.id}", replayed=answer.replayed)


@noun.route("/tickets/<ticket_id>")
class TicketView(MethodView):
    @noun.operation(
        "getTicket",
        asks=Asks.PLAYER,
        query=TicketQuerySchema,
        answer=TicketSchema,
        refuses=["not_found"],
        answers_with="The ticket now.",
    )
    def get(self, query: dict[str, Any], ticket_id: str) -> TicketShape:
        """Ask for your ticket, or wait until it has a table."""
        return tickets().ticket(asker(), ticket_id, query["wait"])

    @noun.operation(
        "deleteTicket",
        asks=Asks.PLAYER,
        answer=None,
        status=204,
        refuses=["not_found", "ticket_matched"],
        answers_with="It does not wait any more.",
    )
    def delete(self, ticket_id: str) -> None:
        """Wait no longer."""
        tickets().cancel(asker(), ticket_id)
