"""Judges records offline: deals, moves, counts, points, scores, results; says what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterator

import click
import msgspec

from app.cli.games import games_in, told_of, wrong_in
from app.cli.progress import progress_bar
from app.records.findings import Finding, Report
from app.records.reading import Read


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--commitment", metavar="HEX", help="What the table was committed to when you looked, before the first deal."
)
@click.option("--json", "as_json", is_flag=True, help="For machines: one JSON object a game, on a line of its own.")
@click.option("--quiet", is_flag=True, help="Only what is wrong, and no progress.")
@click.pass_context
def verify(
    context: click.Context, files: tuple[str, ...], *, commitment: str | None, as_json: bool, quiet: bool
) -> None:
    """Check records of games; exit 1 if anything is wrong.

    A FILE holds a record as JSON, several as NDJSON (a record a line), or the text notation; `-` is standard input.
    Nothing is asked of any server: the deal is made again from its proof, and every move is judged by the rules.
    """
    right = wrong = hands = moves = 0
    with progress_bar(quiet=quiet or as_json) as progress:
        task = progress.add_task("judging", total=None)
        for name, read in _all(files):
            report = _held_to(commitment, read)
            hands, moves = hands + report.hands, moves + report.moves
            right, wrong = right + report.is_right, wrong + (not report.is_right)
            progress.update(task, advance=1, description=f"{hands:,} hands, {wrong} games wrong")
            for line in _machine(name, read, report) if as_json else _told(name, read, report, quiet=quiet):
                click.echo(line)
    if not as_json and not quiet:
        click.echo(f"Games: {right + wrong:,}, wrong: {wrong:,}. Hands: {hands:,}, moves: {moves:,}.")
    if wrong:
        context.exit(1)


def _held_to(commitment: str | None, read: Read) -> Report:
    """The judgement of a game; it must also be the one that was committed to, where somebody knows what that was."""
    report = read.report()
    if commitment is None or read.record is None or read.record.commitment == commitment.lower():
        return report
    other = Finding(what="commitment", expected=commitment, found=read.record.commitment)
    return msgspec.structs.replace(report, findings=(other, *report.findings))


def _all(files: tuple[str, ...]) -> Iterator[tuple[str, Read]]:
    for name in files:
        for read in games_in(name):
            yield name, read


def _told(name: str, read: Read, report: Report, *, quiet: bool) -> Iterator[str]:
    if report.is_right and not quiet:
        yield told_of(name, read, report, f"right ({report.hands} hands, {report.moves} moves)")
    yield from wrong_in(name, read, report)
    if not quiet:
        yield from (told_of(name, read, report, f"note: {note}") for note in report.notes)


class _Wrong(Finding, frozen=True, kw_only=True):
    """A finding with its sentence."""

    text: str


def _machine(name: str, read: Read, report: Report) -> Iterator[str]:
    findings = [_Wrong(**msgspec.structs.asdict(finding), text=str(finding)) for finding in report.findings]
    told = {
        "source": f"{name}:{read.line}",
        "table": report.table or None,
        "right": report.is_right,
        "hands": report.hands,
        "moves": report.moves,
        "finished": read.record is not None and read.record.result is not None,
        "findings": findings,
        "notes": report.notes,
    }
    yield msgspec.json.encode(told).decode()
