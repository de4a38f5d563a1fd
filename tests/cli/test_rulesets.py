"""`allfives rulesets`: on the terminal, for machines, as pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from app.engine.rulesets import RULE_SETS

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["rulesets", *arguments], env={"COLUMNS": "200"})
    return done.exit_code, done.output


def test_the_list_names_every_rule_set() -> None:
    code, output = run()
    assert code == 0
    assert all(ruleset_id in output for ruleset_id in RULE_SETS)


def test_one_is_explained_with_its_values_and_examples() -> None:
    code, output = run("sniff")
    assert code == 0
    assert "lengthwise_choice" in output
    assert '{"2": ["solo"]' in output, "what looks like markup is shown as it is"
    assert "44>64.right lengthwise" in output


def test_machines_get_json() -> None:
    assert [rules["id"] for rules in json.loads(run("--json")[1])] == list(RULE_SETS)
    told = json.loads(run("five-up", "--json")[1])
    assert told["rules"]["points_unit"] == 5
    assert told["explained"]["count_table"]


def test_an_unknown_one_is_one_line_that_says_which_there_are() -> None:
    code, output = run("six-up")
    assert code == 1
    assert "all-fives" in output
    assert len(output.strip().splitlines()) == 1


def test_the_pages_are_what_the_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run("--check") == (0, "")


def test_a_page_that_differs_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("--write")[0] == 0
    (tmp_path / "docs/rules/sniff.md").write_text("something else")
    code, output = run("--check")
    assert code == 1
    assert "sniff.md" in output
