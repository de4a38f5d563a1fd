"""Which tiles can be laid on an end and how each changes the count, looked up at once for every set of tiles."""

from __future__ import annotations

from typing import cast

from app.engine.ends import LAYING, NUMBER, PLAIN, End, Laying
from app.engine.tiles import Tile, TileSet, tiles_in

Option = tuple[Tile, int]
"""A tile, and by how much the count changes."""


class _OptionsAt(dict[int, tuple[Option, ...]]):
    """The options at one end for every set of tiles that fit there, each made when it is first asked for.

    Across the line every way of lying changes the count alike; only a double laid lengthwise does not.
    """

    def __init__(self, end: End) -> None:
        super().__init__()
        self.end = end

    def __missing__(self, here: int) -> tuple[Option, ...]:
        layings = ((tile, LAYING[PLAIN][self.end][tile]) for tile in tiles_in(TileSet(here)))
        made = tuple((tile, laying[2]) for tile, laying in layings if laying is not None)
        self[here] = made
        return made


OPTIONS_AT = tuple(_OptionsAt(End(end)) for end in range(len(NUMBER)))
"""`OPTIONS_AT[end][tiles]`, where the tiles are some of `FITTING_AT[end]`, the highest first."""


NO_POINTS, NO_REPLY = -998, -999
"""In place of a change: some tile fits, but none scores; no tile fits."""


class _RepliesAt(dict[int, tuple[int, ...]]):
    """The highest change at one end that lifts a count to a multiple of five, for every set of tiles that fit there.

    `[rest]`: for counts to which so much is missing, from 0 to 4. Of changes that score the highest scores most.
    """

    def __init__(self, end: End) -> None:
        super().__init__()
        self.end = end

    def __missing__(self, here: int) -> tuple[int, ...]:
        changes = [change for _, change in OPTIONS_AT[self.end][here]]
        none = NO_POINTS if changes else NO_REPLY
        made = tuple(max((change for change in changes if change % 5 == rest), default=none) for rest in range(5))
        self[here] = made
        return made


REPLIES_AT = tuple(_RepliesAt(End(end)) for end in range(len(NUMBER)))
"""`REPLIES_AT[end][tiles][rest]`, where the tiles are some of `FITTING_AT[end]`."""


LAID = cast("tuple[tuple[tuple[Laying, ...], ...], ...]", LAYING)
"""`LAYING` for plays that are known to fit, which a search never doubts."""
