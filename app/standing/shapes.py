"""The shapes clients read of players and boards (API.md): every field is always present, None when it has no value."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from app.engine.ruleset import Seating


class GamesShape(Struct, frozen=True, kw_only=True):
    """How games ended; practice games are not counted."""

    finished: int
    won: int
    lost: int
    drawn: int
    abandoned: int
    """Ended for want of people while this player was gone; not part of `finished`."""


class RatingShape(Struct, frozen=True, kw_only=True):
    ruleset: str
    seating: Seating
    players: tuple[int, ...]
    rating: int
    mu: float
    sigma: float
    rank: int | None
    """None: too few rated games for the board."""
    rated_games: int
    games: GamesShape


class Profile(Struct, frozen=True, kw_only=True):
    """What everybody may know of a player."""

    id: str
    name: str | None
    kind: str
    """human | bot | house_bot"""
    level: str | None
    created_at: datetime | None
    games: GamesShape
    ratings: tuple[RatingShape, ...]


class BoardEntry(Struct, frozen=True, kw_only=True):
    rank: int
    id: str
    name: str | None
    kind: str
    level: str | None
    rating: int
    mu: float
    sigma: float
    rated_games: int
    games: GamesShape


class Leaderboard(Struct, frozen=True, kw_only=True):
    ruleset: str
    seating: Seating
    players: tuple[int, ...]
    least_games: int
    items: tuple[BoardEntry, ...]
    next_cursor: str | None
