"""Players as everybody may see them, and boards."""

from __future__ import annotations

from marshmallow import fields

from app.api import limits
from app.api.schemas.answered import Answered, closed, inside, list_of, moment, number, text, whole
from app.api.schemas.asked import Between, OneOf, QueryWhole, Text, about
from app.api.schemas.queries import CursorSchema
from app.api.schemas.rulesets import SEATINGS

PROFILE_KINDS = ("human", "bot", "house_bot")
_ID = "A player's id, or `bot:` and a level for one of our own bots."
_NAME = "The player's name now; null for our own bots and deleted players."
_LEVEL = "Level of one of our own bots; open set. Null for players."
_RATING = "1,000 + 40 (mu - 3 sigma): it rises with skill, and as doubt goes. 1,000 is where everybody begins."
_PLAYERS = "Numbers of players whose games count here; tables of three and four, each alone, are rated together."


class LeaderboardQuerySchema(CursorSchema):
    """Which board, and which page of it."""

    players = QueryWhole(
        load_default=int(limits.PLAYERS.default or 2),
        validate=Between(limits.PLAYERS.min, limits.PLAYERS.max),
        metadata=about("Seats; 3 and 4, each alone, have one board."),
    )
    seating = Text(
        load_default=None,
        validate=OneOf(SEATINGS),
        metadata=about("Each alone, or in pairs. Left out: as the rule set has it for so many players."),
    )


class GameCountsSchema(Answered):
    """How games ended. Practice games are not counted."""

    finished = whole("Games that came to a result: won, lost and drawn.")
    won = whole("Alone in the first place.")
    lost = whole("Any other place, or gone at the end: a stand-in sat there, or made most of the plays.")
    drawn = whole("Sharing the first place.")
    abandoned = whole("Games that ended for want of people, this player being gone; not part of `finished`.")


class RatingSchema(Answered):
    """A rating in one rule set and way of sitting."""

    ruleset = text("Id of the rule set.", example="all-fives")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs.")
    players = list_of(fields.Integer(), _PLAYERS)
    rating = whole(_RATING)
    mu = number("Estimated skill; 25 at first.")
    sigma = number("Doubt about it; 8.333 at first.")
    rank = whole("Place on the board, 1 is best, equal ratings share one; null: too few rated games.", null=True)
    rated_games = whole("Games that changed the rating.")
    games = inside(GameCountsSchema, "Games here, unrated ones too.")


class ProfileSchema(Answered):
    """What everybody may know of a player."""

    id = text(_ID)
    name = text(_NAME, null=True, example="Ana")
    kind = closed("ProfileKind", PROFILE_KINDS, "A person, a program with a token, or one of our own bots.")
    level = text(_LEVEL, null=True, example="medium")
    created_at = moment("When the player was made; null for our own bots and deleted players.", null=True)
    games = inside(GameCountsSchema, "Over all rule sets.")
    ratings = list_of(fields.Nested(RatingSchema), "Where there are rated games; empty for deleted players.")


class BoardEntrySchema(Answered):
    """A place on a board."""

    rank = whole("1 is best; equal ratings share one.")
    id = text(_ID)
    name = text(_NAME, null=True, example="Ana")
    kind = closed("ProfileKind", PROFILE_KINDS, "A person, a program with a token, or one of our own bots.")
    level = text(_LEVEL, null=True, example="medium")
    rating = whole(_RATING)
    mu = number("Estimated skill.")
    sigma = number("Doubt about it.")
    rated_games = whole("Games that changed the rating.")
    games = inside(GameCountsSchema, "Games here, unrated ones too.")


class LeaderboardSchema(Answered):
    """A page of the board; it may be short even if more follow."""

    ruleset = text("Id of the rule set.", example="all-fives")
    seating = closed("Seating", SEATINGS, "Each alone, or in pairs.")
    players = list_of(fields.Integer(), _PLAYERS)
    least_games = whole("Rated games one needs for a place here.")
    items = list_of(fields.Nested(BoardEntrySchema), "Best first.")
    next_cursor = text("Send it as `cursor` for the next page; null: this is the last.", null=True)
