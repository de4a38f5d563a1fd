"""What a server has to choose from, and what is wrong with wishes before anybody asks for a game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from app.engine.errors import InvalidRules
from app.engine.rulesets import RULE_SETS, resolve
from app.kit.server import Refused, Server
from app.kit.wishes import Wishes


class Range(Struct, frozen=True):
    min: float
    max: float


class Offer(Struct, frozen=True, kw_only=True):
    """The answer of `GET /options`, as far as it matters for wishes."""

    levels: tuple[str, ...]
    rulesets: tuple[str, ...]
    players: Range
    clock: dict[str, Range]
    turn_seconds_may_be_null: bool = False


def offer(server: Server, patience: float) -> Offer | None:
    """What there is to choose; None: the server does not tell. Raises: Refused, NoAnswer."""
    try:
        return server.ask(Offer, "GET", "/options", patience=patience)
    except Refused as refused:
        if refused.status != 404:
            raise
        return None


def objections(wishes: Wishes, offer: Offer | None) -> Iterator[tuple[str, str]]:
    """Everything that cannot be had: a JSON pointer into the ticket, and what is wrong there.

    A rule set that we do not know, but the server does, is left to the server.
    """
    if wishes.ruleset in RULE_SETS:
        try:
            resolve(wishes.ruleset, wishes.players, wishes.seating, wishes.house_rules)
        except InvalidRules as error:
            yield from ((problem.path, problem.detail) for problem in error.problems)
    if offer is None:
        return
    if wishes.ruleset not in offer.rulesets:
        yield "/ruleset", f"There is no rule set {wishes.ruleset!r}; choose one of {', '.join(offer.rulesets)}."
    if not offer.players.min <= wishes.players <= offer.players.max:
        yield "/players", f"Must be from {offer.players.min:g} to {offer.players.max:g}."
    if wishes.level not in offer.levels:
        yield "/level", f"There is no level {wishes.level!r}; choose one of {', '.join(offer.levels)}."
    for name, value in wishes.clock.items():
        wrong = _wrong_time(name, value, offer)
        if wrong:
            yield f"/clock/{name}", wrong


def _wrong_time(name: str, value: object, offer: Offer) -> str | None:
    limit = offer.clock.get(name)
    if limit is None:
        return f"There is no such time; choose one of {', '.join(offer.clock)}."
    if value is None and name == "turn_seconds" and offer.turn_seconds_may_be_null:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not limit.min <= value <= limit.max:
        return f"Must be a number from {limit.min:g} to {limit.max:g}."
    return None
