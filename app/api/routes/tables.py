"""Tables: open one, find one, look at one."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api import etags
from app.api.answers import located
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.keys import idempotency_key
from app.api.schemas.tables import (
    LobbyQuerySchema,
    NewTableSchema,
    TableListSchema,
    TableQuerySchema,
    TableViewSchema,
    open_table,
)
from app.api.services import tables
from app.tables.shapes import Page

noun = Noun("tables", "A table is seats, a rule set and a game.")


@noun.route("/tables")
class TablesView(MethodView):
    @noun.operation(
        "openTable",
        asks=Asks.PLAYER,
        body=NewTableSchema,
        answer=TableViewSchema,
        status=201,
        takes_key=True,
        example={"ruleset": "all-fives", "players": 2, "bots": [{"seat": 1, "level": "medium"}]},
        answers_with="The table, as you see it.",
    )
    def post(self, body: dict[str, Any]) -> Response:
        """Open a table.

        You sit at seat 0 unless `sit` is false. The game starts by itself when the last seat is filled, so a table with
        bots at all other seats is running when the answer arrives.
        """
        opened = tables().open(asker(), open_table(body), idempotency_key(body))
        return located(opened, 201, f"/v1/tables/{opened.value.id}")

    @noun.operation(
        "listTables",
        asks=Asks.SPECTATOR,
        query=LobbyQuerySchema,
        answer=TableListSchema,
        answers_with="Public tables.",
    )
    def get(self, query: dict[str, Any]) -> Page:
        """List public tables, newest first: the lobby.

        Private and practice tables are never listed.
        """
        return tables().lobby(asker(), **query)


@noun.route("/tables/<table_id>")
class TableView(MethodView):
    @noun.operation(
        "getTable",
        asks=Asks.SPECTATOR,
        query=TableQuerySchema,
        answer=TableViewSchema,
        refuses=["not_found", "cursor_ahead"],
        answers_with="The table, as you may see it.",
    )
    def get(self, query: dict[str, Any], table_id: str) -> Response:
        """Look at a table, or wait until something happens there.

        With `newer_than=<version you have>&wait=25` the answer comes as soon as the table is past that version, and
        after 25 seconds with the same view. Add `until=my_turn` to be called only when you can do something.
        """
        return etags.table_if_changed(asker(), table_id, **query)
