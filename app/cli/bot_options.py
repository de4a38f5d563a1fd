"""What the options of `allfives bot` ask for, and whether it can be had, before anything is made for it."""

from __future__ import annotations

import json
import math
from typing import Any

import click

from app.cli.errors import CannotStartError
from app.kit.address import NoAddress, address
from app.kit.offer import objections, offer
from app.kit.server import Server
from app.kit.tokens import token_in
from app.kit.wishes import Wishes

LONGEST_NAME = 32
NAMED = {"ruleset": "--ruleset", "players": "--players", "seating": "--seating", "level": "--bots"}
"""Options, under the ticket's fields."""
NAMED_IN_PART = {"house_rules": "--house-rule", "clock": "--clock"}


class Field(click.ParamType[tuple[str, Any]]):
    """`name=value`; the value is JSON, or else text."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """Read it."""
        name, equals, text = str(value).partition("=")
        if not (name and equals):
            self.fail(f"{value!r} is not name=value", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


class Seconds(click.FloatRange):
    """So many; what is no number is none of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return seconds


class Name(click.ParamType[str]):
    """Of a player."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read it."""
        text = str(value).strip()
        if not 1 <= len(text) <= LONGEST_NAME:
            self.fail(f"a name has 1 to {LONGEST_NAME} characters, this one {len(text)}", param, ctx)
        return text


def server_address(written: str) -> str:
    """The server's. Raises: CannotStartError."""
    try:
        return address(written)
    except NoAddress as error:
        raise CannotStartError(str(error)) from None


def given_token(given: str | None) -> str | None:
    """The token of the command line or the environment; whatever else was given is not shown."""
    if given is None:
        return None
    token = token_in(given)
    if token is None:
        raise CannotStartError("what --token or ALLFIVES_TOKEN gives is no token; one looks like a5_…")
    return token


def wishes_of(*, house_rules: Any, clock: Any, bots_after: float | None, level: str, **wanted: Any) -> Wishes:
    """What the options ask for. Raises: CannotStartError."""
    if bots_after is None and level != "medium":
        raise CannotStartError("--bots says which bots may come; --bots-after says when")
    return Wishes(
        house_rules=dict(house_rules), clock=dict(clock), fill_with_bots_after=bots_after, level=level, **wanted
    )


def check(wishes: Wishes, server: Server, patience: float) -> None:
    """Whether it can be had there. Raises: CannotStartError, Refused, NoAnswer."""
    wrong = dict(objections(wishes, offer(server, patience)))
    if wrong:
        raise CannotStartError("\n".join(f"{_option(path)}: {detail}" for path, detail in wrong.items()))


def _option(path: str) -> str:
    field, _, rest = path.removeprefix("/").partition("/")
    return NAMED.get(field) or f"{NAMED_IN_PART.get(field, field)} {rest.replace('/', '.')}".rstrip()
