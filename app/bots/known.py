"""What a seat knows, in the engine's own numbers: the only way from a `SeatView` into a bot's reckoning."""

from __future__ import annotations

from msgspec import Struct

from app.bots.shapes import shape_after
from app.engine.ends import End, Way
from app.engine.layout import Layout, open_end
from app.engine.moves import Move
from app.engine.rules import Rules, rules_for, way_laid
from app.engine.tiles import ALL_TILES, NO_TILES, SHOWING, Tile, TileSet, parse_tile, parse_tiles
from app.engine.views import SeatView, layout_seen


class Known(Struct, frozen=True, gc=False):
    """What one seat knows of the hand when it has to move."""

    rules: Rules
    seat: int
    layout: Layout
    holding: TileSet
    unseen: TileSet
    """Tiles that lie in the boneyard or in other seats' hands."""
    tiles_left: tuple[int, ...]
    """Per seat."""
    boneyard: int
    """Tiles in the boneyard."""
    cannot_hold: tuple[TileSet, ...]
    """Per seat the tiles that its draws and passes prove it does not hold now."""
    scores: tuple[int, ...]
    hand_number: int


class Choice(Struct, frozen=True, gc=False):
    """One play, in numbers."""

    move: Move
    tile: Tile
    end: End
    way: Way
    lengthwise: bool


def known(view: SeatView) -> Known:
    """What the viewing seat knows now."""
    holding = parse_tiles(view.holding)
    laid = parse_tiles(one.tile for one in view.layout.tiles)
    return Known(
        rules=rules_for(view.rules, view.players, view.seating),
        seat=view.seat,
        layout=layout_seen(view),
        holding=holding,
        unseen=ALL_TILES ^ holding ^ laid,
        tiles_left=view.tiles_left,
        boneyard=view.boneyard,
        cannot_hold=tuple(showing(numbers) for numbers in view.lacks),
        scores=view.scores,
        hand_number=view.hand_number,
    )


def showing(numbers: tuple[int, ...]) -> TileSet:
    """All tiles that show one of these numbers."""
    found = NO_TILES
    for number in numbers:
        found |= SHOWING[number]
    return found


def choices(view: SeatView, now: Known) -> list[Choice]:
    """The plays of the seat on turn; of plays that differ only by symmetry, the first."""
    rules, layout = now.rules, now.layout
    found: dict[tuple[int, tuple[int, ...]], Choice] = {}
    for move in view.legal_moves:
        if move.action != "play" or move.tile is None or move.end is None:
            continue
        tile, end = parse_tile(move.tile), open_end(layout, move.end)
        assert end is not None
        way = way_laid(rules, tile, layout.has_double, move.lengthwise)
        found.setdefault((tile, shape_after(layout, tile, end, way)), Choice(move, tile, end, way, move.lengthwise))
    return list(found.values())


def only_move(view: SeatView) -> Move | None:
    """The move of a seat that has no choice; None: it has one. Raises: ValueError when it is not on turn."""
    moves = [move for move in view.legal_moves if move.action != "muggins"]
    if not moves:
        raise ValueError(f"seat {view.seat} is not on turn")
    return moves[0] if len(moves) == 1 else None
