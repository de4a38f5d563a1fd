"""A rule set made ready for play at one table: neighbours, sides, points and how doubles lie, looked up once."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import Struct

from app.engine.ends import LENGTHWISE, LENGTHWISE_AT_ONCE, PLAIN, SPINNER, SPINNER_AT_ONCE, Way
from app.engine.ruleset import MOST_HANDS, RuleSet, Seating
from app.engine.rulesets import resolve, target_points
from app.engine.tiles import IS_DOUBLE, SPOTS, TILES, Tile

_MOST_COUNTED = 2 * sum(SPOTS) + 1


class Rules(Struct, frozen=True, gc=False):
    """Tables made from a `RuleSet` for one number of players and seating; never stored, always made again."""

    ruleset: RuleSet
    players: int
    seating: Seating
    sides: int
    side: tuple[int, ...]
    """Side of every seat."""
    next_seat: tuple[int, ...]
    """Whose turn follows every seat's."""
    points: tuple[int, ...]
    """Points of every count."""
    first_double: Way
    later_double: Way
    lengthwise: Way
    lengthwise_choice: bool
    kept: int
    """A boneyard of so many tiles or fewer is not drawn from."""
    tiles_each: int
    target: int
    max_hands: int
    claim: bool
    wrong_call_costs: int
    seats_of: tuple[tuple[int, ...], ...]
    """Seats of every side."""


def rules_for(ruleset: RuleSet, players: int, seating: Seating) -> Rules:
    """The tables of a rule set for so many players.

    >>> from app.engine.rulesets import RULE_SETS
    >>> rules_for(RULE_SETS["all-fives-latin"], 4, "pairs").next_seat
    (3, 0, 1, 2)
    """
    # Made once and remembered: a bot asks for every move, and making them takes longer than its move.
    return _rules_for(msgspec.msgpack.encode(ruleset), players, seating)


@lru_cache(maxsize=1024)
def _rules_for(encoded: bytes, players: int, seating: Seating) -> Rules:
    ruleset = msgspec.msgpack.decode(encoded, type=RuleSet)
    pairs = seating == "pairs"
    step = 1 if ruleset.direction == "clockwise" else -1
    at_once = ruleset.cross_arms_open == "at_once"
    spinner = SPINNER_AT_ONCE if at_once else SPINNER
    side = tuple(seat % 2 if pairs else seat for seat in range(players))
    sides = 2 if pairs else players
    return Rules(
        ruleset=ruleset,
        players=players,
        seating=seating,
        sides=sides,
        side=side,
        next_seat=tuple((seat + step) % players for seat in range(players)),
        points=tuple(points_for(ruleset, count) for count in range(_MOST_COUNTED)),
        first_double=PLAIN if ruleset.spinner == "none" else spinner,
        later_double=spinner if ruleset.spinner == "every_double" else PLAIN,
        lengthwise=LENGTHWISE_AT_ONCE if at_once else LENGTHWISE,
        lengthwise_choice=ruleset.lengthwise_choice,
        kept=ruleset.boneyard_keep if ruleset.drawing else len(TILES),
        tiles_each=ruleset.deal[str(players)],
        target=target_points(ruleset, players, seating),
        max_hands=ruleset.max_hands or MOST_HANDS,
        claim=ruleset.claim,
        wrong_call_costs=ruleset.wrong_call_costs,
        seats_of=tuple(tuple(seat for seat in range(players) if side[seat] == one) for one in range(sides)),
    )


def points_for(ruleset: RuleSet, count: int) -> int:
    """Points of a count (RULES.md, "The count").

    >>> from app.engine.rulesets import RULE_SETS
    >>> [points_for(RULE_SETS["all-fives"], count) for count in (0, 5, 14, 35)]
    [0, 5, 0, 35]
    >>> points_for(RULE_SETS["five-up"], 35)
    7
    """
    if ruleset.scoring != "fives" or count % 5:
        return 0
    return count // ruleset.points_unit


def way_laid(rules: Rules, tile: Tile, has_double: bool, lengthwise: bool) -> Way:
    """How a tile lies when it is laid now; `has_double`: a double lies already.

    >>> from app.engine.rulesets import RULE_SETS
    >>> from app.engine.tiles import parse_tile
    >>> rules = rules_for(RULE_SETS["all-fives"], 2, "solo")
    >>> way_laid(rules, parse_tile("55"), has_double=False, lengthwise=False) == SPINNER
    True
    """
    if not IS_DOUBLE[tile]:
        return PLAIN
    if has_double:
        return rules.later_double
    return rules.lengthwise if lengthwise else rules.first_double


def named_rules(ruleset_id: str, house_rules: dict[str, object], players: int, seating: Seating) -> Rules:
    """The tables for a rule set by its id and house rules; made once and remembered.

    Raises:
        InvalidRules: it cannot be played like that.
    """
    return _named_rules(ruleset_id, msgspec.json.encode(house_rules, order="sorted"), players, seating)


@lru_cache(maxsize=1024)
def _named_rules(ruleset_id: str, house_rules: bytes, players: int, seating: Seating) -> Rules:
    ruleset, chosen = resolve(ruleset_id, players, seating, msgspec.json.decode(house_rules))
    return rules_for(ruleset, players, chosen)
