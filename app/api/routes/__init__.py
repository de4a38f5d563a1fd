"""Views, one file per noun: decorators and a line or two. What they raise is mapped in `app.api.problems`."""

from __future__ import annotations

from app.api.routes import (
    analyses,
    events,
    feed,
    hands,
    invitations,
    invites,
    leaderboards,
    me,
    more_time,
    moves,
    options,
    players,
    practice,
    premoves,
    rematches,
    rulesets,
    seats,
    streams,
    tables,
    tickets,
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
    invites.noun,
    invitations.noun,
    tickets.noun,
    moves.noun,
    premoves.noun,
    more_time.noun,
    events.noun,
    streams.noun,
    hands.noun,
    analyses.noun,
    rematches.noun,
    leaderboards.noun,
)
"""In the order of the document."""
