"""How a layout's ends are written for readers: every open end, and the short sides that are still shut."""

from __future__ import annotations

from functools import cache

from app.engine import events
from app.engine.ends import COUNTS, END_NAME, END_TILE, KIND, LEAD, NUMBER, SHUT, SIDE, End
from app.engine.layout import Layout
from app.engine.tiles import NAMES


def _place(end: End) -> tuple[int, int]:
    tile = END_TILE[end]
    return (0 if tile is None else -tile, SIDE[end])


def open_ends(layout: Layout) -> list[End]:
    """The open ends in the order readers see them: high tiles first, then left, right, up, down."""
    return sorted(layout.ends, key=_place)


def shown_ends(layout: Layout, counts_hidden: bool = False) -> tuple[events.End, ...]:
    """All ends of a layout, open or still shut, with what each counts; none before the lead.

    `counts_hidden`: a claim table may not show what the ends count yet.
    """
    if layout.ends == (LEAD,):
        return ()
    shut = {short for end in layout.ends for short in SHUT[end]}
    return tuple(_shown(end, end not in shut, counts_hidden) for end in sorted(shut.union(layout.ends), key=_place))


@cache
def _shown(end: End, is_open: bool, counts_hidden: bool) -> events.End:
    tile, kind = END_TILE[end], KIND[end]
    assert tile is not None
    assert kind != "lead"
    return events.End(
        end=END_NAME[end],
        tile=NAMES[tile],
        number=NUMBER[end],
        kind=kind,
        open=is_open,
        counts=None if counts_hidden else COUNTS[end],
    )
