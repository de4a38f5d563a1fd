"""Tells the rule sets: on the terminal, as JSON, or as the pages under `docs/rules`."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.errors import CannotStartError
from app.engine.explained import CountExample, Explanation, explained
from app.engine.ruleset import RuleSet
from app.engine.rulesets import RULE_SETS

PAGES = Path("docs/rules")


@click.command()
@click.argument("ruleset", required=False)
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@click.option("--write", is_flag=True, help=f"Write one page per rule set under {PAGES}.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a page is not what would be written.")
def rulesets(ruleset: str | None, as_json: bool, write: bool, check: bool) -> None:
    """List the rule sets, or explain one."""
    if write or check:
        _pages(check=check)
    elif ruleset is None:
        _list(as_json=as_json)
    elif ruleset not in RULE_SETS:
        raise CannotStartError(f"there is no rule set {ruleset!r}; take one of {', '.join(RULE_SETS)}")
    elif as_json:
        rules = RULE_SETS[ruleset]
        told = {"rules": rules, "explained": explained(rules)}
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    else:
        _explain(RULE_SETS[ruleset])


def page(rules: RuleSet) -> str:
    """The page of a rule set, in Markdown."""
    told = explained(rules)
    return "\n".join(
        [
            f"# {rules.title}",
            "",
            f"`{rules.id}` · {rules.source}",
            "",
            rules.summary,
            "",
            *_differences(told),
            "## Every field",
            "",
            "| field | value | means |",
            "|---|---|---|",
            *(f"| `{line.field}` | `{_value(line.value)}` | {line.means} |" for line in told.meanings),
            "",
            "## What the open ends count",
            "",
            "| end | counts | for example | count | points |",
            "|---|---|---|---|---|",
            *(
                f"| {line.ends} | {line.counts} | {_plays(line, '`')} | {line.count} | {line.points} |"
                for line in told.count_table
            ),
            "",
            "Each play names its tile and the end it is laid on; count and points are those after the last play.",
            f"`POST /v1/rulesets/{rules.id}/layouts` counts any other layout.",
            "",
            "Made by `allfives rulesets --write` from the data the engine plays by.",
            "",
        ]
    )


def index() -> str:
    """The list of all pages, in Markdown."""
    lines = [f"| [{rules.id}]({rules.id}.md) | {rules.title} | {rules.source} | {rules.summary} |" for rules in _all()]
    return "\n".join(
        [
            "# Rule sets",
            "",
            "The same names mean different games in different places. Here each is data, and a table may override any",
            "field as a house rule.",
            "",
            "| id | name | where | what it is |",
            "|---|---|---|---|",
            *lines,
            "",
        ]
    )


def _all() -> list[RuleSet]:
    return list(RULE_SETS.values())


def _differences(told: Explanation) -> list[str]:
    different = [line for line in told.meanings if line.differs]
    if not different:
        return []
    lines = [f"- `{line.field}`: {line.means}" for line in different]
    return ["## How it differs from `all-fives`", "", *lines, ""]


def _value(value: object) -> str:
    """JSON; a word by itself goes without quotes."""
    return value if isinstance(value, str) else json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


def _plays(line: CountExample, quote: str) -> str:
    return " ".join(f"{quote}{play}{quote}" for play in line.plays)


def _pages(*, check: bool) -> None:
    pages = {PAGES / f"{rules.id}.md": page(rules) for rules in _all()} | {PAGES / "README.md": index()}
    for path, text in pages.items():
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise CannotStartError(f"{path} is not what the rules say; `allfives rulesets --write` writes it anew")
    if not check:
        click.echo(f"wrote {len(pages)} pages under {PAGES}")


def _list(*, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(_all()), indent=2).decode())
        return
    table = Table(title="Rule sets", title_justify="left", show_lines=True)
    for heading in ("id", "name", "players", "what it is"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "id")
    for rules in _all():
        table.add_row(rules.id, rules.title, ", ".join(rules.deal), rules.summary)
    Console().print(table)


def _explain(rules: RuleSet) -> None:
    console, told = Console(), explained(rules)
    console.print(f"[bold]{rules.title}[/]  [dim]{rules.id} · {rules.source}[/]\n{rules.summary}\n", highlight=False)
    fields = Table(
        "field", "value", "means", title="Every field; what differs from all-fives is marked", title_justify="left"
    )
    for line in told.meanings:
        fields.add_row(line.field, Text(_value(line.value)), line.means, style="bold yellow" if line.differs else None)
    console.print(fields)
    counts = Table(
        "end", "counts", "for example", "count", "points", title="What the open ends count", title_justify="left"
    )
    for example in told.count_table:
        counts.add_row(example.ends, example.counts, _plays(example, ""), str(example.count), str(example.points))
    console.print(counts)
