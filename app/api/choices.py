"""The answer of `GET /options`: what the limits, the rule sets and the bots allow."""

from __future__ import annotations

import msgspec

from app.api import limits
from app.api.limits import Limit
from app.bots.levels import LEVELS
from app.engine.rulesets import RULE_SETS
from app.tables.direct_invitations import REASONS
from app.tables.live import StreamTerms
from app.tables.names import LONGEST, RULE
from app.tables.terms import spelled


class Range(msgspec.Struct, frozen=True):
    """A number a client may choose."""

    min: float
    max: float
    default: float | None


class NameRules(msgspec.Struct, frozen=True, kw_only=True):
    longest: int
    rule: str


class BotLevel(msgspec.Struct, frozen=True, kw_only=True):
    level: str
    summary: str
    think_seconds: float


class Options(msgspec.Struct, frozen=True, kw_only=True):
    levels: tuple[str, ...]
    bots: tuple[BotLevel, ...]
    rulesets: tuple[str, ...]
    players: Range
    clock: dict[str, Range]
    turn_seconds_may_be_null: bool
    forgetfulness: Range
    wait: Range
    events: Range
    page: Range
    body_bytes: int
    name: NameRules
    streams: dict[str, int]
    decline_reasons: tuple[str, ...]


def _range(limit: Limit) -> Range:
    return Range(spelled(limit.min), spelled(limit.max), None if limit.default is None else spelled(limit.default))


def options(terms: StreamTerms) -> Options:
    return Options(
        levels=tuple(LEVELS),
        bots=tuple(
            BotLevel(level=name, summary=level.summary, think_seconds=spelled(level.think_seconds))
            for name, level in LEVELS.items()
        ),
        rulesets=tuple(RULE_SETS),
        players=_range(limits.PLAYERS),
        clock={name: _range(limit) for name, limit in limits.CLOCK.items()},
        turn_seconds_may_be_null=True,
        forgetfulness=_range(limits.FORGETFULNESS),
        wait=Range(0, limits.WAIT_SECONDS, 0),
        events=Range(1, limits.EVENTS, limits.EVENTS_DEFAULT),
        page=Range(1, limits.PAGE, limits.PAGE_DEFAULT),
        body_bytes=limits.BODY_BYTES,
        name=NameRules(longest=LONGEST, rule=RULE),
        streams={"per_token": terms.per_token, "per_address": terms.per_address},
        decline_reasons=REASONS,
    )
