"""Who asks: the player behind `Authorization: Bearer <token>`, or a spectator. Tokens are never logged."""

from __future__ import annotations

import re
import time
from enum import Enum
from typing import cast

from flask import g, request

from app.api.addresses import household
from app.api.services import players
from app.tables.refusals import Refusal, unauthenticated
from app.tables.requests import Asker

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200}) *", re.IGNORECASE | re.ASCII)


LONG_AGO = 1.0
"""Seconds after which a long-poll is asked once more who it is from."""


class Asks(Enum):
    """Who may ask."""

    ANYONE = "anyone"
    """The `Authorization` header is not looked at."""
    SPECTATOR = "spectator"
    """No token is needed; with one the answer is the player's own."""
    PLAYER = "player"
    """A token is needed."""


def authenticate(asks: Asks) -> None:
    """Find out who asks. Raises: Refusal `unauthenticated`."""
    g.token_id = None
    g.authenticated_at = time.monotonic()
    g.asker = _nobody() if asks is Asks.ANYONE else _asker()
    if asks is Asks.PLAYER and g.asker.player_id is None:
        raise unauthenticated()


def authenticate_after_waiting(asks: Asks) -> None:
    """The token may have been removed while a long-poll waited; what came meanwhile is not for whoever has it.

    Raises: Refusal `unauthenticated`.
    """
    if "wait" in request.args and time.monotonic() - g.authenticated_at >= LONG_AGO:
        authenticate(asks)


def asker() -> Asker:
    """Who asks this request."""
    return cast("Asker", g.asker)


def _asker() -> Asker:
    header = request.headers.get("Authorization")
    if header is None:
        return _nobody()
    bearer = _BEARER.fullmatch(header)
    if bearer is None:
        raise Refusal("unauthenticated", "The Authorization header must read `Bearer <token>`.")
    found = players().by_token(bearer[1])
    if found is None:
        raise Refusal("unauthenticated", "This token is not known; it may have been removed.")
    player, g.token_id = found
    return Asker(player_id=player.id, name=player.name, kind=player.kind, address=household(request.remote_addr))


def _nobody() -> Asker:
    return Asker(address=household(request.remote_addr))
