"""Players and their tokens."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import SET_NAME, Answered, closed, inside, list_of, moment, text
from app.api.schemas.asked import Asked, Long, OneOf, Text, about
from app.tables.names import LONGEST, RULE

PLAYER_KINDS = ("human", "bot")
LABEL = 64
"""Characters of a token's label."""
NAME_ASKED = 500
"""Characters of a name that are looked at; the rule itself is the use case's."""


class NewPlayerSchema(Asked):
    """Who wants to play. No password, no e-mail."""

    name = Text(
        required=True,
        validate=Long(0, NAME_ASKED),
        metadata=about(f"{RULE} Names need not be unique.", examples=["Ana"]),
    )
    kind = Text(
        load_default="human",
        validate=OneOf(PLAYER_KINDS),
        metadata=about("`bot` for a program that plays by itself; others see it.", **{SET_NAME: "PlayerKind"}),
    )


class NewNameSchema(Asked):
    """What may be changed about a player."""

    name = Text(
        required=True,
        validate=Long(0, NAME_ASKED),
        metadata=about(f"1 to {LONGEST} characters: {RULE}", examples=["Ana"]),
    )


class NewTokenSchema(Asked):
    """One more token, for another device."""

    label = Text(
        load_default=None,
        allow_none=True,
        validate=Long(0, LABEL),
        metadata=about("For your own use, to tell tokens apart.", examples=["phone"]),
    )


class UsedLinkSchema(Asked):
    """A link code that another of your devices showed."""

    code = Text(
        required=True,
        validate=Long(1, 64),
        metadata=about("Capitals or not, with or without spaces and hyphens.", examples=["ABCDE-FGHJK"]),
    )
    label = Text(
        load_default=None,
        allow_none=True,
        validate=Long(0, LABEL),
        metadata=about("For your own use, to tell tokens apart.", examples=["phone"]),
    )


class LinkCodeSchema(Answered):
    """A code that lets one more device in as you, once."""

    code = text("Type it on the other device.", example="ABCDEFGHJK")
    expires_at = moment("When it ends.")


class PlayerSchema(Answered):
    """Somebody who plays."""

    id = text("Opaque; it stays the same for ever.")
    name = text("As others see it; not unique.", example="Ana")
    kind = closed("PlayerKind", PLAYER_KINDS, "A person, or a program that plays by itself.")
    created_at = moment("When the player was made.")


class RegisteredPlayerSchema(Answered):
    """A new player with the only copy of the token."""

    player = inside(PlayerSchema, "The new player.")
    token = text("Keep it: only a digest is stored, nobody can tell it again.", example="a5_…")


class TokenSchema(Answered):
    """A token, without its secret."""

    id = text("Opaque.")
    label = text("As given.", null=True)
    created_at = moment("When it was made.")


class NewTokenAnswerSchema(Answered):
    """A new token and the only copy of its secret."""

    id = text("Opaque.")
    label = text("As given.", null=True)
    created_at = moment("When it was made.")
    token = text("Keep it: only a digest is stored.", example="a5_…")


class TokenListSchema(Answered):
    """All tokens of the caller."""

    items = list_of(fields.Nested(TokenSchema), "Oldest first.")
    next_cursor = text("Always null: they fit on one page.", null=True)
