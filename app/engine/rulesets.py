"""The rule sets of RULES.md, and the rules of one table: a rule set with its house rules merged in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from app.engine.errors import FieldProblem, InvalidRules
from app.engine.house_rules import merge, seating_for
from app.engine.ruleset import DESCRIPTION, RuleSet, Seating

__all__ = ["ALL_FIVES", "RULE_SETS", "RuleSet", "Seating", "differences", "resolve", "target_points"]

ALL_FIVES: Final = RuleSet(
    id="all-fives",
    title="All Fives",
    summary="Score whenever the open ends add up to a multiple of five. The first double is the spinner with four "
    "arms. Two players hold 7 tiles and play to 250; four in pairs hold 5 and play to 200.",
    source="The common modern game for two, or for four in pairs.",
    deal={"2": 7, "4": 5},
    seating={"2": ("solo",), "3": ("solo",), "4": ("pairs",)},
    target={"2": 250, "3": 200, "4": 200, "pairs": 200},
)

_SOLO: Final[dict[str, tuple[Seating, ...]]] = {"2": ("solo",), "3": ("solo",), "4": ("solo",)}

_ALL_FIVES_150: Final = structs.replace(
    ALL_FIVES,
    id="all-fives-150",
    title="All Fives to 150",
    summary="Short games, everyone alone. The highest double leads every hand, the spinner's arms are open at once, "
    "every opponent's tiles are rounded by themselves, and the fewer tiles win an equal block.",
    source="As played on a popular free site.",
    deal={"2": 7, "3": 6, "4": 5},
    seating=_SOLO,
    first_lead="highest_double",
    next_lead="highest_double",
    cross_arms_open="at_once",
    hand_end="each_opponent",
    block_tie="fewer_tiles",
    target={"2": 150, "3": 150, "4": 150, "pairs": 150},
)

_DRAW: Final = structs.replace(
    ALL_FIVES,
    id="draw",
    title="Draw",
    summary="Plain dominoes: nothing is scored in play. Without a fitting tile you draw. Whoever goes out gets the "
    "exact spots the others hold. To 100.",
    source="The plain game known everywhere.",
    deal={"2": 7, "3": 6, "4": 5},
    seating=_SOLO,
    first_lead="highest_double",
    next_lead="highest_double",
    spinner="none",
    scoring="none",
    hand_end="each_opponent",
    round_to=1,
    block_tie="fewer_tiles",
    target={"2": 100, "3": 100, "4": 100, "pairs": 100},
)

_ALL: Final = (
    ALL_FIVES,
    structs.replace(
        ALL_FIVES,
        id="all-fives-classic",
        title="All Fives, classic",
        summary="All Fives with 9 tiles for two players, 7 for three (each alone) and 5 for four in pairs; to 250, "
        "200 and 200.",
        source="United States.",
        deal={"2": 9, "3": 7, "4": 5},
    ),
    structs.replace(
        ALL_FIVES,
        id="muggins-british",
        title="Muggins",
        summary="No spinner: the line has two ends. At the end of a hand nobody gains; everyone loses the rounded "
        "spots still held, and a score may fall below zero. At most 60 hands.",
        source="Great Britain.",
        deal={"2": 7, "3": 5, "4": 5},
        seating={"2": ("solo",), "3": ("solo",), "4": ("solo", "pairs")},
        spinner="none",
        hand_end="own_subtracted",
        target={"2": 250, "3": 200, "4": 200, "pairs": 250},
        max_hands=60,
    ),
    structs.replace(
        ALL_FIVES,
        id="five-up",
        title="Five Up",
        summary="Every double is a spinner with four arms of its own. One point for every five; 5 tiles each, two to "
        "four players, to 61.",
        source="The West Coast of the United States.",
        deal={"2": 5, "3": 5, "4": 5},
        spinner="every_double",
        points_unit=5,
        target={"2": 61, "3": 61, "4": 61, "pairs": 61},
    ),
    structs.replace(
        ALL_FIVES,
        id="sniff",
        title="Sniff",
        summary="Whoever lays the first double chooses: across the line, or lengthwise, where it counts only once at "
        "an open end. Either way it is the spinner. 7, 6 or 5 tiles; to 250, 200 and 200.",
        source="United States, clubs.",
        deal={"2": 7, "3": 6, "4": 5},
        lengthwise_choice=True,
    ),
    structs.replace(
        ALL_FIVES,
        id="all-fives-latin",
        title="All Fives, counter-clockwise",
        summary="The turn goes counter-clockwise and the highest double leads every hand. 7 tiles each: in pairs "
        "there is no boneyard, and whoever cannot play passes.",
        source="Mexico, the Caribbean and Brazil.",
        deal={"2": 7, "4": 7},
        direction="counterclockwise",
        first_lead="highest_double",
        next_lead="highest_double",
    ),
    structs.replace(
        ALL_FIVES,
        id="all-fives-claim",
        title="All Fives with claims",
        summary="Announce your points as you play. What you miss or get wrong, an opponent may take by calling "
        "“Muggins!” before the next move.",
        source="Strict tables everywhere.",
        claim=True,
    ),
    _ALL_FIVES_150,
    _DRAW,
    structs.replace(
        _DRAW,
        id="block",
        title="Block",
        summary="Plain dominoes without drawing: who has no fitting tile passes. Whoever goes out, or holds the "
        "fewest spots when the game is blocked, gets the exact spots the others hold. To 100.",
        drawing=False,
    ),
)

RULE_SETS: Final[dict[str, RuleSet]] = {ruleset.id: ruleset for ruleset in _ALL}
"""By id, in the order of RULES.md; the first is the default."""


def resolve(
    ruleset_id: str, players: int, seating: str | None, house_rules: Mapping[str, object]
) -> tuple[RuleSet, Seating]:
    """The rules of one table and how its seats are grouped (RULES.md, "RuleSet fields").

    House rules are fields of a rule set; maps merge by key. `tiles_each` and `target_points` are short for the entry of
    this table's number of players. `seating` None means the rule set's default.

    >>> rules, seating = resolve("all-fives", 2, None, {"tiles_each": 9, "boneyard_keep": 2})
    >>> rules.deal["2"], rules.boneyard_keep, rules.deal["4"], seating
    (9, 2, 5, 'solo')

    Raises:
        InvalidRules: the rule set is unknown, or cannot be played like that; every wrong field is named.
    """
    ruleset = RULE_SETS.get(ruleset_id)
    if ruleset is None:
        detail = f"There is no rule set {ruleset_id!r}; choose one of {', '.join(RULE_SETS)}."
        raise InvalidRules([FieldProblem("/ruleset", "unknown_ruleset", detail, allowed=list(RULE_SETS))])
    return merge(ruleset, players, seating, house_rules)


def target_points(rules: RuleSet, players: int, seating: str | None = None) -> int:
    """Points that win a game of so many players.

    >>> target_points(RULE_SETS["all-fives"], 4, "pairs")
    200
    """
    chosen = seating_for(rules, players) if seating is None else seating
    return rules.target["pairs" if chosen == "pairs" else str(players)]


def differences(ruleset: RuleSet) -> dict[str, object]:
    """The fields in which a rule set differs from `all-fives`.

    >>> differences(RULE_SETS["all-fives-claim"])
    {'claim': True}
    """
    return {
        field: getattr(ruleset, field)
        for field in RuleSet.__struct_fields__
        if field not in DESCRIPTION and getattr(ruleset, field) != getattr(ALL_FIVES, field)
    }
