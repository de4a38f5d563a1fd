"""The `allfives` command. Each of its commands is imported when it is asked for, so that none waits for another's."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

COMMANDS = {
    "up": "app.cli.up",
    "valkey": "app.cli.processes",
    "web": "app.cli.processes",
    "worker": "app.cli.processes",
    "clerk": "app.cli.processes",
    "clock": "app.cli.processes",
    "announce": "app.cli.announce",
    "rulesets": "app.cli.rulesets",
    "openapi": "app.cli.openapi",
    "verify": "app.cli.verify",
    "notation": "app.cli.notation",
    "practice": "app.cli.practice",
    "analyse": "app.cli.analyse",
    "bot": "app.cli.bot",
    "arena": "app.cli.arena",
}
"""The module that has the command, under the command's name."""


class Commands(click.Group):
    """The commands of `COMMANDS`, in that order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        return cast("click.Command", getattr(import_module(COMMANDS[cmd_name]), cmd_name))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="allfives")
def main() -> None:
    """An HTTP game service for All Fives dominoes: start it, run its parts, look at its tables.

    Settings come from the environment: HOST, PORT, DATA_DIR, REDIS_URL, QUEUE_URL, DURABILITY, WEB_PROCESSES, WORKERS,
    TRUSTED_PROXIES, STREAMS_PER_TOKEN, STREAMS_PER_ADDRESS, STREAM_SECONDS, PLAYERS_PER_ADDRESS, LOG_LEVEL.
    """
