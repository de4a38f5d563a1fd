"""Scripted first deals: completed to 28 different tiles, or refused with what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.engine.actions import DealScripted
from app.engine.errors import RuleViolation
from app.engine.events import GameStarted
from app.engine.evolve import replay
from app.engine.ruleset import RuleSet
from app.engine.tiles import NAMES
from app.engine.turns import decide
from app.tables.refusals import invalid
from app.tables.terms import PracticeDeal


def completed(script: PracticeDeal, started: GameStarted, order: Sequence[str]) -> PracticeDeal:
    """The script with every tile in it: those not named follow in the boneyard, in the given order.

    Raises: Refusal `invalid` naming `practice.holdings`, `practice.boneyard` or `practice.leader`.
    """
    rules: RuleSet = started.rules
    each = rules.deal[str(started.players)]
    if len(script.holdings) != started.players:
        raise invalid(
            "/practice/holdings",
            "holdings",
            f"practice.holdings has one list per seat: {started.players} here, not {len(script.holdings)}.",
            seats=started.players,
        )
    for seat, holding in enumerate(script.holdings):
        if len(holding) != each:
            raise invalid(
                f"/practice/holdings/{seat}",
                "holdings",
                f"practice.holdings: each seat gets {each} tiles at this table; seat {seat} has {len(holding)}.",
                seat=seat,
                tiles_each=each,
            )
    held = [tile for holding in script.holdings for tile in holding]
    _all_different(held, "/practice/holdings", held)
    _all_different(script.boneyard, "/practice/boneyard", [*held, *script.boneyard])
    rest = [tile for tile in order if tile not in held and tile not in script.boneyard]
    if script.boneyard and len(rest) == 1:
        raise invalid(
            "/practice/boneyard",
            "boneyard",
            f"practice.boneyard names every tile but {rest[0]}: name all {len(script.boneyard) + 1}, or fewer "
            "(tiles not named follow in any order).",
            missing=rest[0],
        )
    full = PracticeDeal(holdings=script.holdings, boneyard=(*script.boneyard, *rest), leader=script.leader)
    try:
        decide(replay([started]), DealScripted(holdings=full.holdings, boneyard=full.boneyard, leader=full.leader))
    except RuleViolation as violation:
        raise invalid("/practice/leader", violation.code, violation.detail, **violation.params) from violation
    return full


def _all_different(tiles: Sequence[str], path: str, named: Sequence[str]) -> None:
    for tile in tiles:
        if tile not in NAMES:
            raise invalid(
                path, "tile", f"{path[1:].replace('/', '.')}: {tile!r} is no tile of the set 00 to 66.", tile=tile
            )
    twice = [tile for tile, times in Counter(named).items() if times > 1]
    if twice:
        field = path[1:].replace("/", ".")
        raise invalid(path, "tile_twice", f"{field}: {twice[0]} is named twice; the set has it once.", tile=twice[0])
