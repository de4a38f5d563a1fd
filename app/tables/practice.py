"""Scripted first deals: completed to 28 different tiles, or refused with what would be right."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.dealing import script as completed_script
from app.engine.events import GameStarted
from app.engine.rules import rules_for
from app.tables.refusals import invalid
from app.tables.terms import PracticeDeal


def completed(deal: PracticeDeal, started: GameStarted, order: Sequence[str]) -> PracticeDeal:
    """The deal with every tile in it: those not named follow in the boneyard, as they stand in `order`.

    Raises:
        InvalidRules: it is no deal for this table; `/practice/…` paths.
        Refusal: `invalid`, when the boneyard names every tile but one, which is a slip.
    """
    rules = rules_for(started.rules, started.players, started.seating)
    full = completed_script(rules, deal.holdings, deal.boneyard, deal.leader)
    named, rest = full.boneyard[: len(deal.boneyard)], full.boneyard[len(deal.boneyard) :]
    if named and len(rest) == 1:
        raise invalid(
            "/practice/boneyard",
            "one_tile_missing",
            f"practice.boneyard names every tile but {rest[0]}: name it too, or leave more out "
            "(tiles that are not named follow in any order).",
            missing=rest[0],
        )
    followers = sorted(rest, key=list(order).index)
    return PracticeDeal(holdings=full.holdings, boneyard=(*named, *followers), leader=full.leader)
