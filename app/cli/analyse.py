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
from app.cli.games import games_in, wrong_in
from app.cli.progress import progress_bar
from app.plain import plain
from app.records.findings import Report
from app.records.notation import placed
from app.records.reading import Read
from app.tables.shapes import FinishedHand, GameRecord

ESTIMATED = "≈"
"""Stands before a cost that is not exact."""
ONE_MOVE = 1
"""Effort of a piece that ends after every move, so that the bar moves."""


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
    told = wrong = 0
    with progress_bar(quiet=quiet) as progress:
        for name in files:
            for read in games_in(name):
                record = read.record
                if record is not None and table_id not in (None, record.table):
                    continue
                report = read.report()
                if record is None or not report.is_right:
                    wrong += 1
                    _tell_wrong(name, read, report, as_json=as_json)
                    continue
                hands = [one for one in record.hands if hand in (None, one.number)]
                if not hands:
                    continue
                told += len(hands)
                game = _of_game(f"{name}:{read.line}", record, hands, progress)
                if as_json:
                    click.echo(msgspec.json.encode(game))
                else:
                    console.print(Text(_headline(record, game), style="bold"), soft_wrap=True)
                    console.print(_shown(game))
    if wrong or not told:
        if not wrong:
            click.echo("allfives: there is no such game or hand in what was read", err=True)
        context.exit(1)


def _tell_wrong(name: str, read: Read, report: Report, *, as_json: bool) -> None:
    """What is wrong with a record, as `allfives verify` says it."""
    if as_json:
        findings = tuple(str(finding) for finding in report.findings)
        source = f"{name}:{read.line}"
        click.echo(
            msgspec.json.encode(GameAnalysis(source=source, table=report.table, hands=(), seats=(), findings=findings))
        )
        return
    for line in wrong_in(name, read, report):
        click.echo(line)


def _of_game(source: str, record: GameRecord, hands: list[FinishedHand], progress: Progress) -> GameAnalysis:
    task = progress.add_task("hands", total=None)
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
    return plain(f"{game.source} table {game.table}: {record.ruleset.id}, {record.players} {record.seating}")


def _shown(game: GameAnalysis) -> RenderableType:
    return Group(*(hand_table(hand) for hand in game.hands), seats_table(game.seats))


def hand_table(hand: HandAnalysis) -> Table:
    """A row for each move; a terminal of 80 columns shows all of it."""
    estimated = any(move.method == "estimate" and not move.forced for move in hand.moves)
    table = Table(
        title=f"Hand {hand.hand}",
        title_justify="left",
        caption=f"{ESTIMATED} an estimate: this move was not solved with all tiles open" if estimated else None,
        caption_justify="left",
    )
    for column in ("move", "seat"):
        table.add_column(column, justify="right")
    for column in ("played", "best"):
        table.add_column(column, overflow="fold")
    for column in ("cost", "could know"):
        table.add_column(column, justify="right", overflow="fold")
    for move in hand.moves:
        table.add_row(*_row(move), style="bold" if move.cost and move.cost > 2 * (move.error or 0) else None)
    return table


def _row(move: MoveAnalysis) -> Iterator[str]:
    best = move.alternatives[0] if move.alternatives else None
    yield str(move.move)
    yield str(move.seat)
    yield _played(move) if move.action == "play" else f"{move.action}{_points(move.points)}"
    yield "" if best is None or best.chosen else _played(best)
    if move.forced:
        yield from ("forced", "")
        return
    yield f"{ESTIMATED if move.method == 'estimate' else ''}{move.cost:g}"
    yield f"{move.expected_cost:g}" + ("" if move.expected_error is None else f" ± {move.expected_error:g}")


def _played(play: MoveAnalysis | Alternative) -> str:
    """Tile, end and points.

    >>> from msgspec import convert
    >>> values = dict(points=10, chosen=True, expected=0.0, error=None, game=0.0, open=None, open_game=None)
    >>> _played(convert({"tile": "50", "end": "55.up", "lengthwise": False, **values}, Alternative))
    '50>55.up +10'
    """
    return placed(play.tile, play.end, lengthwise=bool(play.lengthwise)) + _points(play.points)


def _points(points: int) -> str:
    return f" {points:+}" if points else ""


def seats_table(seats: tuple[SeatAnalysis, ...]) -> Table:
    """A row for each seat; a terminal of 80 columns shows all of it."""
    table = Table(title="Cost of all moves", title_justify="left")
    for column in ("seat", "choices", "exact", "cost", "exact\ncost", "estimated\ncost", "could\nknow", "a choice"):
        table.add_column(column, justify="right")
    for seat in seats:
        each = seat.expected_cost / seat.choices if seat.choices else 0.0
        figures = (seat.cost, seat.exact_cost, seat.estimated_cost, seat.expected_cost, round(each, 2))
        table.add_row(str(seat.seat), str(seat.choices), str(seat.exact), *(f"{figure:g}" for figure in figures))
    return table
