"""Tells what every move of recorded games cost, offline: a table a hand, or JSON."""

from __future__ import annotations

from collections.abc import Iterator

import click
import msgspec
from rich.console import Console, Group, RenderableType
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text

from app.analysis.hands import moments
from app.analysis.reckoning import Done, carry_on, concluded, seats_of
from app.analysis.shapes import Alternative, HandAnalysis, MoveAnalysis, SeatAnalysis
from app.cli.games import games_in
from app.cli.progress import progress_bar
from app.records.findings import Report
from app.tables.shapes import FinishedHand, GameRecord

ONE_MOVE = 1
"""Effort of a piece that ends after every move, so that the bar moves."""
WIDTH = 110
"""Columns where there is no terminal to ask."""


class GameAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a file, for machines."""

    source: str
    table: str
    hands: tuple[HandAnalysis, ...]
    seats: tuple[SeatAnalysis, ...]
    """Over all hands."""
    findings: tuple[str, ...] = ()
    """Why the game was not analysed: what is wrong with its record."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--hand", type=click.IntRange(1), help="Only the hand of this number.")
@click.option("--table", "table_id", help="Only the game of this table, where a file has several.")
@click.option("--json", "as_json", is_flag=True, help="For machines: one JSON object a game, on a line of its own.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.pass_context
def analyse(
    context: click.Context,
    files: tuple[str, ...],
    *,
    hand: int | None,
    table_id: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Tell what every move of recorded games cost against the best one.

    A FILE is what `allfives verify` takes, and is verified first: a game that is not right is not analysed, what is
    wrong with it is said, and the exit is 1. Where a hand can be solved with all tiles open a cost is exact, else it is
    an estimate from what the seat could know, with its standard error. docs/analysis.md explains the figures.
    """
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH)
    told = wrong = 0
    with progress_bar(quiet=quiet) as progress:
        for name in files:
            for read in games_in(name):
                record = read.record
                if record is not None and table_id not in (None, record.table):
                    continue
                source = f"{name}:{read.line}"
                report = read.report()
                if record is None or not report.is_right:
                    wrong += 1
                    _tell_wrong(source, report, as_json=as_json)
                    continue
                hands = [one for one in record.hands if hand in (None, one.number)]
                if not hands:
                    continue
                told += len(hands)
                game = _of_game(source, record, hands, progress)
                if as_json:
                    click.echo(msgspec.json.encode(game))
                else:
                    console.print(Text(_headline(record, game), style="bold"), soft_wrap=True)
                    console.print(_shown(game))
    if wrong or not told:
        if not wrong:
            click.echo("allfives: there is no such game or hand in what was read", err=True)
        context.exit(1)


def _tell_wrong(source: str, report: Report, *, as_json: bool) -> None:
    """What is wrong with a record, as `allfives verify` says it."""
    findings = tuple(str(finding) for finding in report.findings)
    if as_json:
        click.echo(
            msgspec.json.encode(GameAnalysis(source=source, table=report.table, hands=(), seats=(), findings=findings))
        )
        return
    name = f"{source} table {report.table}" if report.table else source
    for finding in findings:
        click.echo(f"{name}: {finding}")


def _of_game(source: str, record: GameRecord, hands: list[FinishedHand], progress: Progress) -> GameAnalysis:
    task = progress.add_task(f"table {record.table}", total=None)
    analysed = tuple(_of_hand(record, hand, progress, task) for hand in hands)
    progress.remove_task(task)
    moves = [move for one in analysed for move in one.moves]
    seats = seats_of([place.side for place in record.seats], moves)
    return GameAnalysis(source=source, table=record.table, hands=analysed, seats=seats)


def _of_hand(record: GameRecord, hand: FinishedHand, progress: Progress, task: TaskID) -> HandAnalysis:
    made = moments(hand, record.ruleset, record.players, record.seating)
    progress.update(task, description=f"hand {hand.number}", completed=0, total=len(made))
    done: Done = ()
    while len(done) < len(made):
        done = carry_on(made, done, piece=ONE_MOVE)
        progress.update(task, completed=len(done))
    return concluded(made, done)


def _headline(record: GameRecord, game: GameAnalysis) -> str:
    return f"{game.source} table {game.table}: {record.ruleset.id}, {record.players} {record.seating}"


def _shown(game: GameAnalysis) -> RenderableType:
    return Group(*(_hand(hand) for hand in game.hands), _seats(game.seats))


def _hand(hand: HandAnalysis) -> Table:
    table = Table(title=f"Hand {hand.hand}", title_justify="left")
    for column in ("move", "seat"):
        table.add_column(column, justify="right")
    table.add_column("played")
    table.add_column("points", justify="right")
    table.add_column("best")
    for column in ("cost", "±", "could know"):
        table.add_column(column, justify="right")
    table.add_column("how")
    for move in hand.moves:
        table.add_row(*_row(move), style="bold" if move.cost and move.cost > 2 * (move.error or 0) else None)
    return table


def _row(move: MoveAnalysis) -> Iterator[str]:
    best = move.alternatives[0] if move.alternatives else None
    yield str(move.move)
    yield str(move.seat)
    yield _placed(move) if move.action == "play" else move.action
    yield str(move.points) if move.points else ""
    yield "" if best is None or best.chosen else f"{_placed(best)}{f' +{best.points}' if best.points else ''}"
    if move.forced:
        yield from ("", "", "", "forced")
        return
    yield f"{move.cost:g}"
    yield "" if move.error is None else f"{move.error:g}"
    yield f"{move.expected_cost:g}" + ("" if move.expected_error is None else f" ± {move.expected_error:g}")
    yield move.method


def _placed(play: MoveAnalysis | Alternative) -> str:
    """As the notation has it.

    >>> from msgspec import convert
    >>> values = dict(points=0, chosen=True, expected=0.0, error=None, game=0.0, open=None, open_game=None)
    >>> _placed(convert({"tile": "50", "end": "55.up", "lengthwise": False, **values}, Alternative))
    '50>55.up'
    """
    on = "" if play.end in (None, "lead") else f">{play.end}"
    return f"{play.tile}{on}{'~' if play.lengthwise else ''}"


def _seats(seats: tuple[SeatAnalysis, ...]) -> Table:
    table = Table(title="Cost of all moves", title_justify="left")
    for column in ("seat", "choices", "exact", "cost", "exact cost", "estimated cost", "could know", "a choice"):
        table.add_column(column, justify="right")
    for seat in seats:
        each = seat.expected_cost / seat.choices if seat.choices else 0.0
        figures = (seat.cost, seat.exact_cost, seat.estimated_cost, seat.expected_cost, round(each, 2))
        table.add_row(str(seat.seat), str(seat.choices), str(seat.exact), *(f"{figure:g}" for figure in figures))
    return table
