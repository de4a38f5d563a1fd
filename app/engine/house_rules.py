"""House rules: what a table may override in a rule set, and everything that is refused, field by field.

The one rule here: what cannot be played is refused, never mended. A field that is unknown, of the wrong type, out of
range or at odds with another is named together with what would be allowed. A value that another one leaves without
effect (`wrong_call_costs` without `claim`) is no such thing: RULES.md lists what is refused, clients send whole forms,
and running tables and records must stay readable. It is kept as it was sent, and `as_played` leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import structs

from app.engine.errors import FieldProblem, InvalidRules
from app.engine.pointers import NAME_LENGTH, step
from app.engine.ruleset import DESCRIPTION, MOST_HANDS, RuleSet, Seating
from app.engine.tiles import TILES

SET_SIZE = len(TILES)
PLAYER_COUNTS = ("2", "3", "4")
TARGET_KEYS = (*PLAYER_COUNTS, "pairs")
MOST_POINTS = 10_000

CHOICES: dict[str, tuple[object, ...]] = {
    "direction": ("clockwise", "counterclockwise"),
    "first_lead": ("lot", "highest_double"),
    "next_lead": ("went_out", "highest_double"),
    "spinner": ("none", "first_double", "every_double"),
    "lengthwise_choice": (False, True),
    "cross_arms_open": ("after_both_sides", "at_once"),
    "drawing": (False, True),
    "scoring": ("fives", "none"),
    "points_unit": (1, 5),
    "hand_end": ("opponents_total", "each_opponent", "own_subtracted"),
    "round_to": (5, 1),
    "block_tie": ("nobody", "fewer_tiles"),
    "claim": (False, True),
}
"""Fields with a closed set of values."""
RANGES: dict[str, tuple[int, int]] = {
    "boneyard_keep": (0, SET_SIZE),
    "wrong_call_costs": (0, MOST_POINTS),
    "max_hands": (1, MOST_HANDS),
}
"""Fields that are whole numbers, with their limits."""
MAPS: dict[str, tuple[tuple[str, ...], tuple[int, int]]] = {
    "deal": (PLAYER_COUNTS, (1, SET_SIZE)),
    "target": (TARGET_KEYS, (1, MOST_POINTS)),
}
"""Maps to whole numbers, with their keys and limits."""
SHORTHANDS = {"tiles_each": "deal", "target_points": "target"}
"""Plain numbers for this table's number of players, and the map each stands for."""
FIELDS = tuple(field for field in RuleSet.__struct_fields__ if field not in DESCRIPTION) + tuple(SHORTHANDS)


def merge(
    ruleset: RuleSet, players: int, seating: str | None, house_rules: Mapping[str, object]
) -> tuple[RuleSet, Seating]:
    """The rule set with the house rules merged in, and the seating of the table.

    Raises:
        InvalidRules: it cannot be played like that; every wrong field is named.
    """
    problems = [problem for field, value in house_rules.items() for problem in _field_problems(field, value)]
    if not _is_whole(players) or str(players) not in PLAYER_COUNTS:
        problems.append(_players_problem([int(count) for count in PLAYER_COUNTS if count in ruleset.deal]))
    if problems:
        raise InvalidRules(problems)
    changes: dict[str, Any] = {
        field: _merged(getattr(ruleset, field), value)
        for field, value in house_rules.items()
        if field not in SHORTHANDS
    }
    chosen = _chosen_seating(changes.get("seating", ruleset.seating), players, seating)
    for shorthand, field in SHORTHANDS.items():
        if shorthand in house_rules:
            key = "pairs" if field == "target" and chosen == "pairs" else str(players)
            problems += _said_twice(house_rules, shorthand, field, key)
            changes[field] = {**changes.get(field, getattr(ruleset, field)), key: house_rules[shorthand]}
    merged = structs.replace(ruleset, **changes)
    problems += _contradictions(merged, players, house_rules)
    if problems:
        raise InvalidRules(problems)
    return merged, chosen


def as_played(rules: RuleSet, players: int, seating: Seating) -> RuleSet:
    """The rules without what has no effect at a table of so many players: equal if the same game is played.

    >>> from app.engine.rulesets import ALL_FIVES, resolve
    >>> moot, _ = resolve("all-fives", 2, None, {"wrong_call_costs": 10, "deal": {"4": 6}})
    >>> moot == ALL_FIVES, as_played(moot, 2, "solo") == as_played(ALL_FIVES, 2, "solo")
    (False, True)
    """
    number = str(players)
    whose = "pairs" if seating == "pairs" else number
    return structs.replace(
        rules,
        deal={key: tiles for key, tiles in rules.deal.items() if key == number},
        seating={number: tuple(way for way in rules.seating.get(number, ("solo",)) if way == seating)},
        target={key: points for key, points in rules.target.items() if key == whose},
        direction="clockwise" if number == "2" else rules.direction,
        cross_arms_open="after_both_sides" if rules.spinner == "none" else rules.cross_arms_open,
        boneyard_keep=rules.boneyard_keep if rules.drawing else 0,
        wrong_call_costs=rules.wrong_call_costs if rules.claim else 0,
        max_hands=rules.max_hands or MOST_HANDS,
    )


def seating_for(rules: RuleSet, players: int) -> Seating:
    """The default seating of so many players."""
    return rules.seating.get(str(players), ("solo",))[0]


def _said_twice(house_rules: Mapping[str, object], shorthand: str, field: str, key: str) -> list[FieldProblem]:
    """A plain number and its map entry that disagree."""
    entries = house_rules.get(field)
    if not isinstance(entries, Mapping) or entries.get(key, house_rules[shorthand]) == house_rules[shorthand]:
        return []
    detail = f"{shorthand} is short for {field}[{key!r}], which is given too and differs: give one of them."
    return [FieldProblem(f"/house_rules/{shorthand}", "contradiction", detail, field=field, key=key)]


def _field_problems(field: str, value: object) -> list[FieldProblem]:
    """What is wrong with one house rule by itself."""
    path = f"/house_rules/{step(field)}"
    if field in CHOICES:
        return _not_one_of(path, value, CHOICES[field])
    if field in RANGES:
        return [] if field == "max_hands" and value is None else _out_of_range(path, value, *RANGES[field])
    if field in MAPS:
        return _map_problems(path, value, field)
    if field in SHORTHANDS:
        return _out_of_range(path, value, *MAPS[SHORTHANDS[field]][1])
    if field == "seating":
        return _seating_problems(path, value)
    detail = f"There is no house rule {field[:NAME_LENGTH]!r}; a table may set {', '.join(FIELDS)}."
    return [FieldProblem(path, "unknown_field", detail, allowed=list(FIELDS))]


def _merged(standing: object, value: object) -> object:
    """The field's new value; maps merge by key, and lists become tuples as in every rule set."""
    if isinstance(standing, dict) and isinstance(value, Mapping):
        return standing | {key: tuple(each) if isinstance(each, list) else each for key, each in value.items()}
    return value


def _chosen_seating(by_players: Mapping[str, tuple[Seating, ...]], players: int, seating: str | None) -> Seating:
    allowed = by_players.get(str(players), ("solo",))
    if seating is None:
        return allowed[0]
    for way in allowed:
        if seating == way:
            return way
    detail = f"{players} players sit {' or '.join(allowed)} here, not {seating!r}."
    raise InvalidRules([FieldProblem("/seating", "not_allowed", detail, allowed=list(allowed))])


def _contradictions(rules: RuleSet, players: int, house_rules: Mapping[str, object]) -> list[FieldProblem]:
    """What is wrong with rules whose fields are each right by themselves."""
    if str(players) not in rules.deal:
        return [_players_problem([int(count) for count in sorted(rules.deal)])]
    problems = _cannot_be_dealt(rules, players, house_rules)
    if problems:
        return problems
    boneyard = SET_SIZE - players * rules.deal[str(players)]
    if rules.boneyard_keep > boneyard:
        path = _first_set(house_rules, "boneyard_keep", "tiles_each", "deal")
        detail = f"The boneyard has only {boneyard} tiles; at most {boneyard} of them can be kept."
        problems.append(FieldProblem(path, "out_of_range", detail, min=0, max=boneyard))
    at_odds: tuple[tuple[bool, tuple[str, ...], str], ...] = (
        (
            rules.points_unit == 5 and rules.scoring != "fives",
            ("points_unit", "scoring"),
            "One point per five (points_unit 5) needs scoring fives.",
        ),
        (
            rules.points_unit == 5 and rules.round_to == 1,
            ("points_unit", "round_to"),
            "One point per five (points_unit 5) needs round_to 5.",
        ),
        (
            rules.claim and rules.scoring != "fives",
            ("claim", "scoring"),
            "Points can be claimed only with scoring fives.",
        ),
        (
            rules.lengthwise_choice and rules.spinner != "first_double",
            ("lengthwise_choice", "spinner"),
            "Only a first double that is the spinner is laid lengthwise: lengthwise_choice needs spinner first_double.",
        ),
        (
            rules.hand_end == "own_subtracted" and rules.max_hands is None,
            ("max_hands", "hand_end"),
            f"With own_subtracted a game may never reach its target: set max_hands, 1 to {MOST_HANDS}.",
        ),
    )
    for refused, fields, detail in at_odds:
        if refused:
            problems.append(
                FieldProblem(_first_set(house_rules, *fields), "contradiction", detail, fields=list(fields))
            )
    return problems


def _cannot_be_dealt(rules: RuleSet, players: int, house_rules: Mapping[str, object]) -> list[FieldProblem]:
    problems = []
    for count, tiles in rules.deal.items():
        most = SET_SIZE // int(count)
        if tiles > most:
            short = "tiles_each" in house_rules and count == str(players)
            path = "/house_rules/tiles_each" if short else f"/house_rules/deal/{count}"
            detail = (
                f"{count} players cannot have {tiles} tiles each; of {SET_SIZE} tiles each can have at most {most}."
            )
            problems.append(FieldProblem(path, "cannot_be_dealt", detail, min=1, max=most))
    return problems


def _first_set(house_rules: Mapping[str, object], *fields: str) -> str:
    """Path of the first of these fields that the table itself set: that is the one to name."""
    return f"/house_rules/{next((field for field in fields if field in house_rules), fields[0])}"


def _players_problem(allowed: list[int]) -> FieldProblem:
    detail = f"This is played by {' or '.join(str(count) for count in allowed)} players."
    return FieldProblem("/players", "not_allowed", detail, allowed=allowed)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _out_of_range(path: str, value: object, least: int, most: int) -> list[FieldProblem]:
    if not _is_whole(value):
        detail = f"Must be a whole number from {least} to {most}."
        return [FieldProblem(path, "wrong_type", detail, min=least, max=most)]
    if not least <= cast(int, value) <= most:
        detail = f"Must be from {least} to {most}, not {value}."
        return [FieldProblem(path, "out_of_range", detail, min=least, max=most)]
    return []


def _not_one_of(path: str, value: object, allowed: tuple[object, ...]) -> list[FieldProblem]:
    # True == 1 in Python, so the type is compared as well.
    if any(type(value) is type(choice) and value == choice for choice in allowed):
        return []
    shown = " or ".join(str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in allowed)
    return [FieldProblem(path, "not_allowed", f"Must be {shown}.", allowed=list(allowed))]


def _map_problems(path: str, value: object, field: str) -> list[FieldProblem]:
    keys, (least, most) = MAPS[field]
    if not isinstance(value, Mapping):
        detail = f"Must be a map with keys among {', '.join(keys)} and whole numbers from {least} to {most}."
        return [FieldProblem(path, "wrong_type", detail, allowed=list(keys))]
    problems = _unknown_keys(path, value, keys)
    for key, number in value.items():
        if key in keys:
            problems += _out_of_range(f"{path}/{key}", number, least, most)
    return problems


def _seating_problems(path: str, value: object) -> list[FieldProblem]:
    if not isinstance(value, Mapping):
        detail = f"Must be a map with keys among {', '.join(PLAYER_COUNTS)} and lists of solo and pairs."
        return [FieldProblem(path, "wrong_type", detail, allowed=list(PLAYER_COUNTS))]
    problems = _unknown_keys(path, value, PLAYER_COUNTS)
    for key, ways in value.items():
        allowed = ["solo", "pairs"] if key == "4" else ["solo"]
        if not isinstance(ways, list | tuple) or not ways or any(way not in allowed for way in ways):
            detail = f"Must be a list of {' and '.join(allowed)}, the default first."
            problems.append(FieldProblem(f"{path}/{step(key)}", "not_allowed", detail, allowed=allowed))
    return problems


def _unknown_keys(path: str, value: Mapping[object, object], keys: tuple[str, ...]) -> list[FieldProblem]:
    return [
        FieldProblem(
            f"{path}/{step(key)}",
            "unknown_field",
            f"{str(key)[:NAME_LENGTH]!r} is none of {', '.join(keys)}.",
            allowed=list(keys),
        )
        for key in value
        if key not in keys
    ]
