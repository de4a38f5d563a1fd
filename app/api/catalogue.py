"""The rule sets as clients read them: every field, the differences from `all-fives`, what plays come to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from app.engine.calculator import Calculation, Laying, calculate
from app.engine.explained import CountExample, FieldMeaning, explained
from app.engine.rulesets import RULE_SETS, RuleSet, differences, resolve
from app.tables.refusals import not_found


class Described(RuleSet, frozen=True, kw_only=True):
    """A rule set, its differences from `all-fives`, and all of it in words."""

    differs: dict[str, object]
    meanings: tuple[FieldMeaning, ...]
    count_table: tuple[CountExample, ...]


class RuleSetList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Described, ...]
    next_cursor: str | None = None


@cache
def _described(ruleset_id: str) -> Described:
    rules = RULE_SETS[ruleset_id]
    values: dict[str, Any] = msgspec.structs.asdict(rules)
    told = explained(rules)
    return Described(**values, differs=differences(rules), meanings=told.meanings, count_table=told.count_table)


def all_rulesets() -> RuleSetList:
    return RuleSetList(items=tuple(_described(ruleset_id) for ruleset_id in RULE_SETS))


def ruleset(ruleset_id: str) -> Described:
    """Raises: Refusal `not_found`."""
    if ruleset_id not in RULE_SETS:
        raise not_found("rule set")
    return _described(ruleset_id)


def laid_out(ruleset_id: str, body: Mapping[str, Any]) -> Calculation:
    """What the plays come to. Raises: Refusal `not_found`, InvalidRules, RuleViolation naming the step."""
    rules, seating = resolve(ruleset(ruleset_id).id, body["players"], None, body["house_rules"])
    plays = [Laying(**play) for play in body["plays"]]
    return calculate(rules, body["players"], seating, plays, body["holding"])
