"""The `allfives` command."""

from __future__ import annotations

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="allfives")
def main() -> None:
    """An HTTP game service for All Fives dominoes: start it, run its parts, look at its tables."""
