"""Writes records in the text notation, a line a hand."""

from __future__ import annotations

import click

from app.cli.errors import CannotStartError
from app.cli.games import games_in
from app.records.notation import written


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def notation(files: tuple[str, ...]) -> None:
    """Write records in the text notation.

    A FILE is what `allfives verify` takes. What is written can be given to `verify` and `practice` again.
    """
    for name in files:
        for read in games_in(name):
            if read.record is None:
                raise CannotStartError(f"{name}, line {read.line}: {read.wrong[0]}")
            click.echo(written(read.record), nl=False)
