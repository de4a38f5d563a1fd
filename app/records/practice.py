"""A record at any point of any hand, as a practice table: what to open, and which moves lead to the point."""

from __future__ import annotations

from msgspec import Struct

from app.engine.events import MugginsCalled, TilePlayed, TilesDrawn, TurnPassed
from app.engine.moves import Move
from app.tables.shapes import FinishedHand, GameRecord


class NoSuchPoint(Exception):
    """The record has no such hand or move; the message says which it has."""


class Made(Struct, frozen=True):
    """A move and who made it."""

    seat: int
    move: Move
    """As it stands a body for `POST …/moves`."""


class Point(Struct, frozen=True, kw_only=True):
    """A point of a game."""

    body: dict[str, object]
    """For `POST /v1/tables`: the same tiles, boneyard and leader; nobody sits yet, nobody's clock runs."""
    made: tuple[Made, ...]
    """What was played in the hand before this point."""
    next: Made
    """What was played at it."""
    players: int

    def against_bots(self, seat: int) -> dict[str, object]:
        """The body with bots at all seats but this one; they play at once, so it is of use before the first move.

        The caller sits at seat 0 by opening the table; any other seat he takes afterwards.
        """
        bots = [{"seat": other, "level": "medium"} for other in range(self.players) if other != seat]
        return {**self.body, "sit": seat == 0, "bots": bots}


def point(record: GameRecord, hand: int, move: int) -> Point:
    """The game after `move` moves of the hand, counting plays, draws, passes and calls; 0: as it was dealt.

    The scores of a practice table begin at 0, whatever they were in the game.

    Raises:
        NoSuchPoint: the record has no such hand, or the hand not so many moves.
    """
    hands = {finished.number: finished for finished in record.hands}
    if hand not in hands:
        raise NoSuchPoint(f"the record has hands 1 to {len(hands)}, not {hand}" if hands else "the record has no hand")
    finished = hands[hand]
    moves = moves_of(finished)
    if not 0 <= move < len(moves):
        raise NoSuchPoint(f"hand {hand} has {len(moves)} moves: name 0 to {len(moves) - 1} of them, not {move}")
    return Point(body=_body(record, finished), made=moves[:move], next=moves[move], players=record.players)


def moves_of(hand: FinishedHand) -> tuple[Made, ...]:
    """Every play, draw, pass and call of a hand, in order."""
    made = []
    for event in hand.events:
        match event:
            case TilePlayed():
                move = Move(
                    action="play",
                    tile=event.tile,
                    end=event.end,
                    lengthwise=event.lengthwise,
                    announce=event.announce,
                )
                made.append(Made(event.seat, move))
            case TilesDrawn(seat=seat):
                made.append(Made(seat, Move(action="draw")))
            case TurnPassed(seat=seat):
                made.append(Made(seat, Move(action="pass")))
            case MugginsCalled(seat=seat):
                made.append(Made(seat, Move(action="muggins")))
            case _:
                pass
    return tuple(made)


def _body(record: GameRecord, hand: FinishedHand) -> dict[str, object]:
    """A practice table deals its script as a first hand: whatever named this hand's leader must name the first's."""
    forced = hand.lead_by in ("highest_double", "heaviest_tile")
    first_lead = "highest_double" if forced else "lot"
    house_rules = dict(record.ruleset.house_rules)
    if record.rules.first_lead != first_lead:
        house_rules["first_lead"] = first_lead
    return {
        "ruleset": record.ruleset.id,
        "players": record.players,
        "seating": record.seating,
        "house_rules": house_rules,
        "clock": {"turn_seconds": None},
        "sit": False,
        "practice": {"holdings": hand.holdings, "boneyard": hand.boneyard, "leader": hand.leader},
    }
