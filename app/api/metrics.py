"""Counts every answer, and shows all figures at `/metrics`, to whoever asks a web server directly."""

from __future__ import annotations

import time

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST

from app.api.services import services
from app.metrics.instruments import Instruments
from app.tables.refusals import not_found

blueprint = Blueprint("metrics", __name__)

FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP")
"""What a request carries that came through a proxy."""


@blueprint.get("/metrics")
def metrics() -> Response:
    """The figures of all processes.

    A request that a proxy passed on may come from anywhere: for it there is nothing here.
    """
    if any(name in request.headers for name in FORWARDED):
        raise not_found("page")
    return Response(services().metrics.page(), content_type=CONTENT_TYPE_LATEST)


def register(app: Flask, count: Instruments) -> None:
    """Count what this application answers."""

    def begin() -> None:
        g.began = time.perf_counter()

    def finish(response: Response) -> Response:
        rule = request.url_rule
        # The patterns `/v1/tables/<table_id>` and the like: never the path itself.
        route = None if rule is None else rule.rule
        seconds = None if _waited(response) else time.perf_counter() - g.get("began", time.perf_counter())
        count.answered(request.method, route, response.status_code, seconds)
        return response

    app.before_request(begin)
    app.after_request(finish)
    app.register_blueprint(blueprint)


def _waited(response: Response) -> bool:
    """A long-poll that asked to wait, or a stream: its seconds say nothing about how fast we are."""
    return response.is_streamed or "wait" in request.args
