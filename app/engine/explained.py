"""Rule sets in plain words: what every field means with its value, and what each kind of end counts, by example.

The sentences and examples are made from the same data the engine plays by; the numbers are what the engine counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from app.engine.calculator import Laying, calculate
from app.engine.ruleset import DESCRIPTION, MOST_HANDS, RuleSet
from app.engine.rulesets import ALL_FIVES


class FieldMeaning(Struct, frozen=True, kw_only=True):
    """One field of a rule set, with its value in words."""

    field: str
    value: object
    means: str
    differs: bool
    """Whether `all-fives` has another value."""


class CountExample(Struct, frozen=True, kw_only=True):
    """What one kind of end counts, shown on a layout."""

    ends: str
    """The kind of end, in words."""
    counts: str
    """What it adds to the count, in words."""
    plays: tuple[str, ...]
    """Tiles laid, each with its end: `55`, `50>55.left`; a double laid along the line has `lengthwise` behind it."""
    count: int
    """The count after the last of them."""
    points: int
    """What the last of them scores."""


class Explanation(Struct, frozen=True, kw_only=True):
    """One rule set, explained."""

    meanings: tuple[FieldMeaning, ...]
    count_table: tuple[CountExample, ...]


def explained(rules: RuleSet) -> Explanation:
    """Every field in words, and the count table with worked examples.

    >>> from app.engine.rulesets import RULE_SETS
    >>> told = explained(RULE_SETS["five-up"])
    >>> [field.means for field in told.meanings if field.field == "spinner"]
    ['Every double is a spinner with four arms of its own.']
    """
    meanings = tuple(
        FieldMeaning(
            field=name,
            value=getattr(rules, name),
            means=_meaning(rules, name),
            differs=getattr(rules, name) != getattr(ALL_FIVES, name),
        )
        for name in RuleSet.__struct_fields__
        if name not in DESCRIPTION
    )
    return Explanation(meanings=meanings, count_table=tuple(_examples(rules)))


_MEANINGS: Final[dict[tuple[str, object], str]] = {
    ("direction", "clockwise"): "The turn goes clockwise: seat 0, 1, 2, …",
    ("direction", "counterclockwise"): "The turn goes counter-clockwise: from a seat to the one numbered before it.",
    ("first_lead", "lot"): "A lot decides who leads the first hand.",
    ("first_lead", "highest_double"): "The holder of the highest double leads the first hand with that very tile; "
    "with no double anywhere the heaviest tile leads.",
    ("next_lead", "went_out"): "Who went out leads the next hand; after a block a new lot decides.",
    ("next_lead", "highest_double"): "The holder of the highest double leads every later hand with that very tile; "
    "with no double anywhere the heaviest tile leads.",
    ("spinner", "none"): "No double is a spinner: the line has two ends.",
    ("spinner", "first_double"): "The first double is the spinner, which can be built on from all four sides.",
    ("spinner", "every_double"): "Every double is a spinner with four arms of its own.",
    ("lengthwise_choice", True): "Whoever lays the first double may lay it along the line, where it counts once.",
    ("lengthwise_choice", False): "Doubles lie across the line.",
    ("cross_arms_open", "after_both_sides"): "A spinner's short sides open once both its long sides are covered.",
    ("cross_arms_open", "at_once"): "A spinner's short sides are open as soon as it lies.",
    ("drawing", True): "Without a fitting tile you draw until one fits or nothing may be drawn.",
    ("drawing", False): "Nobody draws: without a fitting tile you pass.",
    ("scoring", "fives"): "A count above 0 that is a multiple of five scores for whoever made it.",
    ("scoring", "none"): "Nothing is scored in play.",
    ("points_unit", 1): "A count or a hand's end earns its full value.",
    ("points_unit", 5): "One point for every five, in play and at a hand's end.",
    ("hand_end", "opponents_total"): "The winner of a hand gets the spots all opponents hold, added up, then rounded.",
    ("hand_end", "each_opponent"): "The winner of a hand gets each opponent's spots, each rounded by itself.",
    ("hand_end", "own_subtracted"): "After a hand everyone's own spots, rounded, come off the score; nobody gains.",
    ("round_to", 5): "Spots at a hand's end are rounded to the nearest five: 2 is 0, 3 is 5, 7 is 5, 8 is 10.",
    ("round_to", 1): "Spots at a hand's end count exactly.",
    ("block_tie", "nobody"): "When a blocked hand's lowest spots are equal, nobody wins it.",
    (
        "block_tie",
        "fewer_tiles",
    ): "When a blocked hand's lowest spots are equal, the fewer tiles win; still equal: nobody.",
    ("claim", True): "Points must be announced with the play; what is missed, an opponent may take by calling it.",
    ("claim", False): "Points are scored without being announced.",
}


def _meaning(rules: RuleSet, field: str) -> str:
    told = _TOLD.get(field)
    return _MEANINGS[field, getattr(rules, field)] if told is None else told(rules)


def _deal(rules: RuleSet) -> str:
    return f"Tiles each: {', '.join(f'{each} for {players}' for players, each in rules.deal.items())} players."


def _seating(rules: RuleSet) -> str:
    ways = [f"{players}: {' or '.join(rules.seating[players])}" for players in rules.deal]
    return f"How the seats score, by number of players ({'; '.join(ways)})."


def _target(rules: RuleSet) -> str:
    used = {"pairs" if way == "pairs" else players for players in rules.deal for way in rules.seating[players]}
    points = [f"{points} for {who}" for who, points in rules.target.items() if who in used]
    return f"The first to reach the target wins at once: {', '.join(points)}."


def _boneyard_keep(rules: RuleSet) -> str:
    if not rules.boneyard_keep:
        return "The whole boneyard may be drawn."
    return f"The last {rules.boneyard_keep} tiles of the boneyard stay there."


def _wrong_call_costs(rules: RuleSet) -> str:
    if not rules.wrong_call_costs:
        return "A call with nothing to take is refused."
    return f"A call with nothing to take costs {rules.wrong_call_costs} points."


def _max_hands(rules: RuleSet) -> str:
    return f"The game ends after {rules.max_hands or MOST_HANDS:,} hands at the latest; the highest score wins."


_TOLD: Final[dict[str, Callable[[RuleSet], str]]] = {
    "deal": _deal,
    "seating": _seating,
    "target": _target,
    "boneyard_keep": _boneyard_keep,
    "wrong_call_costs": _wrong_call_costs,
    "max_hands": _max_hands,
}
"""Fields whose values are numbers or maps."""


def _examples(rules: RuleSet) -> list[CountExample]:
    """The rows of RULES.md, "The count", that can happen by these rules."""
    shown = [
        _example(rules, "the only tile on the table, not a double", "both halves", "64"),
        _example(rules, "free half of an ordinary tile", "its number", "64", "61>64.left"),
        _example(rules, "double alone on the table", "twice its number", "55"),
        _example(rules, "double at the end of a line", "twice its number", "64", "44>64.right"),
    ]
    if rules.lengthwise_choice:
        shown += [
            _example(
                rules, "double laid lengthwise at the end of a line", "its number", "64", "44>64.right lengthwise"
            ),
            _example(rules, "double laid lengthwise, alone on the table", "both halves", "55 lengthwise"),
        ]
    covered = ("55", "50>55.left", "53>55.right")
    if rules.spinner == "none":
        return [*shown, _example(rules, "double with both sides covered", "nothing", *covered)]
    if rules.cross_arms_open == "at_once":
        shown.append(_example(rules, "spinner with a short side built on first", "twice its number", "55", "52>55.up"))
    shown += [
        _example(rules, "spinner with both long sides covered", "nothing, its free short sides nothing", *covered),
        _example(rules, "last tile of an arm", "its number, or twice for a double", *covered, "52>55.up", "65>55.down"),
    ]
    if rules.spinner == "every_double":
        second = ("64", "44>64.right", "41>44.right", "11>41.right", "10>11.right", "12>11.up")
        shown.append(_example(rules, "a second spinner, with an arm of its own", "as the first", *second))
    return shown


def _example(rules: RuleSet, ends: str, counts: str, *plays: str) -> CountExample:
    players = min(rules.deal)
    seating = rules.seating[players][0]
    last = calculate(rules, int(players), seating, [_laying(play) for play in plays]).steps[-1]
    return CountExample(ends=ends, counts=counts, plays=plays, count=last.count, points=last.points)


def _laying(play: str) -> Laying:
    placed, _, lengthwise = play.partition(" ")
    tile, _, end = placed.partition(">")
    return Laying(tile=tile, end=end or None, lengthwise=bool(lengthwise))
