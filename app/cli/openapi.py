"""Writes the OpenAPI document that others generate their clients from, or tells that it is out of date."""

from __future__ import annotations

import json
from pathlib import Path

import click

from app.cli.errors import CannotStartError


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file is not what would be written.")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("openapi/openapi.json"),
    show_default=True,
    help="The document.",
)
def openapi(check: bool, file: Path) -> None:
    """Write the OpenAPI document of the service."""
    from app.api import openapi_document

    text = json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"
    if not check:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        click.echo(f"wrote {file}")
    elif not file.exists() or file.read_text(encoding="utf-8") != text:
        raise CannotStartError(f"{file} is not what the code says; `make openapi` writes it anew")
