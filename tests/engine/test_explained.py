"""Rule sets in words: every field is told, and every worked example counts as the plain counter counts."""

from __future__ import annotations

import pytest

from app.engine.explained import explained
from app.engine.rulesets import RULE_SETS, differences
from tests.engine.naive import NaiveTable

RULES = list(RULE_SETS.values())


@pytest.mark.parametrize("rules", RULES, ids=list(RULE_SETS))
def test_every_worked_example_is_counted_again_by_the_plain_counter(rules) -> None:  # type: ignore[no-untyped-def]
    for example in explained(rules).count_table:
        table = NaiveTable(rules)
        for play in example.plays:
            placed, _, lengthwise = play.partition(" ")
            tile, _, end = placed.partition(">")
            table.lay(tile, end or "lead", bool(lengthwise))
        assert table.count() == example.count, example
        scores = rules.scoring == "fives" and example.count % 5 == 0
        assert example.points == (example.count // rules.points_unit if scores else 0), example


@pytest.mark.parametrize("rules", RULES, ids=list(RULE_SETS))
def test_every_field_is_told_in_a_sentence_and_differences_are_marked(rules) -> None:  # type: ignore[no-untyped-def]
    meanings = explained(rules).meanings
    assert all(line.means.endswith((".", "…")) for line in meanings)
    assert {line.field: line.value for line in meanings if line.differs} == differences(rules)


def test_sentences_of_equal_fields_are_equal_and_of_different_values_different() -> None:
    told: dict[tuple[str, str], set[str]] = {}
    for rules in RULES:
        for line in explained(rules).meanings:
            told.setdefault((line.field, repr(line.value)), set()).add(line.means)
    by_field: dict[str, list[str]] = {}
    for (field, _), sentences in told.items():
        if field not in ("seating", "target"):  # told for the numbers of players that are dealt
            assert len(sentences) == 1, (field, sentences)
            by_field.setdefault(field, []).extend(sentences)
    assert all(len(set(sentences)) == len(sentences) for sentences in by_field.values())
