"""An entry of the log as one viewer may read it, now and for ever: built up, never stripped. Default is nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec.structs import replace

from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    GameStarted,
    HandDealt,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.views import seen_by as game_event_seen_by
from app.tables.events import (
    HostChanged,
    InvitationDeclined,
    InviteRenewed,
    PlayerInvited,
    RematchAsked,
    RematchReady,
    SeatFreed,
    SeatHeld,
    SeatLeft,
    SeatReclaimed,
    SeatTaken,
    StandInSeated,
    TableClosed,
    TableCreated,
    TableEvent,
    TimeAdded,
    TurnStarted,
    TurnTimedOut,
)
from app.tables.seats import Occupant


def seen_by(  # noqa: PLR0911 - one case per event
    event: TableEvent, seat: int | None, player_id: str | None, names: Mapping[str, str]
) -> TableEvent:
    """What this player (None: nobody we know) of this seat (None: a spectator) may read; names are joined in.

    Who sits where may change until the game begins, so what is written before then is told by the player, not the seat.
    """
    match event:
        case TableCreated():
            return TableCreated(
                seq=event.seq,
                at=event.at,
                hand=event.hand,
                table=event.table,
                ruleset=event.ruleset,
                rules=event.rules,
                players=event.players,
                seating=event.seating,
                visibility=event.visibility,
                abandonment=event.abandonment,
                clock=event.clock,
                host=event.host,
                practice=event.practice,
                auto_forced=event.auto_forced,
                commitment=event.commitment,
            )
        case SeatTaken():
            return replace(event, occupant=named(event.occupant, names))
        case TurnStarted():
            return TurnStarted(
                seq=event.seq,
                at=event.at,
                hand=event.hand,
                seat=event.seat,
                deadline=event.deadline,
                deadline_ms=event.deadline_ms,
                bank_from=event.bank_from,
                legal_moves=event.legal_moves if seat == event.seat else None,
            )
        case InviteRenewed():
            return InviteRenewed(seq=event.seq, at=event.at, hand=event.hand, invite_code=None)
        case PlayerInvited() | InvitationDeclined():
            return _seen_by_the_two(event, player_id)
        case TableClosed() | SeatLeft() | SeatHeld() | SeatFreed() | HostChanged() | RematchAsked() | RematchReady():
            return event
        case TimeAdded() | TurnTimedOut() | StandInSeated() | SeatReclaimed():
            return event
        case (
            GameStarted()
            | HandDealt()
            | TilePlayed()
            | PointsScored()
            | TilesDrawn()
            | TurnPassed()
            | ClaimOpened()
            | MugginsCalled()
            | ClaimClosed()
            | HandEnded()
            | GameEnded()
        ):
            return game_event_seen_by(event, seat)
        case _:
            assert_never(event)


def _seen_by_the_two(event: PlayerInvited | InvitationDeclined, player_id: str | None) -> TableEvent:
    """Who was invited and who asked, and the answer: for these two alone."""
    if player_id is not None and player_id in (event.player_id, event.inviter):
        return event
    if isinstance(event, InvitationDeclined):
        return InvitationDeclined(seq=event.seq, at=event.at, hand=event.hand, player_id=None, reason=None)
    return PlayerInvited(seq=event.seq, at=event.at, hand=event.hand, player_id=None, inviter=None, until=event.until)


def named(occupant: Occupant, names: Mapping[str, str]) -> Occupant:
    """The occupant with the name the player has now; a deleted player has none."""
    if occupant.player_id is None:
        return occupant
    return replace(occupant, name=names.get(occupant.player_id))


def players_named_in(events: Iterable[TableEvent]) -> set[str]:
    """Ids of the players whose names these entries show."""
    return {
        event.occupant.player_id
        for event in events
        if isinstance(event, SeatTaken) and event.occupant.player_id is not None
    }
