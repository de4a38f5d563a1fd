"""The table's log as it grows."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from app.api.auth import Asks
from app.api.blueprint import Noun, Stream
from app.api.schemas.streams import StreamQuerySchema
from app.api.streams import LINES, SSE, table_stream

noun = Noun("streams", "A table's log as it grows: the same events as a poll brings, by the same cursor.")

TURN_PASSED = '{"type":"turn_passed","seq":42,"at":"2026-01-01T12:00:00Z","hand":1,"seat":1,"by":"player"}'
PRESENCE = '{"type":"presence","seq":null,"seat":0,"connected":false}'


@noun.route("/tables/<table_id>/stream")
class StreamView(MethodView):
    @noun.operation(
        "streamTable",
        asks=Asks.SPECTATOR,
        query=StreamQuerySchema,
        stream=Stream(
            SSE.media_type,
            "Server-sent events: `id` is the event's `seq`, `event` its `type`, `data` the Event as JSON.",
            f"id: 42\nevent: turn_passed\ndata: {TURN_PASSED}\n\nevent: presence\ndata: {PRESENCE}\n\n",
            ends_with_204=True,
        ),
        refuses=["not_found", "cursor_ahead"],
        answers_with="Events, as they happen.",
    )
    def get(self, query: dict[str, Any], table_id: str) -> Response:
        """Follow a table by server-sent events.

        From the beginning unless told otherwise. `presence` (a player came or went) is no part of the log and has no
        `id`. A comment comes at least every 5 seconds. The server ends a stream now and then: come back with the
        last `id` and you miss nothing. Over a table that is over it closes 60 seconds after the last event.
        """
        return table_stream(table_id, query["after"], SSE)


@noun.route("/tables/<table_id>/events.ndjson")
class LinesView(MethodView):
    @noun.operation(
        "streamTableLines",
        asks=Asks.SPECTATOR,
        query=StreamQuerySchema,
        stream=Stream(
            LINES.media_type,
            "One Event as JSON a line; skip empty lines.",
            f"{TURN_PASSED}\n\n{PRESENCE}\n",
        ),
        refuses=["not_found", "cursor_ahead"],
        answers_with="Events, as they happen.",
    )
    def get(self, query: dict[str, Any], table_id: str) -> Response:
        """Follow a table by lines of JSON.

        One event is one line. An empty line comes at least every 5 seconds: skip it. `presence` has a null `seq`.
        Everything else is as in `streamTable`; a table that is over ends with what is left.
        """
        return table_stream(table_id, query["after"], LINES)
