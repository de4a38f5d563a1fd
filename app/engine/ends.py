"""The ends of a layout as small ints, and tables of what each of them is worth and what covering it does.

An end's identity holds its kind, so nobody ever asks whether a spinner still counts: the count of a layout is the sum
of `COUNTS` over its open ends, always (RULES.md, "The layout and its ends" and "The count"). 21 ordinary tiles have
three ends each (the free half of a tile that was laid on may show either number), every double sixteen, and `LEAD` is
where the first tile goes.
"""

from __future__ import annotations

from typing import Literal, NewType

from app.engine.tiles import ALL_TILES, HALVES, NAMES, SHOWING, TILES, Tile, TileSet, is_double, other_half

End = NewType("End", int)
Kind = Literal["lead", "half", "long", "short"]
Way = NewType("Way", int)
"""How a double lies. An ordinary tile lies the same in every way."""

PLAIN = Way(0)
"""Across the line, no short sides."""
SPINNER = Way(1)
"""Across the line; its short sides open once both long sides are covered."""
SPINNER_AT_ONCE = Way(2)
"""Across the line; its short sides are open from the start."""
LENGTHWISE = Way(3)
"""Along the line, a spinner all the same: each line side counts once and, once both are covered, the others open."""
LENGTHWISE_AT_ONCE = Way(4)
"""Along the line, the other two sides open from the start."""
WAYS = (PLAIN, SPINNER, SPINNER_AT_ONCE, LENGTHWISE, LENGTHWISE_AT_ONCE)

NO_END = End(-1)
LEAD = End(0)
"""The place of the first tile."""
LEFT, RIGHT, UP, DOWN = range(4)
SIDES = ("left", "right", "up", "down")

_numbers: list[int] = [7]
_counts: list[int] = [0]
_kinds: list[Kind] = ["lead"]
_names: list[str] = ["lead"]
_tiles: list[Tile | None] = [None]
_sides: list[int] = [LEFT]
_fitting: list[TileSet] = [ALL_TILES]
_shut: list[tuple[End, ...]] = [()]
_covering: list[tuple[End, tuple[End, ...]]] = [(NO_END, ())]


def _new_end(tile: Tile, side: int, number: int, times: int, kind: Kind) -> End:
    _numbers.append(number)
    _counts.append(times * number)
    _kinds.append(kind)
    _names.append(f"{NAMES[tile]}.{SIDES[side]}")
    _tiles.append(tile)
    _sides.append(side)
    _fitting.append(SHOWING[number])
    _shut.append(())
    _covering.append((NO_END, ()))
    return End(len(_numbers) - 1)


def _new_pair(double: Tile, times: int) -> tuple[End, End]:
    number = HALVES[double][0]
    return _new_end(double, LEFT, number, times, "long"), _new_end(double, RIGHT, number, times, "long")


def _half_ends() -> dict[tuple[Tile, int, int], End]:
    halves: dict[tuple[Tile, int, int], End] = {}
    for tile in TILES:
        if not is_double(tile):
            high, low = HALVES[tile]
            for side, number in ((LEFT, high), (RIGHT, high), (RIGHT, low)):
                halves[tile, side, number] = _new_end(tile, side, number, 1, "half")
    return halves


def _ends_of_double(double: Tile) -> tuple[dict[Way, tuple[End, ...]], dict[Way, tuple[End, ...]]]:
    """Which ends appear when a double is laid, for every way: as the lead, and on another tile."""
    number = HALVES[double][0]
    short = (_new_end(double, UP, number, 0, "short"), _new_end(double, DOWN, number, 0, "short"))
    lone, long = _new_pair(double, 1), _new_pair(double, 2)
    spinner_lone, spinner_long = _new_pair(double, 1), _new_pair(double, 2)
    line_lone, line_long = _new_pair(double, 1), _new_pair(double, 1)
    line_at_once = _new_pair(double, 1)
    for first, second in ((lone, long), (spinner_lone, spinner_long), (line_lone, line_long)):
        _covering[first[LEFT]] = (first[RIGHT], (second[RIGHT],))
        _covering[first[RIGHT]] = (first[LEFT], (second[LEFT],))
    for end in spinner_long + line_long:
        _covering[end] = (NO_END, short)
    for end in spinner_lone + spinner_long + line_lone + line_long:
        _shut[end] = short
    as_lead: dict[Way, tuple[End, ...]] = {
        PLAIN: lone,
        SPINNER: spinner_lone,
        SPINNER_AT_ONCE: lone + short,
        LENGTHWISE: line_lone,
        LENGTHWISE_AT_ONCE: line_at_once + short,
    }
    on_another: dict[Way, tuple[End, ...]] = {
        PLAIN: (long[RIGHT],),
        SPINNER: (spinner_long[RIGHT],),
        SPINNER_AT_ONCE: (long[RIGHT], *short),
        LENGTHWISE: (line_long[RIGHT],),
        LENGTHWISE_AT_ONCE: (line_at_once[RIGHT], *short),
    }
    return as_lead, on_another


_halves = _half_ends()
_doubles = {tile: _ends_of_double(tile) for tile in TILES if is_double(tile)}

NUMBER: tuple[int, ...] = tuple(_numbers)
"""The number an end shows; 7, which no tile has, for the lead."""
COUNTS: tuple[int, ...] = tuple(_counts)
"""What an open end adds to the count."""
KIND: tuple[Kind, ...] = tuple(_kinds)
"""As the API names them, or lead."""
END_NAME: tuple[str, ...] = tuple(_names)
"""`55.up`. The right half of an ordinary tile has one name for two ends: resolve a name against the open ends."""
END_TILE: tuple[Tile | None, ...] = tuple(_tiles)
SIDE: tuple[int, ...] = tuple(_sides)
FITTING_AT: tuple[TileSet, ...] = tuple(_fitting)
"""Tiles that can be laid on an end."""
SHUT: tuple[tuple[End, ...], ...] = tuple(_shut)
"""Short sides that stay shut as long as this end is open."""


def _appearing(tile: Tile, end: End, way: Way) -> tuple[End, ...]:
    if is_double(tile):
        as_lead, on_another = _doubles[tile]
        return as_lead[way] if end == LEAD else on_another[way]
    high, low = HALVES[tile]
    if end == LEAD:
        return _halves[tile, LEFT, high], _halves[tile, RIGHT, low]
    return (_halves[tile, RIGHT, other_half(tile, NUMBER[end])],)


Laying = tuple[End, tuple[End, ...], int]
"""What laying a tile does: the twin that goes with the covered end, the ends that appear, the change of the count."""


def _laying(tile: Tile, end: End, way: Way) -> Laying | None:
    if end != LEAD and (not FITTING_AT[end] >> tile & 1 or END_TILE[end] == tile):
        return None
    twin, opened = _covering[end]
    appearing = opened + _appearing(tile, end, way)
    gone = COUNTS[end] + (COUNTS[twin] if twin != NO_END else 0)
    return twin, appearing, sum(COUNTS[new] for new in appearing) - gone


LAYING: tuple[tuple[tuple[Laying | None, ...], ...], ...] = tuple(
    tuple(tuple(_laying(tile, End(end), way) for tile in TILES) for end in range(len(NUMBER))) for way in WAYS
)
"""`LAYING[way][end][tile]`; None where the tile does not fit."""


def halves_laid(tile: Tile, end: End) -> tuple[int, int]:
    """The numbers at the `left` and `right` side of a tile laid on an end (RULES.md, "The layout and its ends").

    >>> from app.engine.tiles import parse_tile
    >>> halves_laid(parse_tile("64"), LEAD)
    (6, 4)
    """
    if end == LEAD:
        return HALVES[tile]
    return NUMBER[end], other_half(tile, NUMBER[end])
