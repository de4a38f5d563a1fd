"""The caller's feed over all of his tables."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.auth import Asks, asker
from app.api.blueprint import Noun, Stream
from app.api.schemas.feed import FeedPageSchema, FeedQuerySchema, FeedStreamQuerySchema
from app.api.services import services
from app.api.streams import SSE, feed_stream
from app.tables.shapes import FeedPage

noun = Noun("feed", "What happens at your tables, all of them in one.")

TABLE_STARTED = (
    '{"seq":1767268800123000,"type":"table_started","at":"2026-01-01T12:00:00Z","table":"T1","version":4,"seat":0,'
    '"deadline":null,"you":null}'
)


@noun.route("/me/events")
class FeedView(MethodView):
    @noun.operation(
        "listMyEvents",
        asks=Asks.PLAYER,
        query=FeedQuerySchema,
        answer=FeedPageSchema,
        refuses=["cursor_ahead"],
        answers_with="What you were told after the cursor; nothing when nothing happened in time.",
    )
    def get(self, query: dict[str, Any]) -> FeedPage:
        """Read what happened at your tables, or wait for it.

        Start with `after=now` (or 0 for all that is kept), go on with `next_after` of each answer.
        """
        return services().feed.events(asker(), **query)


@noun.route("/me/stream")
class FeedStreamView(MethodView):
    @noun.operation(
        "streamMyEvents",
        asks=Asks.PLAYER,
        query=FeedStreamQuerySchema,
        stream=Stream(
            SSE.media_type,
            "Server-sent events: `id` is the FeedEvent's `seq`, `event` its `type`, `data` the FeedEvent as JSON.",
            f"id: 1767268800123000\nevent: table_started\ndata: {TABLE_STARTED}\n\n",
        ),
        refuses=["cursor_ahead"],
        answers_with="What you are told, as it happens.",
    )
    def get(self, query: dict[str, Any]) -> Response:
        """Follow all your tables by server-sent events.

        A bot needs no more than this: `your_turn` brings its holding and its legal moves.
        """
        return feed_stream(query["after"])
