"""Whether this process lives, and whether it can serve: for load balancers and supervisors."""

from __future__ import annotations

from flask import Blueprint, Response

from app.api.answers import answered
from app.api.problems import problem
from app.api.services import services

blueprint = Blueprint("health", __name__)


@blueprint.get("/livez")
def livez() -> Response:
    """The process answers."""
    return answered({"status": "ok"}, 200)


@blueprint.get("/readyz")
def readyz() -> Response:
    """The process can serve; else 503 with what is missing."""
    missing = services().ready()
    if missing:
        return problem("not_ready", " ".join(missing), params={"problems": missing}, headers={"Retry-After": "1"})
    return answered({"status": "ok"}, 200)
