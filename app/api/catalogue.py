"""The rule sets as clients read them: every field, the differences from `all-fives`, what plays come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.engine.calculator import Calculation, Laying, calculate
from app.engine.rulesets import RULE_SETS, RuleSet, differences, resolve
from app.tables.refusals import not_found


class Described(RuleSet, frozen=True, kw_only=True):
    """A rule set and its differences from `all-fives`."""

    differs: dict[str, object]


class RuleSetList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Described, ...]
    next_cursor: str | None = None


def _described(rules: RuleSet) -> Described:
    fields: dict[str, Any] = msgspec.structs.asdict(rules)
    return Described(**fields, differs=differences(rules))


def all_rulesets() -> RuleSetList:
    return RuleSetList(items=tuple(_described(rules) for rules in RULE_SETS.values()))


def ruleset(ruleset_id: str) -> Described:
    """Raises: Refusal `not_found`."""
    rules = RULE_SETS.get(ruleset_id)
    if rules is None:
        raise not_found("rule set")
    return _described(rules)


def laid_out(ruleset_id: str, body: Mapping[str, Any]) -> Calculation:
    """What the plays come to. Raises: Refusal `not_found`, InvalidRules, RuleViolation naming the step."""
    rules, seating = resolve(ruleset(ruleset_id).id, body["players"], None, body["house_rules"])
    plays = [Laying(**play) for play in body["plays"]]
    return calculate(rules, body["players"], seating, plays, body["holding"])
