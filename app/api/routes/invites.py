"""Invite codes."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.locks import ExpectedVersionSchema
from app.api.schemas.tables import TableViewSchema
from app.api.services import tables
from app.tables.shapes import Answer, TableView

noun = Noun("invites", "A code that lets others find a table, private ones too.")


@noun.route("/invites/<code>")
class InviteView(MethodView):
    @noun.operation(
        "getInvite",
        asks=Asks.SPECTATOR,
        answer=TableViewSchema,
        refuses=["not_found"],
        answers_with="The table behind the code.",
    )
    def get(self, code: str) -> TableView:
        """Look at the table behind a code, its rules and who sits there, before sitting down.

        To sit down send the code as `invite_code` to `POST /v1/tables/{table_id}/seats`.
        """
        return tables().invited_to(asker(), code)


@noun.route("/tables/<table_id>/invite")
class TableInviteView(MethodView):
    @noun.operation(
        "renewInvite",
        asks=Asks.PLAYER,
        body=ExpectedVersionSchema,
        answer=TableViewSchema,
        takes_key=True,
        refuses=["not_found", "not_host", "table_not_open", "table_finished"],
        example={"expected_version": 17},
        answers_with="The table; `invite_code` is the new one.",
    )
    def post(self, body: dict[str, Any], table_id: str) -> Answer[TableView]:
        """Make a new invite code; for the host of an open table.

        The old code stops working at once. A public table gets its first code this way.
        """
        return tables().renew_invite(asker(), table_id, idempotency_key(body))
