"""The caller: name, tokens, tables."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.answers import LinkCode, NewToken, TokenList
from app.api.auth import Asks, asker
from app.api.blueprint import Noun, Stream
from app.api.exports import LINES, record_lines
from app.api.schemas.players import (
    LinkCodeSchema,
    NewNameSchema,
    NewTokenAnswerSchema,
    NewTokenSchema,
    PlayerSchema,
    TokenListSchema,
)
from app.api.schemas.tables import MyTablesQuerySchema, TableListSchema
from app.api.services import players, tables
from app.tables.register import Player
from app.tables.shapes import Page

noun = Noun("me", "The player whose token you send.")


@noun.route("/me")
class MeView(MethodView):
    @noun.operation("getMe", asks=Asks.PLAYER, answer=PlayerSchema, answers_with="You.")
    def get(self) -> Player:
        """Tell who you are."""
        return players().get(asker())

    @noun.operation(
        "renameMe",
        asks=Asks.PLAYER,
        body=NewNameSchema,
        answer=PlayerSchema,
        example={"name": "Ana María"},
        answers_with="You, under the new name.",
        refuses=["hand_not_finished"],
    )
    def patch(self, body: dict[str, Any]) -> Player:
        """Change your name.

        Tables show the new name at once, also in old events. While a hand is played in which you have a partner it is
        `hand_not_finished`: a name is free text, and partners have no channel.
        """
        return players().rename(asker(), body["name"])

    @noun.operation("deleteMe", asks=Asks.PLAYER, answer=None, status=204, answers_with="You are gone.")
    def delete(self) -> None:
        """Delete yourself.

        You leave every table, your tokens stop working and your name is forgotten. Logs keep only your id.
        """
        players().delete(asker())


@noun.route("/me/tokens")
class TokensView(MethodView):
    @noun.operation("listMyTokens", asks=Asks.PLAYER, answer=TokenListSchema, answers_with="Your tokens.")
    def get(self) -> TokenList:
        """List your tokens, without their secrets."""
        return TokenList(items=tuple(players().tokens(asker())))

    @noun.operation(
        "createMyToken",
        asks=Asks.PLAYER,
        body=NewTokenSchema,
        answer=NewTokenAnswerSchema,
        status=201,
        example={"label": "phone"},
        answers_with="The token, and the only copy of its secret.",
    )
    def post(self, body: dict[str, Any]) -> NewToken:
        """Make one more token, for another device.

        An answer that holds a token is never stored, so an `Idempotency-Key` has no effect here.
        """
        token, secret = players().add_token(asker(), body["label"])
        return NewToken(id=token.id, label=token.label, created_at=token.created_at, token=secret)


@noun.route("/me/tokens/<token_id>")
class TokenView(MethodView):
    @noun.operation(
        "deleteMyToken", asks=Asks.PLAYER, answer=None, status=204, refuses=["not_found"], answers_with="It is gone."
    )
    def delete(self, token_id: str) -> None:
        """Remove a token; whoever uses it is signed out at once."""
        players().remove_token(asker(), token_id)


@noun.route("/me/records")
class MyRecordsView(MethodView):
    @noun.operation(
        "exportMyRecords",
        asks=Asks.PLAYER,
        stream=Stream(
            LINES,
            "One GameRecord as JSON a line.",
            '{"format":"all-fives-record/1","table":"…","hands":[],"result":null}\n',
            resumes=False,
        ),
        answers_with="Records, newest first.",
    )
    def get(self) -> Response:
        """Take all your finished games along: one record a line, as `getRecord` gives it.

        Games are kept for seven days after their end. `allfives verify` judges what you save.
        """
        return record_lines(tables().records(asker()))


@noun.route("/me/link-code")
class LinkCodeView(MethodView):
    @noun.operation(
        "createMyLinkCode",
        asks=Asks.PLAYER,
        answer=LinkCodeSchema,
        status=201,
        answers_with="The code, and when it ends.",
    )
    def post(self) -> LinkCode:
        """Make a code that lets one more device in as you.

        Type it on the other device within ten minutes: `POST /v1/players/link`. It works once; a newer code ends it.
        The answer is never stored, so an `Idempotency-Key` has no effect here.
        """
        code, expires_at = players().link_code(asker())
        return LinkCode(code=code, expires_at=expires_at)


@noun.route("/me/tables")
class MyTablesView(MethodView):
    @noun.operation(
        "listMyTables",
        asks=Asks.PLAYER,
        query=MyTablesQuerySchema,
        answer=TableListSchema,
        answers_with="Tables you sit or sat at.",
    )
    def get(self, query: dict[str, Any]) -> Page:
        """List your tables, newest first.

        `your_turn` tells where you are to move.
        """
        return tables().of_player(asker(), **query)
