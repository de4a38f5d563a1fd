"""`allfives arena`: bots against each other, offline, on all cores."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stdout
from math import isnan
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from app.arena.contest import Contest
from app.arena.match import Played
from app.arena.statistics import Summary, summary, whole_series
from app.bots.files import UnusableBot
from app.bots.named import named, short_names
from app.cli import scoreboard
from app.cli.charts import check_chart, draw_chart
from app.cli.errors import BrokenOffError, CannotStartError
from app.cli.matches import Patience, ProcessDied, cores, matches
from app.engine.errors import InvalidRules

WIDTH = 120
"""Columns of a table that goes into a file."""
BROKEN_OFF = "broken off"
"""What ended the contest when it was Ctrl-C."""


class Seconds(click.FloatRange):
    """From a thousandth to a day."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0.001, 86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it; a range does not keep out what is no number."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return seconds


@contextmanager
def breaking_off() -> Iterator[None]:
    """A block that Ctrl-C ends with a word."""
    try:
        yield
    except KeyboardInterrupt:
        raise BrokenOffError(BROKEN_OFF) from None


@click.command()
@click.argument("one", metavar="BOT")
@click.argument("other", metavar="BOT")
@click.option(
    "--games", type=click.IntRange(1), default=1000, show_default=True, help="Games to play; series are whole."
)
@click.option(
    "--ruleset", default="all-fives", show_default=True, help="What is played: `allfives rulesets` lists them."
)
@click.option("--players", type=click.IntRange(2, 4), help="Seats; three, or four each alone: one against the others.")
@click.option("--pairs", is_flag=True, help="Four seats in pairs.")
@click.option("--duplicate/--no-duplicate", default=True, show_default=True, help="Play each deal from every side.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same games.")
@click.option("--cores", "processes", type=click.IntRange(1), help="Processes that play.  [default: all cores]")
@click.option(
    "--slow", type=Seconds(), default=1.0, show_default=True, help="Seconds after which a move counts as slow."
)
@click.option(
    "--cut-off", type=Seconds(), default=10.0, show_default=True, help="Seconds after which it is broken off."
)
@click.option("--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="Write a row a game.")
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Draw a chart, .svg or .png.")
@click.option("--json", "as_json", is_flag=True, help="For machines: the figures as one JSON object.")
@breaking_off()
def arena(
    one: str,
    other: str,
    *,
    games: int,
    ruleset: str,
    players: int | None,
    pairs: bool,
    duplicate: bool,
    seed: int,
    processes: int | None,
    slow: float,
    cut_off: float,
    csv_file: Path | None,
    chart: Path | None,
    as_json: bool,
) -> None:
    """Play two bots against each other; say who is better, and how sure that is.

    A BOT is a level (easy, medium, hard, expert) or a Python file with a function `choose(view)` that returns a move.
    Both see only what their seat may see. Ctrl-C ends the contest and prints what was played so far.
    """
    contest = _contest(ruleset, players, games, seed, pairs=pairs, duplicate=duplicate)
    names = _names(one, other)
    if csv_file is not None:
        _check_place("--csv", csv_file)
    if chart is not None:
        _check_place("--chart", chart)
        check_chart(chart)
    console = Console(stderr=as_json, width=None if sys.stdout.isatty() else WIDTH)
    title = scoreboard.headline(contest, names)
    console.print(title, highlight=False, soft_wrap=True)
    patience = Patience(slow, cut_off)
    played, ended_by = _played(contest, (one, other), patience, processes or cores(), console=console)
    series = whole_series(contest, played)
    ending = BrokenOffError if ended_by == BROKEN_OFF else CannotStartError
    if not series:
        raise ending(ended_by or "no series was played to its end")
    found = summary(series)
    try:
        if csv_file is not None:
            _written(csv_file, lambda: _write_csv(csv_file, names, series))
        if chart is not None:
            _written(chart, lambda: draw_chart(chart, title, names, series, found))
    finally:
        # A full disk costs the file, not the figures.
        if as_json:
            click.echo(msgspec.json.encode({"contest": contest, "names": names, "ended_by": ended_by, "found": found}))
        else:
            _print(console, contest, names, found, slow)
    if ended_by:
        raise ending(f"{ended_by}: {found.games:,} of {contest.series * contest.games_a_series:,} games played")


def _contest(ruleset: str, players: int | None, games: int, seed: int, *, pairs: bool, duplicate: bool) -> Contest:
    if pairs and players not in (None, 4):
        raise CannotStartError(f"--pairs is for four players, not for {players}")
    contest = Contest(
        ruleset=ruleset,
        players=4 if pairs else players or 2,
        seating="pairs" if pairs else "solo",
        games=games,
        duplicate=duplicate,
        seed=seed,
    )
    try:
        contest.check()
    except InvalidRules as error:
        raise CannotStartError(str(error)) from None
    return contest


def _names(one: str, other: str) -> tuple[str, str]:
    """What the two are called, once both are known to be bots."""
    try:
        # What a file prints when it is brought in is no part of the figures.
        with redirect_stdout(sys.stderr):
            named(one)
            named(other)
    except UnusableBot as error:
        raise CannotStartError(str(error)) from None
    return short_names(one, other)


def _played(
    contest: Contest, bots: tuple[str, str], patience: Patience, processes: int, *, console: Console
) -> tuple[list[Played], str]:
    """The games that were played, and what ended the contest before its time, if anything did."""
    played: list[Played] = []
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    try:
        with bar, closing(matches(contest, bots, patience, min(processes, contest.series))) as series:
            task = bar.add_task("playing", total=contest.series * contest.games_a_series)
            for games in series:
                played += games
                won = sum(game.won for game in played) / len(played)
                bar.update(task, advance=len(games), description=f"the first has won {won:.1%}")
    except KeyboardInterrupt:
        return played, BROKEN_OFF
    except ProcessDied as error:
        return played, str(error)
    return played, ""


def _check_place(option: str, file: Path) -> None:
    """Whether there can be such a file, before hours are spent on the games."""
    folder = file.resolve().parent
    if not folder.is_dir():
        raise CannotStartError(f"{option} {file}: there is no folder {file.parent}")
    if not os.access(file if file.exists() else folder, os.W_OK):
        raise CannotStartError(f"{option} {file}: it may not be written")


def _written(file: Path, write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        raise CannotStartError(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"wrote {file}", err=True)


def _write_csv(file: Path, names: tuple[str, str], series: list[list[Played]]) -> None:
    with file.open("w", newline="") as rows:
        scoreboard.write_games(rows, names, series)


def _print(console: Console, contest: Contest, names: tuple[str, str], found: Summary, slow: float) -> None:
    for line in scoreboard.result(contest, names, found):
        console.print(line, highlight=False, soft_wrap=True)
    console.print()
    console.print(scoreboard.conduct_table(names, found, slow), highlight=False)
    for line in scoreboard.told_faults(names, found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
