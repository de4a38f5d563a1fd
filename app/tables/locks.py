"""The optimistic lock: a write that names the version it was decided on is done on that version or not at all.

API.md's order: what can be said without it (who sits here, what the table is doing, whose turn it is) is said first.
The version comes before the rules, so that nobody is told what is wrong with a move he decided on another state.
"""

from __future__ import annotations

from collections.abc import Callable

from app.engine.errors import RuleViolation
from app.tables.askers import own_moves
from app.tables.draft import Draft
from app.tables.ports import Loaded
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.table import Table

Judge = Callable[[Loaded, Draft], None]
"""Writes what follows from a request into the draft, or raises."""
BEFORE_THE_VERSION = frozenset(
    {
        "unauthenticated",
        "not_found",
        "invalid",
        "rate_limited",
        "not_seated",
        "not_host",
        "table_not_open",
        "game_not_started",
        "table_finished",
        "table_not_finished",
        "stand_in_plays",
        "hand_over",
        "not_your_turn",
    }
)
"""Refusals that hold whatever version was expected."""


def at_version(expected: int | None, asker: Asker, judge: Judge) -> Judge:
    """The same judge, for the version that is expected alone; None: for whatever is there now.

    Raises (the judge that is returned): Refusal `version_conflict`, with what the asker may do now.
    """
    if expected is None:
        return judge

    def judge_this_version(loaded: Loaded, draft: Draft) -> None:
        try:
            judge(loaded, draft)
        except (Refusal, RuleViolation) as refusal:
            if refusal.code not in BEFORE_THE_VERSION:
                check_version(loaded.table, asker, expected)
            raise
        check_version(loaded.table, asker, expected)

    return judge_this_version


def check_version(table: Table, asker: Asker, expected: int | None) -> None:
    """Raises: Refusal `version_conflict`."""
    if expected is None or expected == table.version:
        return
    raise Refusal(
        "version_conflict",
        f"The table is at version {table.version}, not {expected}: look at it again, then decide.",
        params={"expected": expected, "version": table.version},
        version=table.version,
        legal_moves=own_moves(table, asker),
    )
