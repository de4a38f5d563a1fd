"""Which tables leave a mark on their players' standing. `app.standing` works the mark out."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.events import GameEnded
from app.engine.house_rules import as_played
from app.engine.rulesets import RULE_SETS
from app.tables.events import TableEvent
from app.tables.table import Table


def is_rated(table: Table) -> bool:
    """Whether a result here changes ratings: at public tables that play a rule set as it is written.

    Not at private ones, where one could choose whom to beat, and not where a house bot forgets its points on purpose:
    it does not play like its level then. Nor can bots of one level say anything about themselves. House rules that
    have no effect at this table change nothing.
    """
    if table.practice or table.visibility != "public" or not _plays_its_rule_set(table):
        return False
    bots = [seat.occupant for seat in table.seats if seat.occupant.kind == "house_bot"]
    if table.rules.claim and any(bot.forgetfulness for bot in bots):
        return False
    return len(bots) < len(table.seats) or len({bot.level for bot in bots}) > 1


def _plays_its_rule_set(table: Table) -> bool:
    ruleset = RULE_SETS.get(table.ruleset.id)
    if ruleset is None or table.rules == ruleset:
        return ruleset is not None
    return as_played(table.rules, table.players, table.seating) == as_played(ruleset, table.players, table.seating)


def ends_a_game(table: Table, events: Iterable[TableEvent]) -> bool:
    """Whether these events end a game that counts for its players: any but a practice game."""
    return not table.practice and any(isinstance(event, GameEnded) for event in events)
