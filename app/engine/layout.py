"""The tiles on the table, as far as the rules need them: which ends are open and what they count together."""

from __future__ import annotations

from msgspec import Struct

from app.engine.ends import COUNTS, END_NAME, FITTING_AT, LAYING, LEAD, NO_END, End, Way
from app.engine.tiles import ALL_TILES, IS_DOUBLE, NO_TILES, Tile, TileSet


class Layout(Struct, frozen=True, gc=False, array_like=True):
    """A layout's open ends. Which tiles led to them is history and lies with the game."""

    ends: tuple[End, ...]
    """Open ends, in the order in which they appeared; only `LEAD` before the first tile."""
    count: int
    """Sum over the open ends."""
    fits: TileSet
    """Tiles that fit an open end; before a forced lead only the tile that must be led."""
    has_double: bool
    """A double lies: the next one is not the first."""


NO_TILE_YET = Layout((LEAD,), 0, ALL_TILES, False)


def before_lead(fits: TileSet) -> Layout:
    """The empty table; `fits` are the tiles that may be led."""
    return Layout((LEAD,), 0, fits, False)


def lay(layout: Layout, tile: Tile, end: End, way: Way) -> Layout:
    """The layout after the tile was laid on an open end that it fits (RULES.md, "The layout and its ends").

    >>> from app.engine.ends import SPINNER
    >>> from app.engine.tiles import parse_tile
    >>> lay(NO_TILE_YET, parse_tile("55"), LEAD, SPINNER).count
    10
    """
    laying = LAYING[way][end][tile]
    assert laying is not None
    twin, appearing, change = laying
    ends = [*layout.ends, *appearing]
    ends.remove(end)
    if twin != NO_END:
        ends.remove(twin)
    fits = NO_TILES
    for still_open in ends:
        fits |= FITTING_AT[still_open]
    return Layout(tuple(ends), layout.count + change, fits, layout.has_double or IS_DOUBLE[tile])


def count_after(layout: Layout, tile: Tile, end: End, way: Way) -> int:
    """The count if the tile were laid there.

    >>> from app.engine.ends import PLAIN
    >>> from app.engine.tiles import parse_tile
    >>> count_after(NO_TILE_YET, parse_tile("64"), LEAD, PLAIN)
    10
    """
    laying = LAYING[way][end][tile]
    assert laying is not None
    return layout.count + laying[2]


def open_end(layout: Layout, name: str) -> End | None:
    """The open end of that name; None: there is none.

    `64.right` may be either half of the tile: only the open ends tell which, so a name is resolved against them.

    >>> open_end(NO_TILE_YET, "lead") == LEAD, open_end(NO_TILE_YET, "55.up")
    (True, None)
    """
    for end in layout.ends:
        if END_NAME[end] == name:
            return end
    return None


def counted(layout: Layout) -> int:
    """The count added up again from the open ends; equal to `layout.count`, which is kept along the way."""
    return sum(COUNTS[end] for end in layout.ends)
