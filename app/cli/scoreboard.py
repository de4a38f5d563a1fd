"""What a contest came to, as it is printed, and as a row a game in CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from math import isinf
from typing import TextIO

from rich.table import Table

from app.arena.contest import Contest
from app.arena.match import Played
from app.arena.statistics import Estimate, Record, Summary
from app.arena.umpire import FAULTS

MANY_MARKED = 0.1
"""Of all games; with more, the first line says that a player is broken."""


def headline(contest: Contest, names: tuple[str, str]) -> str:
    """Who plays what."""
    seats = {2: "two players", 3: "three players", 4: "four players"}[contest.players]
    if contest.seating == "pairs":
        seats += " in pairs"
    deals = "each deal from every side" if contest.duplicate else "every game its own deals"
    against = names[1] if contest.places == 2 else f"{contest.places - 1} {names[1]}"
    return f"{names[0]} against {against}: {contest.ruleset}, {seats}, {deals}, seed {contest.seed}"


def result(contest: Contest, names: tuple[str, str], found: Summary) -> Iterator[str]:
    """Who won, line by line; where many games are marked, the first of them says so."""
    draws = f", {found.draws:,} drawn" if found.draws else ""
    yield (
        f"{names[0]} won {found.wins:,} of {found.games:,} games{draws}: {percent(found.share)}; "
        f"{100 / contest.places:.0f} % would be even{warning(found)}"
    )
    yield f"point difference a game: {signed(found.difference)}"
    if found.marked:
        without = "" if found.share_unmarked is None else f"; without them {names[0]} won {found.share_unmarked:.1%}"
        yield f"{games_marked(found)}: the first legal move was made in the place of a player's own there{without}"


def games_marked(found: Summary) -> str:
    """How many games are marked, as the start of a sentence or its end."""
    return "1 game is marked" if found.marked == 1 else f"{found.marked:,} games are marked"


def warning(found: Summary) -> str:
    """What is said with the share of wins when so many games are marked that it is not the players' own."""
    return f"; but {games_marked(found)}" if found.marked >= MANY_MARKED * found.games else ""


def percent(share: Estimate) -> str:
    """A share with its interval."""
    return f"{100 * share.mean:.1f} % (95 %: {100 * share.low:.1f} to {100 * share.high:.1f})"


def signed(points: Estimate) -> str:
    """Points with their interval, if there is one."""
    if isinf(points.low):
        return f"{points.mean:+.1f} (95 %: too few series to tell)"
    return f"{points.mean:+.1f} (95 %: {points.low:+.1f} to {points.high:+.1f})"


def conduct_table(names: tuple[str, str], found: Summary, slow: float) -> Table:
    """How either player behaved: what went wrong, and how long its moves took."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for title in (
        "moves",
        "crashes",
        "illegal",
        "cut off",
        f"over {slow:g} s",
        "ms: mean",
        "p99",
        "slowest",
        "CPU mean",
    ):
        table.add_column(title, justify="right")
    for name, record in zip(names, found.records, strict=True):
        table.add_row(name, *_figures(record))
    return table


def _figures(record: Record) -> list[str]:
    wrong = [record.faults[fault] for fault in FAULTS] + [record.slow]
    return [
        f"{record.moves:,}",
        *(f"[bold red]{number:,}[/]" if number else "0" for number in wrong),
        milliseconds(record.mean_seconds),
        milliseconds(record.p99_seconds),
        milliseconds(record.slowest_seconds),
        milliseconds(record.cpu_seconds),
    ]


def milliseconds(seconds: float) -> str:
    """Milliseconds, as many figures of them as tell something.

    >>> milliseconds(0.0000062), milliseconds(0.0123), milliseconds(2.5)
    ('0.006', '12.3', '2,500')
    """
    thousandths = seconds * 1000
    return f"{thousandths:,.0f}" if thousandths >= 100 else f"{thousandths:.{1 if thousandths >= 10 else 3}f}"


def told_faults(names: tuple[str, str], found: Summary) -> Iterator[str]:
    """The first faults of either player in words, and what was done about them all."""
    for name, record in zip(names, found.records, strict=True):
        yield from (f"{name}: {note}" for note in record.notes)
    if found.marked:
        yield "In the place of each of these the first legal move was made, and the game went on; slow moves stood."


COLUMNS = (
    "series",
    "game",
    "seats",
    "scores",
    "won",
    "difference",
    "hands",
    "reason",
    "marked",
    "faults_1",
    "slow_1",
    "mean_ms_1",
    "slowest_ms_1",
    "faults_2",
    "slow_2",
    "mean_ms_2",
    "slowest_ms_2",
)


def write_games(file: TextIO, names: tuple[str, str], series: Iterable[Sequence[Played]]) -> None:
    """A row a game; `won` and `difference` are the first player's."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(COLUMNS)
    for game in (game for games in series for game in games):
        row: list[object] = [
            game.series + 1,
            game.place + 1,
            " ".join(names[player] for player in game.seats),
            " ".join(map(str, game.scores)),
            f"{game.won:g}",
            f"{game.difference:g}",
            game.hands,
            game.reason,
            int(game.marked),
        ]
        for one in game.conduct:
            seconds = one.seconds or [0.0]
            row += [
                sum(one.faults.values()),
                one.slow,
                f"{1000 * sum(seconds) / len(seconds):.4f}",
                f"{1000 * max(seconds):.4f}",
            ]
        rows.writerow(row)
