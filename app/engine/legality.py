"""The only judge: what is allowed now, and why not otherwise.

`verify` refuses, `legal_moves` lists; both rest on the same few questions about a hand (RULES.md, "A turn"). A refusal
speaks only of what the acting seat may know: its own tiles, the layout and how many tiles the boneyard has.
"""

from __future__ import annotations

from typing import assert_never

from app.engine.actions import Action, CloseClaim, Deal, DealScripted, Draw, EndGame, Muggins, Pass, Play
from app.engine.ends import END_NAME, FITTING_AT, LEAD, NUMBER, SHUT, End
from app.engine.errors import RuleViolation
from app.engine.game import Game, rules_of
from app.engine.hand import NOBODY, Hand, Window
from app.engine.layout import count_after, open_end
from app.engine.moves import Move
from app.engine.possible import Placing, can_draw, is_blocked, may_call, plays
from app.engine.rules import Rules, way_laid
from app.engine.shown import open_ends
from app.engine.tiles import BIT, DOUBLES, NAMES, TILES, Tile, TileSet, parse_tile, tiles_in

__all__ = [
    "Placing",
    "can_draw",
    "is_blocked",
    "legal_moves",
    "may_call",
    "moves_on_turn",
    "plays",
    "verify",
    "verify_draw",
    "verify_pass",
    "verify_play",
]


def legal_moves(game: Game, seat: int) -> tuple[Move, ...]:
    """Everything a seat may do now, as moves that are valid as they stand; high tiles first.

    Plays carry the count after them and the points, except on claim tables. An opponent may call `muggins` all through
    a window, whether points were missed or not: the list must not tell.

    >>> from app.engine.actions import DealScripted
    >>> from app.engine.evolve import replay
    >>> from app.engine.game import new_game
    >>> from app.engine.turns import decide
    >>> log = [new_game("all-fives", 2)]
    >>> log += decide(replay(log), DealScripted(holdings=(("64", "10"), ("65", "20")), boneyard=(), leader=0))
    >>> [(move.tile, move.end, move.points) for move in legal_moves(replay(log), 0)]
    [('64', 'lead', 10), ('10', 'lead', 0)]
    """
    hand = game.hand
    if hand is None or game.over or hand.over:
        return ()
    rules = rules_of(game)
    moves: list[Move] = []
    if hand.turn == seat:
        moves += moves_on_turn(rules, hand)
    if may_call(rules, hand, seat):
        moves.append(Move(action="muggins"))
    return tuple(moves)


def moves_on_turn(rules: Rules, hand: Hand) -> list[Move]:
    """Plays, or else the draw, or else the pass of the seat on turn."""
    found = plays(rules, hand)
    if found:
        order = {end: place for place, end in enumerate(open_ends(hand.layout))}
        found.sort(key=lambda placing: (-placing[0], order[placing[1]], placing[2]))
        return [_move(rules, hand, *placing) for placing in found]
    if can_draw(rules, hand):
        return [Move(action="draw")]
    return [Move(action="pass")]


def _move(rules: Rules, hand: Hand, tile: Tile, end: End, lengthwise: bool) -> Move:
    count = points = None
    if not rules.claim:
        count = count_after(hand.layout, tile, end, way_laid(rules, tile, hand.layout.has_double, lengthwise))
        points = rules.points[count]
    return Move(action="play", tile=NAMES[tile], end=END_NAME[end], lengthwise=lengthwise, count=count, points=points)


def verify(game: Game, action: Action) -> None:  # noqa: C901 - a branch for every action
    """Refuse the action if the rules do not allow it now.

    Raises:
        RuleViolation: with the code of API.md; `str()` says what would be right.
        ValueError: a deal is not made of the right tiles, which only the server itself can get wrong.
    """
    if game.over:
        raise RuleViolation("table_finished", "The game is over; nothing more can be played at this table.")
    match action:
        case Play():
            verify_play(rules_of(game), _hand_on_turn(game, action.seat), action)
        case Draw():
            verify_draw(rules_of(game), _hand_on_turn(game, action.seat))
        case Pass():
            verify_pass(rules_of(game), _hand_on_turn(game, action.seat))
        case Muggins():
            _verify_muggins(rules_of(game), _started(game), action.seat)
        case CloseClaim():
            _verify_close_claim(_started(game))
        case Deal() | DealScripted():
            if game.hand is not None and not game.hand.over:
                raise RuleViolation("hand_not_finished", "The next hand is dealt when this one has ended.")
            if isinstance(action, Deal) and sorted(parse_tile(name) for name in action.order) != list(TILES):
                raise ValueError("a deal needs 28 different tiles")
        case EndGame():
            pass
        case _:
            assert_never(action)


def verify_play(rules: Rules, hand: Hand, play: Play) -> Placing:
    """The placing that the play names, for the seat on turn.

    Raises:
        RuleViolation: `not_in_holding` `must_lead` `must_play_drawn_tile` `end_required` `end_closed` `does_not_fit`
            `lengthwise_not_allowed`.
    """
    layout = hand.layout
    held = hand.holdings[hand.turn]
    try:
        tile = parse_tile(play.tile)
    except ValueError as error:
        raise RuleViolation("not_in_holding", f"{error}.", tile=play.tile) from None
    name = NAMES[tile]
    if not held & BIT[tile]:
        raise RuleViolation("not_in_holding", f"You do not hold {name}.", tile=name)
    at_lead = layout.ends == (LEAD,)
    if at_lead and not layout.fits & BIT[tile]:
        led = NAMES[tiles_in(layout.fits)[0]]
        raise RuleViolation("must_lead", f"You must lead {led}, not {name}.", tile=led)
    if hand.drawn and not layout.fits & BIT[tile]:
        right = NAMES[tiles_in(_fitting(hand))[0]]
        raise RuleViolation("must_play_drawn_tile", f"You drew {right}, which fits: play it.", tile=right)
    end = _end_named(hand, tile, play.end, at_lead)
    if not FITTING_AT[end] & BIT[tile]:
        raise _does_not_fit(hand, tile, end)
    if play.lengthwise:
        _verify_lengthwise(rules, hand, tile)
    return tile, end, play.lengthwise


def verify_draw(rules: Rules, hand: Hand) -> None:
    """Whether the seat on turn may draw.

    Raises:
        RuleViolation: `must_play` `must_play_drawn_tile` `nothing_to_draw`.
    """
    _verify_cannot_play(hand)
    if not can_draw(rules, hand):
        if not rules.ruleset.drawing:
            raise RuleViolation("nothing_to_draw", "Nobody draws at this table: pass.")
        kept = f" but the {rules.kept} that stay there" if hand.boneyard else ""
        raise RuleViolation("nothing_to_draw", f"The boneyard has no tiles{kept}: pass.", boneyard=len(hand.boneyard))


def verify_pass(rules: Rules, hand: Hand) -> None:
    """Whether the seat on turn may pass.

    Raises:
        RuleViolation: `must_play` `must_play_drawn_tile` `must_draw`.
    """
    _verify_cannot_play(hand)
    if can_draw(rules, hand):
        raise RuleViolation(
            "must_draw", "No tile of yours fits, but the boneyard has tiles: draw.", boneyard=len(hand.boneyard)
        )


def _started(game: Game) -> Hand:
    hand = game.hand
    if hand is None:
        raise RuleViolation("game_not_started", "No hand has been dealt yet.")
    if hand.over:
        raise RuleViolation("hand_over", "This hand is over; wait for the next deal.")
    return hand


def _hand_on_turn(game: Game, seat: int) -> Hand:
    hand = _started(game)
    if hand.turn == NOBODY:
        raise RuleViolation("hand_over", "The last tile of this hand is laid; only its points can be called now.")
    if seat != hand.turn:
        raise RuleViolation("not_your_turn", f"It is seat {hand.turn}'s turn.", turn=hand.turn)
    return hand


def _fitting(hand: Hand) -> TileSet:
    return hand.holdings[hand.turn] & hand.layout.fits


def _verify_cannot_play(hand: Hand) -> None:
    if not _fitting(hand):
        return
    if hand.drawn:
        tile = NAMES[tiles_in(_fitting(hand))[0]]
        raise RuleViolation("must_play_drawn_tile", f"You drew {tile}, which fits: play it.", tile=tile)
    if hand.layout.ends == (LEAD,):
        raise RuleViolation("must_play", "You lead: play a tile.")
    raise RuleViolation("must_play", "You hold a tile that fits: play it.")


def _end_named(hand: Hand, tile: Tile, name: str | None, at_lead: bool) -> End:
    if name is None:
        if at_lead:
            return LEAD
        if not hand.layout.fits & BIT[tile]:
            raise RuleViolation(
                "does_not_fit", f"{NAMES[tile]} fits none of the open ends.", tile=NAMES[tile], ends=_names_open(hand)
            )
        fitting = [END_NAME[end] for end in open_ends(hand.layout) if FITTING_AT[end] & BIT[tile]]
        raise RuleViolation(
            "end_required", f"Name the end for {NAMES[tile]}: {' or '.join(fitting)}.", tile=NAMES[tile], ends=fitting
        )
    end = open_end(hand.layout, canonical_end(name))
    if end is not None:
        return end
    raise _end_closed(hand, canonical_end(name), at_lead)


def canonical_end(name: str) -> str:
    """The end's name with its tile written high half first; anything else as it is.

    >>> canonical_end("46.right"), canonical_end("lead")
    ('64.right', 'lead')
    """
    tile, dot, side = name.partition(".")
    try:
        return NAMES[parse_tile(tile)] + dot + side
    except ValueError:
        return name


def _names_open(hand: Hand) -> list[str]:
    return [END_NAME[end] for end in open_ends(hand.layout)]


def _end_closed(hand: Hand, name: str, at_lead: bool) -> RuleViolation:
    ends = _names_open(hand)
    if at_lead:
        return RuleViolation("end_closed", "The first tile goes on lead.", end=name, ends=ends)
    shut = {END_NAME[short] for end in hand.layout.ends for short in SHUT[end]}
    if name in shut:
        detail = f"{name} opens when both long sides of its spinner are covered; open now: {', '.join(ends)}."
    else:
        detail = f"{name} is not an open end; open now: {', '.join(ends)}."
    return RuleViolation("end_closed", detail, end=name, ends=ends)


def _does_not_fit(hand: Hand, tile: Tile, end: End) -> RuleViolation:
    fitting = [END_NAME[other] for other in open_ends(hand.layout) if FITTING_AT[other] & BIT[tile]]
    where = f"it fits {' and '.join(fitting)}" if fitting else "it fits none of the open ends"
    detail = f"{NAMES[tile]} has no {NUMBER[end]}, which {END_NAME[end]} shows; {where}."
    return RuleViolation("does_not_fit", detail, tile=NAMES[tile], end=END_NAME[end], ends=fitting)


def _verify_lengthwise(rules: Rules, hand: Hand, tile: Tile) -> None:
    if not rules.lengthwise_choice:
        detail = "No tile is laid lengthwise by these rules."
    elif not DOUBLES & BIT[tile]:
        detail = f"Only a double is laid lengthwise, not {NAMES[tile]}."
    elif hand.layout.has_double:
        detail = "Only the first double may be laid lengthwise, and one lies already."
    else:
        return
    raise RuleViolation("lengthwise_not_allowed", detail, tile=NAMES[tile])


def _verify_muggins(rules: Rules, hand: Hand, seat: int) -> None:
    window: Window | None = hand.window
    if window is None:
        raise RuleViolation("nothing_to_call", "There is no play to call now.")
    if not 0 <= seat < rules.players or rules.side[seat] == rules.side[window.seat]:
        raise RuleViolation("nothing_to_call", "Only an opponent of its maker may call a play.")
    if window.called >> seat & 1:
        raise RuleViolation("already_called", "You have called this play already; each seat may call once.")
    if not window.missed and not rules.wrong_call_costs:
        raise RuleViolation("nothing_to_call", "This play missed no points.")


def _verify_close_claim(hand: Hand) -> None:
    if hand.window is None or not hand.window.last:
        raise RuleViolation("nothing_to_call", "No window is open after a hand's last play.")
