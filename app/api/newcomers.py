"""From nobody to a seat in a running game: a player is made only when nothing is left to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from app.api.answers import PracticeStarted, located
from app.api.auth import asker
from app.api.keys import idempotency_key
from app.api.schemas.practice import open_practice
from app.api.services import players, tables
from app.bots.levels import LEVELS
from app.engine.rulesets import resolve
from app.tables.opening import check_level
from app.tables.requests import Asker


def start_practice(body: Mapping[str, Any]) -> Response:
    """Seat the caller, or a new player of that name. Raises: InvalidRules, Refusal."""
    request = open_practice(body)
    known = asker()
    if known.player_id is not None:
        answer = tables().practice(known, request, idempotency_key(body))
        started = PracticeStarted(player=players().get(known), token=None, table=answer.value)
        return located(started, 201, f"/v1/tables/{answer.value.id}", replayed=answer.replayed)
    resolve(request.ruleset, request.players, None, {})
    check_level(request.level, LEVELS, "/level")
    player, token = players().register(known, body["name"], "human")
    table = tables().practice(Asker(player_id=player.id, name=player.name, kind=player.kind), request, None).value
    return located(PracticeStarted(player=player, token=token, table=table), 201, f"/v1/tables/{table.id}")
