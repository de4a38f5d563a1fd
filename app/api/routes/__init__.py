"""Views, one file per noun: decorators and a line or two. What they raise is mapped in `app.api.problems`."""

from __future__ import annotations

from app.api.routes import (
    events,
    feed,
    hands,
    leaderboards,
    me,
    moves,
    options,
    players,
    practice,
    rulesets,
    seats,
    streams,
    tables,
)

NOUNS = (
    practice.noun,
    players.noun,
    me.noun,
    feed.noun,
    options.noun,
    rulesets.noun,
    tables.noun,
    seats.noun,
    moves.noun,
    events.noun,
    streams.noun,
    hands.noun,
    leaderboards.noun,
)
"""In the order of the document."""
