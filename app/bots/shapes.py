"""When two layouts are the same for play: ends that differ only by symmetry, or by history, have one shape.

The order of a layout's open ends is history, and the left and right side of a lone double are alike. A search that
does not know this looks at everything two or four times.
"""

from __future__ import annotations

from app.engine.ends import COUNTS, FITTING_AT, LAYING, NO_END, NUMBER, PLAIN, End, Way
from app.engine.layout import Layout, lay
from app.engine.tiles import IS_DOUBLE, Tile, TileSet, tiles_in


def _traits(end: End) -> tuple[int, ...]:
    """What can happen at an end: its number, what it counts, and what covering it does to the others."""
    ordinary = next((tile for tile in tiles_in(TileSet(FITTING_AT[end])) if not IS_DOUBLE[tile]), None)
    laying = None if ordinary is None else LAYING[PLAIN][end][ordinary]
    if laying is None:
        return NUMBER[end], COUNTS[end]
    twin, appearing, change = laying
    return NUMBER[end], COUNTS[end], twin != NO_END, len(appearing), change - NUMBER[appearing[-1]]


_all_traits = [_traits(End(end)) for end in range(len(NUMBER))]
_order = sorted(set(_all_traits))
SHAPE: tuple[int, ...] = tuple(_order.index(traits) for traits in _all_traits)
"""For every end a small number; ends of the same shape are alike for play."""


def shape(ends: tuple[End, ...]) -> tuple[int, ...]:
    """The shape of a layout with these open ends.

    >>> from app.engine.ends import LEAD
    >>> shape((LEAD,)) == (SHAPE[LEAD],)
    True
    """
    return tuple(sorted([SHAPE[end] for end in ends]))


def shape_after(layout: Layout, tile: Tile, end: End, way: Way) -> tuple[int, ...]:
    """The shape of the layout once the tile is laid."""
    return shape(lay(layout, tile, end, way).ends)
