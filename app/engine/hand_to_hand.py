"""From hand to hand: the next deal, and the end of the game."""

from __future__ import annotations

from app.engine import dealing
from app.engine.actions import Deal, DealScripted, EndGame
from app.engine.events import GameEnded, HandDealt
from app.engine.game import Game
from app.engine.hand import Hand
from app.engine.rules import Rules
from app.engine.scoring import places, sole_best
from app.engine.tiles import NAMES, parse_tile, parse_tiles


def next_deal(rules: Rules, game: Game, action: Deal | DealScripted) -> HandDealt:
    """The next hand, dealt in the order given or as written down, with its leader.

    Raises:
        ValueError: the script names a leader against a forced lead.
    """
    number = game.hand_number + 1
    if isinstance(action, Deal):
        order = tuple(parse_tile(name) for name in action.order)
        dealt = dealing.deal(rules, order)
        each = rules.tiles_each
        holdings = tuple(
            tuple(NAMES[tile] for tile in order[seat * each : (seat + 1) * each]) for seat in range(rules.players)
        )
        led = dealing.lead(rules, number, game.went_out, dealt.holdings, action.lot)
    else:
        dealt = dealing.Dealt(
            tuple(parse_tiles(names) for names in action.holdings), tuple(parse_tile(name) for name in action.boneyard)
        )
        holdings = tuple(tuple(NAMES[parse_tile(name)] for name in names) for names in action.holdings)
        lot = 0 if action.leader is None else action.leader
        led = dealing.lead(rules, number, game.went_out, dealt.holdings, lot)
        if led.by == "lot" or (led.by == "went_out" and action.leader is not None):
            led = dealing.Lead(lot, "scripted")
        elif action.leader not in (None, led.seat):
            raise ValueError(f"seat {led.seat} must lead this hand, not seat {action.leader}")
    return HandDealt(
        leader=led.seat,
        lead_by=led.by,
        tiles_each=len(holdings[0]),
        boneyard=len(dealt.boneyard),
        boneyard_tiles=tuple(NAMES[tile] for tile in dealt.boneyard),
        holdings=holdings,
    )


def stopped(game: Game, action: EndGame) -> GameEnded:
    """The end of a game that is stopped because people are gone (RULES.md, "Time, leaving, coming back")."""
    scores = game.scores
    winner = sole_best(scores, action.present) if action.reason == "forfeit" else None
    ranked = places(scores)
    if winner is not None:
        # Whoever stayed wins, whatever the sides that left have scored.
        ranked = tuple(1 if side == winner else max(2, place) for side, place in enumerate(ranked))
    return GameEnded(winner=winner, scores=scores, places=ranked, reason=action.reason)


def game_end(rules: Rules, hand: Hand, number: int) -> GameEnded | None:
    """The end of the game, if this hand was its last: the target is reached, or no more hands may be played."""
    best = sole_best(hand.scores, range(rules.sides))
    if max(hand.scores) >= rules.target:
        return GameEnded(winner=best, scores=hand.scores, places=places(hand.scores), reason="target")
    if number >= rules.max_hands:
        return GameEnded(winner=best, scores=hand.scores, places=places(hand.scores), reason="max_hands")
    return None
