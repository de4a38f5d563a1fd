"""Why a command cannot start, or what ended it: one clear line on stderr and exit 1, or 130 after Ctrl-C."""

from __future__ import annotations

from typing import IO

import click

from app.config import Settings, SettingsError


class CannotStartError(click.ClickException):
    """Something outside the program is in the way; the message says what, and what would help."""

    exit_code = 1

    def show(self, file: IO[str] | None = None) -> None:
        """Print one line for each thing in the way."""
        for line in self.format_message().splitlines():
            click.echo(f"allfives: {line}", file=file, err=True)


class BrokenOffError(CannotStartError):
    """Somebody pressed Ctrl-C; the message says how far it came."""

    exit_code = 130


def read_settings() -> Settings:
    """Read the settings of this process.

    Raises:
        CannotStartError: some of them cannot be used.
    """
    try:
        return Settings.read()
    except SettingsError as error:
        raise CannotStartError(str(error)) from None
