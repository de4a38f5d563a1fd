"""What may be seen of a game: the layout, which is public, and everything one seat may know.

Views are built up field by field. Nothing here dumps a state and strips it.
"""

from __future__ import annotations

from msgspec import Struct

from app.engine.ends import LEAD
from app.engine.events import End
from app.engine.game import Drew, Game, Laid, Past, phase, rules_of, turn
from app.engine.hand import Hand
from app.engine.layout import NO_TILE_YET, Layout, count_after, lay, open_end
from app.engine.legality import canonical_end, legal_moves, may_call
from app.engine.moves import Move
from app.engine.rules import Rules, rules_for, way_laid
from app.engine.ruleset import RuleSet, Seating
from app.engine.seen import seen_by
from app.engine.shown import shown_ends
from app.engine.tiles import ALL_TILES, names_in, parse_tile, size

__all__ = [
    "LaidTile",
    "LayoutView",
    "SeatView",
    "WindowView",
    "lacks",
    "layout_seen",
    "layout_view",
    "points_on_table",
    "preview",
    "seat_view",
    "seen_by",
    "unseen",
]


class LaidTile(Struct, frozen=True, kw_only=True):
    """One tile of the layout."""

    tile: str
    seat: int | None
    """Who laid it; None in the rules calculator, where nobody sits."""
    end: str
    """Where it was laid: `<tile>.<side>` or `lead`."""
    left: int
    """The number that touches the tile it was laid on (lead: its high half)."""
    right: int
    """The number of its free half (lead: its low half)."""
    spinner: bool
    lengthwise: bool


class LayoutView(Struct, frozen=True, kw_only=True):
    """The layout as everybody sees it."""

    tiles: tuple[LaidTile, ...]
    """In order of play."""
    ends: tuple[End, ...]
    """Open ends and short sides that are still shut; none before the lead."""
    count: int | None
    """Sum over the open ends; None where a claim table may not show it yet."""


class WindowView(Struct, frozen=True, kw_only=True):
    """A claim window as everybody sees it. Whether points were missed is not in it."""

    seat: int
    """Who made the play."""
    announce: int | None
    """What was announced with it."""
    last: bool
    """The play ended the hand."""
    may_call: bool
    """Whether the viewer may call it."""
    called: tuple[int, ...]
    """Seats that called already."""


class SeatView(Struct, frozen=True, kw_only=True):
    """Everything one seat may know, and all a bot gets."""

    rules: RuleSet
    players: int
    seating: Seating
    seat: int
    side: int
    partner: int | None
    scores: tuple[int, ...]
    target: int
    hand_number: int
    phase: str | None
    """playing | claim | over; None before the first deal."""
    leader: int | None
    turn: int | None
    layout: LayoutView
    boneyard: int
    """Tiles left in the boneyard."""
    tiles_left: tuple[int, ...]
    """Tiles held, per seat."""
    holding: tuple[str, ...]
    """The seat's own tiles, high tiles first."""
    legal_moves: tuple[Move, ...]
    history: tuple[Past, ...]
    """What everybody saw in this hand, oldest first."""
    lacks: tuple[tuple[int, ...], ...]
    """Per seat the numbers it is proved not to hold right now, by its draws and passes."""
    window: WindowView | None
    """The open claim window; None: there is none."""


def layout_view(game: Game) -> LayoutView:
    """The layout as everybody sees it; empty before the first deal.

    >>> from app.engine.actions import DealScripted, Play
    >>> from app.engine.evolve import replay
    >>> from app.engine.game import new_game
    >>> from app.engine.turns import decide
    >>> log = [new_game("all-fives", 2)]
    >>> log += decide(replay(log), DealScripted(holdings=(("64", "10"), ("65", "20")), boneyard=(), leader=0))
    >>> log += decide(replay(log), Play(seat=0, tile="64"))
    >>> view = layout_view(replay(log))
    >>> [(end.end, end.counts) for end in view.ends], view.count
    ([('64.left', 6), ('64.right', 4)], 10)
    """
    hand = game.hand
    layout = NO_TILE_YET if hand is None else hand.layout
    hidden = hand is not None and hand.window is not None and hand.window.hidden
    tiles = tuple(
        LaidTile(
            tile=laid.tile,
            seat=laid.seat,
            end=laid.end,
            left=laid.left,
            right=laid.right,
            spinner=laid.spinner,
            lengthwise=laid.lengthwise,
        )
        for laid in game.past
        if isinstance(laid, Laid)
    )
    return LayoutView(tiles=tiles, ends=shown_ends(layout, hidden), count=None if hidden else layout.count)


def seat_view(game: Game, seat: int) -> SeatView:
    """Everything this seat may know now.

    >>> from app.engine.actions import DealScripted
    >>> from app.engine.evolve import replay
    >>> from app.engine.game import new_game
    >>> from app.engine.turns import decide
    >>> log = [new_game("all-fives", 2)]
    >>> log += decide(replay(log), DealScripted(holdings=(("64", "10"), ("65", "20")), boneyard=(), leader=0))
    >>> view = seat_view(replay(log), 1)
    >>> view.holding, view.turn, view.tiles_left, view.legal_moves
    (('65', '20'), 0, (2, 2), ())

    Raises:
        ValueError: there is no such seat.
    """
    if not 0 <= seat < game.players:
        raise ValueError(f"seats go from 0 to {game.players - 1}, not {seat}")
    rules, hand = rules_of(game), game.hand
    side = rules.side[seat]
    return SeatView(
        rules=rules.ruleset,
        players=game.players,
        seating=game.seating,
        seat=seat,
        side=side,
        partner=next((mate for mate in rules.seats_of[side] if mate != seat), None),
        scores=game.scores,
        target=rules.target,
        hand_number=game.hand_number,
        phase=phase(game),
        leader=None if hand is None else hand.leader,
        turn=turn(game),
        layout=layout_view(game),
        boneyard=0 if hand is None else len(hand.boneyard),
        tiles_left=(0,) * game.players if hand is None else tuple(size(held) for held in hand.holdings),
        holding=() if hand is None else names_in(hand.holdings[seat]),
        legal_moves=legal_moves(game, seat),
        history=game.past,
        lacks=lacks(game),
        window=None if hand is None else _window_view(rules, game, hand, seat),
    )


def lacks(game: Game) -> tuple[tuple[int, ...], ...]:
    """Per seat the numbers that everybody can prove it not to hold right now, from its draws and passes."""
    hand = game.hand
    return ((),) * game.players if hand is None else tuple(_lacks(game, hand, seat) for seat in range(game.players))


def unseen(game: Game) -> tuple[str, ...]:
    """Tiles that do not lie on the table, high tiles first: held by somebody or in the boneyard."""
    lying = {laid.tile for laid in game.past if isinstance(laid, Laid)}
    return tuple(name for name in names_in(ALL_TILES) if name not in lying)


def _lacks(game: Game, hand: Hand, seat: int) -> tuple[int, ...]:
    if hand.turn == seat and game.past and isinstance(game.past[-1], Drew):
        # It has just drawn, and what it drew last may fit; with the boneyard at its end only its next move tells.
        return ()
    return tuple(number for number in range(7) if hand.lacks[seat] >> number & 1)


def _window_view(rules: Rules, game: Game, hand: Hand, seat: int) -> WindowView | None:
    window = hand.window
    if window is None:
        return None
    last = game.past[-1]
    return WindowView(
        seat=window.seat,
        announce=last.announce if isinstance(last, Laid) else None,
        last=window.last,
        may_call=may_call(rules, hand, seat),
        called=tuple(one for one in range(rules.players) if window.called >> one & 1),
    )


def layout_seen(view: SeatView) -> Layout:
    """The layout that a seat sees on the table, laid again from its tiles; its count is what a player can count."""
    rules = rules_for(view.rules, view.players, view.seating)
    layout = NO_TILE_YET
    for laid in view.layout.tiles:
        tile, end = parse_tile(laid.tile), open_end(layout, laid.end)
        assert end is not None
        layout = lay(layout, tile, end, way_laid(rules, tile, layout.has_double, laid.lengthwise))
    return layout


def preview(view: SeatView, move: Move) -> tuple[int, int]:
    """The count after a play, and the points it is worth, as a player can count them from the table.

    Raises:
        ValueError: the move is no play on an open end.
    """
    rules = rules_for(view.rules, view.players, view.seating)
    layout = layout_seen(view)
    end = LEAD if move.end is None else open_end(layout, canonical_end(move.end))
    if move.tile is None or end is None:
        raise ValueError(f"{move} is no play on an open end")
    tile = parse_tile(move.tile)
    count = count_after(layout, tile, end, way_laid(rules, tile, layout.has_double, move.lengthwise))
    return count, rules.points[count]


def points_on_table(view: SeatView) -> int:
    """Points of the count that lies on the table now, as a player can count it: what the last play was worth."""
    rules = rules_for(view.rules, view.players, view.seating)
    layout = layout_seen(view)
    return rules.points[layout.count]
