"""The 28 tiles as small ints, sets of tiles as bit masks, and their names.

A tile is named high half first (`"64"`, `"50"`, `"00"`). Names are for people, the log and the API; the engine counts
with ints because a search plays hundreds of thousands of tiles a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NewType

Tile = NewType("Tile", int)
"""0 (`00`) … 27 (`66`); the higher tile is the larger int."""

if TYPE_CHECKING:

    class TileSet(int):
        """A set of tiles: bit `1 << tile` is set for each."""

        def __and__(self, other: int) -> TileSet: ...
        def __or__(self, other: int) -> TileSet: ...
        def __xor__(self, other: int) -> TileSet: ...

else:
    # A plain int: set operations keep the type for the checker, and nobody pays 60 ns to convert their result.
    TileSet = int

HALVES: tuple[tuple[int, int], ...] = tuple((high, low) for high in range(7) for low in range(high + 1))
"""Both halves of every tile, the high one first."""
TILES: tuple[Tile, ...] = tuple(Tile(i) for i in range(len(HALVES)))
NAMES: tuple[str, ...] = tuple(f"{high}{low}" for high, low in HALVES)
SPOTS: tuple[int, ...] = tuple(high + low for high, low in HALVES)
"""Spots (pips) on every tile."""
BIT: tuple[int, ...] = tuple(1 << tile for tile in TILES)
TILE_OF_BIT: dict[int, Tile] = {1 << tile: tile for tile in TILES}
NO_TILES = TileSet(0)
ALL_TILES = TileSet((1 << len(TILES)) - 1)
IS_DOUBLE: tuple[bool, ...] = tuple(high == low for high, low in HALVES)
DOUBLES = TileSet(sum(BIT[tile] for tile in TILES if IS_DOUBLE[tile]))
SHOWING: tuple[TileSet, ...] = tuple(
    TileSet(sum(BIT[tile] for tile in TILES if number in HALVES[tile])) for number in range(7)
)
"""For every number, the seven tiles that show it."""

_BY_NAME = {name: tile for tile, name in zip(TILES, NAMES, strict=True)} | {
    name[::-1]: tile for tile, name in zip(TILES, NAMES, strict=True)
}


def parse_tile(name: str) -> Tile:
    """The tile of that name, either half first.

    >>> tile_name(parse_tile("46"))
    '64'

    Raises:
        ValueError: no such tile.
    """
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"{name!r} is no tile; a tile is two digits from 0 to 6, such as '64'") from None


def tile_name(tile: Tile) -> str:
    """The tile's name, high half first.

    >>> tile_name(parse_tile("64"))
    '64'
    """
    return NAMES[tile]


def tile_set(tiles: Iterable[Tile]) -> TileSet:
    """The set of these tiles.

    >>> names_in(tile_set([parse_tile("50"), parse_tile("66")]))
    ('66', '50')
    """
    held = NO_TILES
    for tile in tiles:
        held |= BIT[tile]
    return held


def parse_tiles(names: Iterable[str]) -> TileSet:
    """The set of the tiles of these names.

    >>> names_in(parse_tiles(["05", "66"]))
    ('66', '50')

    Raises:
        ValueError: no such tile.
    """
    return tile_set(parse_tile(name) for name in names)


def tiles_in(held: TileSet) -> tuple[Tile, ...]:
    """The tiles of a set, high tiles first."""
    return tuple(tile for tile in reversed(TILES) if held >> tile & 1)


def names_in(held: TileSet) -> tuple[str, ...]:
    """The names of the tiles of a set, high tiles first."""
    return tuple(NAMES[tile] for tile in tiles_in(held))


def size(held: TileSet) -> int:
    """How many tiles a set has.

    >>> size(parse_tiles(["64", "50"]))
    2
    """
    return held.bit_count()


def spots_in(held: TileSet) -> int:
    """Spots on all tiles of a set.

    >>> spots_in(parse_tiles(["65", "20"]))
    13
    """
    spots = 0
    while held:
        lowest = held & -held
        spots += SPOTS[TILE_OF_BIT[lowest]]
        held ^= lowest
    return spots


def is_double(tile: Tile) -> bool:
    """Whether both halves show the same number.

    >>> is_double(parse_tile("55")), is_double(parse_tile("50"))
    (True, False)
    """
    return IS_DOUBLE[tile]


def other_half(tile: Tile, number: int) -> int:
    """The number on the half of the tile that is not `number`; a double's own number.

    >>> other_half(parse_tile("64"), 6), other_half(parse_tile("55"), 5)
    (4, 5)
    """
    high, low = HALVES[tile]
    return low if number == high else high


def highest_double(held: TileSet) -> Tile | None:
    """The highest double of a set; None: it has none.

    >>> tile_name(highest_double(parse_tiles(["64", "22", "33"])))
    '33'
    """
    doubles = held & DOUBLES
    return TILES[doubles.bit_length() - 1] if doubles else None


def heaviest(held: TileSet) -> Tile:
    """The tile with most spots, of equal ones that with the higher half (RULES.md, "RuleSet fields").

    >>> tile_name(heaviest(parse_tiles(["63", "54", "21"])))
    '63'
    """
    return max(tiles_in(held), key=lambda tile: (SPOTS[tile], tile))
