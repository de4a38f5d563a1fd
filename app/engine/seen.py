"""What one viewer may see of an event: a copy built up field by field from what is public to him.

The default is nothing: a field nobody names here stays at its empty default, and a new event type fails type checking
until somebody has decided what of it may be seen.
"""

from __future__ import annotations

from typing import assert_never

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


def seen_by(event: GameEvent, seat: int | None) -> GameEvent:  # noqa: C901, PLR0911 - a branch for every event
    """The event as a seat, or (None) a spectator, may see it.

    Of a deal a seat sees its own tiles, of a draw its own and what it may do then. What a claim table hides was left
    out when the event was written and stays out for ever.

    >>> drawn = TilesDrawn(seat=1, number=2, tiles=("50", "64"), boneyard=12)
    >>> seen_by(drawn, 1).tiles, seen_by(drawn, 0).tiles
    (('50', '64'), None)
    """
    seq, at, hand = event.seq, event.at, event.hand
    match event:
        case GameStarted():
            return GameStarted(
                seq=seq,
                at=at,
                hand=hand,
                ruleset=event.ruleset,
                rules=event.rules,
                players=event.players,
                seating=event.seating,
                target=event.target,
            )
        case HandDealt():
            own = tuple(held if place == seat else None for place, held in enumerate(event.holdings))
            return HandDealt(
                seq=seq,
                at=at,
                hand=hand,
                leader=event.leader,
                lead_by=event.lead_by,
                tiles_each=event.tiles_each,
                boneyard=event.boneyard,
                boneyard_tiles=None,
                holdings=own,
                commitment=event.commitment,
                client_seeds=None,
            )
        case TilePlayed():
            return TilePlayed(
                seq=seq,
                at=at,
                hand=hand,
                seat=event.seat,
                tile=event.tile,
                end=event.end,
                left=event.left,
                right=event.right,
                lengthwise=event.lengthwise,
                spinner=event.spinner,
                announce=event.announce,
                count=event.count,
                ends=event.ends,
                by=event.by,
            )
        case PointsScored():
            return PointsScored(
                seq=seq,
                at=at,
                hand=hand,
                side=event.side,
                seat=event.seat,
                points=event.points,
                reason=event.reason,
                score=event.score,
            )
        case TilesDrawn():
            own_draw = seat == event.seat
            return TilesDrawn(
                seq=seq,
                at=at,
                hand=hand,
                seat=event.seat,
                number=event.number,
                tiles=event.tiles if own_draw else None,
                boneyard=event.boneyard,
                by=event.by,
                legal_moves=event.legal_moves if own_draw else None,
            )
        case TurnPassed():
            return TurnPassed(seq=seq, at=at, hand=hand, seat=event.seat, by=event.by)
        case ClaimOpened():
            return ClaimOpened(seq=seq, at=at, hand=hand, seat=event.seat, deadline=event.deadline)
        case MugginsCalled():
            return MugginsCalled(seq=seq, at=at, hand=hand, seat=event.seat, points=event.points)
        case ClaimClosed():
            return ClaimClosed(
                seq=seq,
                at=at,
                hand=hand,
                seat=event.seat,
                count=event.count,
                ends=event.ends,
                missed=event.missed,
                taken_by=event.taken_by,
            )
        case HandEnded():
            return HandEnded(
                seq=seq,
                at=at,
                hand=hand,
                reason=event.reason,
                winner=event.winner,
                seat=event.seat,
                holdings=event.holdings,
                boneyard=event.boneyard,
                breakdown=event.breakdown,
                points=event.points,
                scores=event.scores,
                next_hand_at=event.next_hand_at,
                proof=event.proof,
            )
        case GameEnded():
            return GameEnded(
                seq=seq,
                at=at,
                hand=hand,
                winner=event.winner,
                scores=event.scores,
                places=event.places,
                reason=event.reason,
            )
        case _:
            assert_never(event)
