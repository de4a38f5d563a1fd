"""What follows from an action: one `play` for the server and for a search.

`play`, `draw` and `skip` take a hand that the action is allowed in, call the event-named functions of `hand`, and take
notes only if they are given a log. `decide` is `verify`, then the same functions with a log; so there is one set of
rules, not two.
"""

from __future__ import annotations

from typing import Literal, assert_never

from msgspec import structs

from app.engine import hand as hands
from app.engine.actions import Action, CloseClaim, Deal, DealScripted, Draw, EndGame, Muggins, Pass, Play
from app.engine.ends import END_NAME, LENGTHWISE, LENGTHWISE_AT_ONCE, PLAIN, End, Way, halves_laid
from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    GameEvent,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.game import Game, rules_of
from app.engine.hand import Hand
from app.engine.hand_to_hand import game_end, next_deal, stopped
from app.engine.layout import Layout
from app.engine.legality import verify, verify_play
from app.engine.possible import is_blocked
from app.engine.rules import Rules, way_laid
from app.engine.scoring import breakdown, settle, unsettled
from app.engine.shown import shown_ends
from app.engine.tiles import BIT, NAMES, Tile, names_in

Log = list[GameEvent]


def decide(game: Game, action: Action) -> tuple[GameEvent, ...]:
    """What happens when somebody does this: the events in the order of API.md, "Order within one step".

    Raises:
        RuleViolation: the rules do not allow it now; nothing has changed.
        ValueError: a deal is not made of the right tiles, or names a leader against a forced lead.
    """
    verify(game, action)
    rules, number = rules_of(game), game.hand_number
    log: Log = []
    if isinstance(action, Deal | DealScripted):
        number += 1
        log.append(next_deal(rules, game, action))
    elif isinstance(action, EndGame):
        if game.hand is not None and game.hand.window is not None:
            close_window(game.hand, None, log)
        log.append(stopped(game, action))
    else:
        assert game.hand is not None
        hand = _played(rules, game.hand, action, log)
        game_over = game_end(rules, hand, number) if hand.over else None
        if game_over is not None:
            log.append(game_over)
    return tuple(_of_hand(event, number) for event in log)


def _played(rules: Rules, hand: Hand, action: Play | Draw | Pass | Muggins | CloseClaim, log: Log) -> Hand:
    match action:
        case Play():
            tile, end, lengthwise = verify_play(rules, hand, action)
            return play(rules, hand, tile, end, lengthwise, announce=action.announce, log=log)
        case Draw():
            return draw(rules, hand, log)
        case Pass():
            return skip(rules, hand, log)
        case Muggins():
            return call(rules, hand, action.seat, log)
        case CloseClaim():
            return close_claim(rules, hand, log)
        case _:
            assert_never(action)


def play(
    rules: Rules,
    hand: Hand,
    tile: Tile,
    end: End,
    lengthwise: bool = False,
    *,
    announce: int | None = None,
    log: Log | None = None,
) -> Hand:
    """The seat on turn lays a tile that fits an open end: its points come first, then the end of the hand, if any.

    `announce`: the points announced; only a claim table asks (RULES.md, "A turn" and "The claim variant").
    """
    seat = hand.turn
    if hand.window is not None:
        hand = close_window(hand, None, log)
    before = hand
    hand = hands.tile_played(rules, hand, tile, end, lengthwise)
    points = worth = rules.points[hand.layout.count]
    if rules.claim and announce != worth:
        points = 0
    if log is not None:
        lies = way_laid(rules, tile, before.layout.has_double, lengthwise)
        announced = announce or None if rules.claim else None
        played = _tile_played(before.turn, tile, end, lies, announced)
        log.append(_laid_out(played, hand.layout, hidden=rules.claim and not points))
    if points:
        side = rules.side[seat]
        hand = _score(hand, side, points, "play", seat=seat, log=log)
        if hand.scores[side] >= rules.target:
            return _end_hand(rules, hand, "target", log)
    out = not hand.holdings[seat]
    ends_hand = out or (len(hand.boneyard) <= rules.kept and is_blocked(rules, hand))
    if rules.claim and (ends_hand or not points):
        if log is not None:
            log.append(ClaimOpened(seat=seat))
        return hands.claim_opened(hand, worth - points, not points, ends_hand)
    if ends_hand:
        return _end_hand(rules, hand, "went_out" if out else "blocked", log)
    return hand


def draw(rules: Rules, hand: Hand, log: Log | None = None) -> Hand:
    """The seat on turn draws until a tile fits or nothing more may be drawn; a block is noticed at once."""
    if hand.window is not None:
        hand = close_window(hand, None, log)
    seat, fits = hand.turn, hand.layout.fits
    most = len(hand.boneyard) - rules.kept
    number = 1
    while number < most and not fits & BIT[hand.boneyard[number - 1]]:
        number += 1
    tiles = hand.boneyard[:number]
    hand = hands.tiles_drawn(hand, number)
    if log is not None:
        names = tuple(NAMES[tile] for tile in tiles)
        log.append(TilesDrawn(seat=seat, number=number, tiles=names, boneyard=len(hand.boneyard)))
    if not hand.drawn and is_blocked(rules, hand):
        return _end_hand(rules, hand, "blocked", log)
    return hand


def skip(rules: Rules, hand: Hand, log: Log | None = None) -> Hand:
    """The seat on turn passes."""
    if hand.window is not None:
        hand = close_window(hand, None, log)
    if log is not None:
        log.append(TurnPassed(seat=hand.turn))
    return hands.turn_passed(rules, hand)


def call(rules: Rules, hand: Hand, seat: int, log: Log | None = None) -> Hand:
    """An opponent calls “Muggins!”: the points that were missed are his, or a wrong call costs him."""
    window = hand.window
    assert window is not None
    side = rules.side[seat]
    if window.missed:
        hand = close_window(hand, seat, log)
        points = window.missed
    else:
        hand = hands.muggins_called(hand, seat)
        points = -rules.wrong_call_costs
    if log is not None:
        log.append(MugginsCalled(seat=seat, points=points))
    hand = _score(hand, side, points, "muggins", seat=seat, log=log)
    if hand.scores[side] >= rules.target:
        return _end_hand(rules, hand, "target", log)
    if window.missed and window.last:
        return _end_hand(rules, hand, _how_it_ended(hand), log)
    return hand


def close_claim(rules: Rules, hand: Hand, log: Log | None = None) -> Hand:
    """The window after a hand's last play has run out: the hand's end is scored."""
    hand = close_window(hand, None, log)
    return _end_hand(rules, hand, _how_it_ended(hand), log)


def close_window(hand: Hand, taken_by: int | None, log: Log | None) -> Hand:
    """The open window closes, and its count and what was missed become public."""
    window = hand.window
    assert window is not None
    if log is not None:
        log.append(
            ClaimClosed(
                seat=window.seat,
                count=hand.layout.count,
                ends=shown_ends(hand.layout),
                missed=window.missed,
                taken_by=taken_by,
            )
        )
    return hands.claim_closed(hand)


def _how_it_ended(hand: Hand) -> Literal["went_out", "blocked"]:
    return "blocked" if hand.holdings[hand.last_player] else "went_out"


def _score(hand: Hand, side: int, points: int, reason: str, *, seat: int | None, log: Log | None) -> Hand:
    hand = hands.points_scored(hand, side, points)
    if log is not None:
        log.append(PointsScored(side=side, seat=seat, points=points, reason=reason, score=hand.scores[side]))
    return hand


def _end_hand(rules: Rules, hand: Hand, reason: Literal["went_out", "blocked", "target"], log: Log | None) -> Hand:
    seat = hand.last_player
    if reason == "target":
        account = unsettled(rules)
    else:
        account = settle(rules, hand.holdings, seat if reason == "went_out" else None)
    hand = hands.hand_ended(hand)
    if log is not None:
        log.append(
            HandEnded(
                reason=reason,
                winner=account.winner,
                seat=None if seat == hands.NOBODY else seat,
                holdings=tuple(names_in(held) for held in hand.holdings),
                boneyard=tuple(NAMES[tile] for tile in hand.boneyard),
                breakdown=breakdown(rules, hand.holdings, account),
                points=account.points,
                scores=tuple(score + more for score, more in zip(hand.scores, account.points, strict=True)),
            )
        )
    for side, points in enumerate(account.points):
        if points:
            # Nobody loses by going out: what comes off is the spots of those who hold some.
            earner = seat if reason == "went_out" and side == rules.side[seat] and points > 0 else None
            seats = rules.seats_of[side]
            if earner is None and len(seats) == 1:
                earner = seats[0]
            hand = _score(hand, side, points, "hand_end", seat=earner, log=log)
    return hand


def _tile_played(seat: int, tile: Tile, end: End, lies: Way, announced: int | None) -> TilePlayed:
    """The play, without the layout it made."""
    left, right = halves_laid(tile, end)
    return TilePlayed(
        seat=seat,
        tile=NAMES[tile],
        end=END_NAME[end],
        left=left,
        right=right,
        lengthwise=lies in (LENGTHWISE, LENGTHWISE_AT_ONCE),
        spinner=lies != PLAIN,
        announce=announced,
        count=None,
        ends=(),
    )


def _laid_out(played: TilePlayed, after: Layout, *, hidden: bool) -> TilePlayed:
    """The play with its layout; `hidden`: a claim table may not show what the ends count yet."""
    return structs.replace(played, count=None if hidden else after.count, ends=shown_ends(after, hidden))


def _of_hand(event: GameEvent, number: int) -> GameEvent:
    """The event with the number of its hand; the end of a game belongs to none."""
    if isinstance(event, GameEnded) or not number:
        return event
    return structs.replace(event, hand=number)
