"""Registering players."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.answers import Registered
from app.api.auth import Asks, asker
from app.api.blueprint import Noun
from app.api.schemas.players import NewPlayerSchema, RegisteredPlayerSchema, UsedLinkSchema
from app.api.schemas.standing import ProfileSchema
from app.api.services import players, standing
from app.standing.shapes import Profile

noun = Noun("players", "Whoever plays is a player with a token. No password, no e-mail.")


@noun.route("/players")
class PlayersView(MethodView):
    @noun.operation(
        "createPlayer",
        asks=Asks.ANYONE,
        body=NewPlayerSchema,
        answer=RegisteredPlayerSchema,
        status=201,
        example={"name": "Ana", "kind": "human"},
        answers_with="The player, and the only copy of the token.",
    )
    def post(self, body: dict[str, Any]) -> Registered:
        """Make a player.

        The answer holds the token: send it as `Authorization: Bearer <token>` from now on and keep it safe. It is told
        only once. A lost answer costs nothing but a player nobody uses. Keep the token and come back with it: only so
        many players an hour are made for one address (of IPv6: one /64 network), then the answer is 429.
        """
        player, token = players().register(asker(), body["name"], body["kind"])
        return Registered(player=player, token=token)


@noun.route("/players/link")
class LinkView(MethodView):
    @noun.operation(
        "linkPlayer",
        asks=Asks.ANYONE,
        body=UsedLinkSchema,
        answer=RegisteredPlayerSchema,
        status=201,
        refuses=["not_found"],
        example={"code": "ABCDE-FGHJK", "label": "phone"},
        answers_with="The player, and the only copy of this device's token.",
    )
    def post(self, body: dict[str, Any]) -> Registered:
        """Come in as a player you are on another device, by its link code.

        The code is used up by it. The answer holds a token and is never stored: if it is lost, make a new code.
        """
        player, token = players().link(asker(), body["code"], body["label"])
        return Registered(player=player, token=token)


@noun.route("/players/<player:player_id>")
class PlayerView(MethodView):
    @noun.operation(
        "getPlayer", asks=Asks.ANYONE, answer=ProfileSchema, refuses=["not_found"], answers_with="The player."
    )
    def get(self, player_id: str) -> Profile:
        """Look at a player: name, games and ratings.

        `bot:<level>` is one of our own bots. A deleted player has no name, no games and no ratings any more.
        """
        return standing().profile(player_id)
