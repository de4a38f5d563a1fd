"""Bookkeeping: the state after an event.

Nothing here judges or refuses, and stamps (times, `seq`, `by`) change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import structs

from app.engine import hand as hands
from app.engine.dealing import Dealt
from app.engine.ends import END_NAME
from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    GameEvent,
    GameStarted,
    HandDealt,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.game import Drew, Game, Laid, Passed, Result, rules_of
from app.engine.hand import Hand
from app.engine.layout import open_end
from app.engine.possible import is_blocked
from app.engine.rules import Rules
from app.engine.tiles import parse_tile, parse_tiles


def evolve(game: Game | None, event: GameEvent) -> Game:  # noqa: C901, PLR0911, PLR0912 - a branch for every event
    """The game after this event; `game` is None before `GameStarted`, the first of every log.

    Raises:
        ValueError: the log is broken: it does not begin with `GameStarted`, a hand's event comes outside a hand, or
            names an end that is not open.
    """
    if isinstance(event, GameStarted):
        return Game(ruleset=event.ruleset, players=event.players, seating=event.seating)
    if game is None:
        raise ValueError(f"a log begins with game_started, not with {type(event).__name__}")
    rules = rules_of(game)
    if isinstance(event, HandDealt):
        return _dealt(rules, game, event)
    if isinstance(event, GameEnded):
        result = Result(event.winner, event.scores, event.places, event.reason)
        return structs.replace(game, result=result)
    hand = game.hand
    if hand is None:
        raise ValueError(f"{type(event).__name__} comes before the first deal")
    match event:
        case TilePlayed():
            end = open_end(hand.layout, event.end)
            if end is None:
                raise ValueError(f"{event.end} is not open; open: {[END_NAME[end] for end in hand.layout.ends]}")
            hand = hands.tile_played(rules, hand, parse_tile(event.tile), end, event.lengthwise)
            return structs.replace(game, hand=hand, past=(*game.past, _laid(event)))
        case TilesDrawn():
            hand = hands.tiles_drawn(hand, event.number)
            return structs.replace(game, hand=hand, past=(*game.past, Drew(event.seat, event.number)))
        case TurnPassed():
            hand = hands.turn_passed(rules, hand)
            return structs.replace(game, hand=hand, past=(*game.past, Passed(event.seat)))
        case PointsScored():
            hand = hands.points_scored(hand, event.side, event.points)
        case ClaimOpened():
            hand = _claim_opened(rules, game, hand)
        case MugginsCalled():
            hand = hands.muggins_called(hand, event.seat)
        case ClaimClosed():
            hand = hands.claim_closed(hand)
        case HandEnded():
            went_out = event.seat if event.reason == "went_out" else None
            return structs.replace(game, hand=hands.hand_ended(hand), went_out=went_out)
        case _:
            assert_never(event)
    return structs.replace(game, hand=hand)


def replay(events: Iterable[GameEvent]) -> Game:
    """The game that a whole log leads to.

    >>> from app.engine.game import new_game
    >>> replay([new_game("all-fives", 2)]).scores
    (0, 0)

    Raises:
        ValueError: the log is empty or broken.
    """
    game: Game | None = None
    for event in events:
        game = evolve(game, event)
    if game is None:
        raise ValueError("a log has at least game_started")
    return game


def _dealt(rules: Rules, game: Game, event: HandDealt) -> Game:
    if event.boneyard_tiles is None:
        raise ValueError("a masked deal cannot be replayed: its boneyard is hidden")
    holdings = tuple(parse_tiles(names or ()) for names in event.holdings)
    dealt = Dealt(holdings, tuple(parse_tile(name) for name in event.boneyard_tiles))
    hand = hands.hand_dealt(rules, dealt, event.leader, event.lead_by, game.scores)
    return structs.replace(game, hand=hand, hand_number=game.hand_number + 1, past=())


def _laid(event: TilePlayed) -> Laid:
    return Laid(
        event.seat,
        event.tile,
        event.end,
        event.left,
        event.right,
        event.lengthwise,
        event.spinner,
        event.announce,
    )


def _claim_opened(rules: Rules, game: Game, hand: Hand) -> Hand:
    """The window as `play` opened it. The event may not tell what was missed, so it is counted again."""
    last = game.past[-1]
    announced = last.announce if isinstance(last, Laid) else None
    worth = rules.points[hand.layout.count]
    scored = bool(worth) and announced == worth
    ends_hand = not hand.holdings[hand.last_player] or is_blocked(rules, hand)
    return hands.claim_opened(hand, 0 if scored else worth, not scored, ends_hand)
