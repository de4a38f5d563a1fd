"""Asking one player to come and play."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.answers import located
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.invitations import DeclinedSchema, InvitationListSchema, InvitationSchema, NewInvitationSchema
from app.api.schemas.tables import TableViewSchema
from app.api.services import tables
from app.tables.shapes import Answer, Invitation, InvitationList, TableView

noun = Noun("invitations", "One player asks another to a table.")


@noun.route("/tables/<table_id>/invitations")
class TableInvitationsView(MethodView):
    @noun.operation(
        "invitePlayer",
        asks=Asks.PLAYER,
        body=NewInvitationSchema,
        answer=InvitationSchema,
        status=201,
        takes_key=True,
        refuses=["not_found", "not_seated", "already_seated", "table_not_open", "table_finished"],
        example={"player": "5f3c9a0b1d2e4f6071829304"},
        answers_with="The invitation.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Response:
        """Ask a player to come; for the host and those who sit at an open table.

        It may be answered for 30 minutes and keeps no seat. Asking the same player again starts the time anew.
        """
        invited = tables().invite(asker(), table_id, body["player"], idempotency_key(body))
        return located(invited, 201, f"/v1/invitations/{invited.value.id}")


@noun.route("/me/invitations")
class MyInvitationsView(MethodView):
    @noun.operation(
        "listMyInvitations", asks=Asks.PLAYER, answer=InvitationListSchema, answers_with="What you may answer."
    )
    def get(self) -> InvitationList:
        """List the invitations you may answer, newest first."""
        return tables().invitations(asker())


@noun.route("/invitations/<invitation_id>")
class InvitationView(MethodView):
    @noun.operation(
        "getInvitation", asks=Asks.PLAYER, answer=InvitationSchema, refuses=["not_found"], answers_with="It."
    )
    def get(self, invitation_id: str) -> Invitation:
        """Look at an invitation that waits for its answer: yours, or one of a table you sit at."""
        return tables().invitation(asker(), invitation_id)


@noun.route("/invitations/<invitation_id>/accept")
class AcceptView(MethodView):
    @noun.operation(
        "acceptInvitation",
        asks=Asks.PLAYER,
        answer=TableViewSchema,
        takes_key=True,
        refuses=["not_found", "table_full"],
        answers_with="The table, your seat in it.",
    )
    def post(self, invitation_id: str) -> Answer[TableView]:
        """Come, and sit down at the first free seat."""
        return tables().accept(asker(), invitation_id, idempotency_key({}))


@noun.route("/invitations/<invitation_id>/decline")
class DeclineView(MethodView):
    @noun.operation(
        "declineInvitation",
        asks=Asks.PLAYER,
        body=DeclinedSchema,
        answer=None,
        status=204,
        takes_key=True,
        refuses=["not_found"],
        example={"reason": "not_now"},
        answers_with="The table has been told.",
    )
    def post(self, body: dict[str, Any], invitation_id: str) -> Answer[None]:
        """Do not come, and say why by one of a few reasons.

        Whoever asked you reads it in the table's log.
        """
        return tables().decline(asker(), invitation_id, body["reason"], idempotency_key(body))
