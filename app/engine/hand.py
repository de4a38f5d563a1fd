"""One hand as a value, and one function per event: the only places where a hand changes.

None of these functions judges. `legality` says what is allowed, `turns` says what follows from it, and both the server
and a search go through here.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from app.engine.dealing import Dealt
from app.engine.ends import NUMBER, PLAIN, End
from app.engine.layout import Layout, before_lead, lay
from app.engine.rules import Rules, way_laid
from app.engine.tiles import ALL_TILES, BIT, IS_DOUBLE, Tile, TileSet, heaviest, highest_double

NOBODY = -1
"""In place of a seat: nobody."""


class Window(Struct, frozen=True, gc=False, array_like=True):
    """The time in which opponents may call what the last play missed (RULES.md, "The claim variant")."""

    seat: int
    """Who made the play."""
    missed: int
    """Points it was worth and its maker did not get; 0: nothing to call, which nobody may be told."""
    hidden: bool
    """Whether the count must not be shown; False only where the play scored."""
    last: bool
    """It ended the hand: only calls are accepted now."""
    called: int = 0
    """Seats that called, as bits."""


class Hand(Struct, frozen=True, gc=False, array_like=True):
    """One deal, from the lead to its end, with the running scores of the game."""

    layout: Layout
    holdings: tuple[TileSet, ...]
    """Per seat."""
    boneyard: tuple[Tile, ...]
    """In drawing order: the first is drawn first."""
    turn: int
    """Seat to act; `NOBODY` in a last-play window and after the end."""
    scores: tuple[int, ...]
    """Per side, running."""
    leader: int
    last_player: int
    """Who laid the last tile; `NOBODY` before the lead."""
    lacks: tuple[int, ...]
    """Per seat the numbers, as bits, that a draw or pass proves it does not hold; while a drawn tile that fits is still
    to be played, that tile is the exception."""
    drawn: bool = False
    """The seat on turn drew a tile that fits and must play it."""
    window: Window | None = None
    over: bool = False


def hand_dealt(rules: Rules, dealt: Dealt, leader: int, lead_by: str, scores: tuple[int, ...]) -> Hand:
    """A new hand before its lead; where a tile must be led, it is the only one that fits."""
    fits = ALL_TILES
    held = dealt.holdings[leader]
    if lead_by == "highest_double":
        fits = TileSet(BIT[highest_double(held) or 0])
    elif lead_by == "heaviest_tile":
        fits = TileSet(BIT[heaviest(held)])
    return Hand(
        layout=before_lead(fits),
        holdings=dealt.holdings,
        boneyard=dealt.boneyard,
        turn=leader,
        scores=scores,
        leader=leader,
        last_player=NOBODY,
        lacks=(0,) * rules.players,
    )


def tile_played(rules: Rules, hand: Hand, tile: Tile, end: End, lengthwise: bool) -> Hand:
    """The seat on turn laid a tile; the turn goes on to the next seat."""
    seat, layout = hand.turn, hand.layout
    holdings = [*hand.holdings]
    holdings[seat] ^= BIT[tile]
    lies = way_laid(rules, tile, layout.has_double, lengthwise) if IS_DOUBLE[tile] else PLAIN
    # By position, here and for a draw: this is where a search spends its time.
    return Hand(
        lay(layout, tile, end, lies),
        tuple(holdings),
        hand.boneyard,
        rules.next_seat[seat],
        hand.scores,
        hand.leader,
        seat,
        hand.lacks,
    )


def points_scored(hand: Hand, side: int, points: int) -> Hand:
    """A side's score changed."""
    scores = [*hand.scores]
    scores[side] += points
    return replace(hand, scores=tuple(scores))


def tiles_drawn(hand: Hand, number: int) -> Hand:
    """The seat on turn drew so many tiles; if the last one fits it must be played, and the turn does not move."""
    seat, layout = hand.turn, hand.layout
    held = hand.holdings[seat]
    for tile in hand.boneyard[:number]:
        held |= BIT[tile]
    holdings = [*hand.holdings]
    holdings[seat] = held
    fits = held & layout.fits != 0
    # No tile held before and none drawn but the last shows an open number. What was proved earlier about other numbers
    # may be wrong for the new tiles, unless the only one goes to the table at once.
    lacks = [*hand.lacks]
    lacks[seat] = _numbers_open(layout) | (lacks[seat] if number == 1 and fits else 0)
    return Hand(
        layout,
        tuple(holdings),
        hand.boneyard[number:],
        seat,
        hand.scores,
        hand.leader,
        hand.last_player,
        tuple(lacks),
        fits,
    )


def turn_passed(rules: Rules, hand: Hand) -> Hand:
    """The seat on turn could neither play nor draw."""
    seat = hand.turn
    proved = hand.lacks[seat] | _numbers_open(hand.layout)
    return replace(
        hand,
        turn=rules.next_seat[seat],
        lacks=(*hand.lacks[:seat], proved, *hand.lacks[seat + 1 :]),
        drawn=False,
    )


def claim_opened(hand: Hand, missed: int, hidden: bool, last: bool) -> Hand:
    """Opponents may call what the play that was just made missed."""
    window = Window(hand.last_player, missed, hidden, last)
    return replace(hand, window=window, turn=NOBODY if last else hand.turn)


def muggins_called(hand: Hand, seat: int) -> Hand:
    """A seat called; the points, if any, are events of their own."""
    window = hand.window
    if window is None:
        return hand
    return replace(hand, window=replace(window, called=window.called | 1 << seat))


def claim_closed(hand: Hand) -> Hand:
    """The window is closed and everybody may count."""
    return replace(hand, window=None)


def hand_ended(hand: Hand) -> Hand:
    """The hand is over; nobody is on turn."""
    return replace(hand, turn=NOBODY, over=True, drawn=False)


def _numbers_open(layout: Layout) -> int:
    numbers = 0
    for end in layout.ends:
        numbers |= 1 << NUMBER[end]
    return numbers
