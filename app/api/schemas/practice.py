"""A game against bots, at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.api import limits
from app.api.schemas.answered import Answered, inside, text
from app.api.schemas.asked import Asked, Between, Long, Text, WholeNumber, about
from app.api.schemas.players import NAME_ASKED, PlayerSchema
from app.api.schemas.tables import TableViewSchema
from app.tables.requests import OpenPractice


class NewPracticeSchema(Asked):
    """A game against bots, at once. The body may be left out."""

    ruleset = Text(load_default="all-fives", validate=Long(1, 64), metadata=about("See `GET /v1/rulesets`."))
    players = WholeNumber(
        load_default=2,
        validate=Between(limits.PLAYERS.min, limits.PLAYERS.max),
        metadata=about("Seats; bots take all but yours."),
    )
    level = Text(load_default="medium", validate=Long(1, 40), metadata=about("Of the bots; see `GET /v1/options`."))
    name = Text(
        load_default="Guest",
        validate=Long(0, NAME_ASKED),
        metadata=about("Name of the player that is made for you; not used when you send a token."),
    )


def open_practice(body: Mapping[str, Any]) -> OpenPractice:
    return OpenPractice(ruleset=body["ruleset"], players=body["players"], level=body["level"])


class PracticeStartedSchema(Answered):
    """Your seat in a running game."""

    player = inside(PlayerSchema, "You.")
    token = text("Yours from now on, told only here; null when you sent one.", null=True, example="a5_…")
    table = inside(TableViewSchema, "The game, and your seat in it.")
