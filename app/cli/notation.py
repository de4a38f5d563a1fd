"""Writes records in the text notation, a line a hand."""

from __future__ import annotations

import click

from app.cli.games import games_in, wrong_in
from app.records.notation import written


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def notation(context: click.Context, files: tuple[str, ...]) -> None:
    """Write records in the text notation.

    A FILE is what `allfives verify` takes, and is verified first: a game that is not right is not written, what is
    wrong with it is said, and the exit is 1. What is written can be given to `verify` and `practice` again.
    """
    wrong = False
    for name in files:
        for read in games_in(name):
            report = read.report()
            if read.record is not None and report.is_right:
                click.echo(written(read.record), nl=False)
                continue
            wrong = True
            for line in wrong_in(name, read, report):
                click.echo(line, err=True)
    if wrong:
        context.exit(1)
