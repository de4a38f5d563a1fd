"""A table from its log: `evolve` is bookkeeping and never refuses; `replay` folds a whole log.

>>> from app.tables.events import TurnTimedOut
>>> TurnTimedOut(seat=1).seat
1
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
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
from app.engine.evolve import evolve as evolve_game
from app.engine.game import turn
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
from app.tables.seats import Hold, Invited, Seat, StandIn
from app.tables.table import Result, Table


class BrokenLog(Exception):
    """A log that does not begin with `table_created`, or whose entries lack their stamps."""


def replay(events: Iterable[TableEvent]) -> Table:
    """The table these events make. Raises: BrokenLog on an empty or unstamped log."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
    if table is None:
        raise BrokenLog("a log has at least its table_created")
    return table


def evolve(table: Table | None, event: TableEvent) -> Table:
    """The table after one more entry of its log. Raises: BrokenLog if it cannot be an entry at this place."""
    at = event.at
    if at is None:
        raise BrokenLog(f"{type(event).__name__} has not been stamped")
    if table is None:
        if not isinstance(event, TableCreated):
            raise BrokenLog(f"a log begins with table_created, not {type(event).__name__}")
        return _created(event, at)
    after = _changed(table, event, at)
    return replace(after, version=event.seq, changed_at=at)


def _created(event: TableCreated, at: datetime) -> Table:
    return Table(
        id=event.table,
        version=event.seq,
        status="open",
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
        script=event.script,
        invite_code=event.invite_code,
        secret=event.secret or "",
        commitment=event.commitment,
        created_at=at,
        changed_at=at,
        seats=(Seat(),) * event.players,
    )


def _changed(table: Table, event: TableEvent, at: datetime) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case per event, on purpose
    match event:
        case TableCreated():
            raise BrokenLog("table_created comes once")
        case TableClosed():
            return replace(table, status="closed")
        case SeatTaken(seat=seat, occupant=occupant):
            return _with_seat(_without_invitation(table, occupant.player_id), seat, Seat(occupant=occupant, since=at))
        case SeatLeft(seat=seat):
            return _with_seat(table, seat, Seat())
        case SeatHeld(seat=seat, player_id=player_id, until=until):
            return _with_seat(table, seat, Seat(hold=Hold(player_id=player_id, until=until)))
        case SeatFreed(seat=seat):
            return _with_seat(table, seat, Seat())
        case HostChanged(player_id=player_id):
            return replace(table, host=player_id)
        case TurnStarted(deadline=deadline, bank_from=bank_from):
            return replace(table, turn_at=at, deadline=deadline, bank_from=bank_from, times_added=0)
        case TimeAdded(deadline=deadline):
            more = deadline - table.deadline if table.deadline is not None else timedelta()
            bank_from = None if table.bank_from is None else table.bank_from + more
            return replace(table, deadline=deadline, bank_from=bank_from, times_added=table.times_added + 1)
        case TurnTimedOut(seat=seat):
            return _with_seat(table, seat, replace(table.seats[seat], timeouts=table.seats[seat].timeouts + 1))
        case StandInSeated(seat=seat, level=level, reason=reason):
            stand_in = StandIn(level=level, reason=reason, since=at)
            return _with_seat(table, seat, replace(table.seats[seat], stand_in=stand_in))
        case SeatReclaimed(seat=seat):
            return _with_seat(table, seat, replace(table.seats[seat], stand_in=None))
        case InviteRenewed(invite_code=invite_code):
            return replace(table, invite_code=invite_code)
        case PlayerInvited(player_id=player_id, inviter=by, until=until):
            invitation = Invited(seq=event.seq, player_id=player_id or "", by=by or "", at=at, until=until)
            waiting = [one for one in table.invited if one.until > at and one.player_id != player_id]
            return replace(table, invited=(*waiting, invitation))
        case InvitationDeclined(player_id=player_id):
            return _without_invitation(table, player_id)
        case RematchAsked(seat=seat):
            return replace(table, rematch_by=(*table.rematch_by, seat))
        case RematchReady(table=next_table):
            return replace(table, next_table=next_table)
        case GameStarted():
            nobody_human = not any(seat.is_player for seat in table.seats)
            bank_ms = round(table.clock.bank_seconds * 1000)
            seats = tuple(replace(seat, bank_ms=bank_ms) for seat in table.seats)
            return replace(table, status="playing", game=evolve_game(None, event), all_bots=nobody_human, seats=seats)
        case HandDealt():
            dealt = replace(
                table,
                next_hand_at=None,
                hand_seqs=(*table.hand_seqs, event.seq),
                hand_commitment=event.commitment,
                client_seeds=event.client_seeds,
            )
            return _with_game(dealt, event)
        case TilePlayed(seat=seat, by=by):
            played = replace(_bank_used(table, seat, at), turn_at=None, deadline=None, bank_from=None, played_at=at)
            return _with_game(_own_action(played, seat, by), event)
        case TilesDrawn(seat=seat, by=by):
            # The clock goes on: drawing moves the bot's pace, never the deadline.
            return _with_game(_own_action(replace(table, turn_at=at), seat, by), event)
        case TurnPassed(seat=seat, by=by):
            passed = replace(_bank_used(table, seat, at), turn_at=None, deadline=None, bank_from=None)
            return _with_game(_own_action(passed, seat, by), event)
        case PointsScored():
            return _with_game(table, event)
        case ClaimOpened(deadline=deadline):
            return _with_game(replace(table, claim_deadline=deadline), event)
        case MugginsCalled(seat=seat):
            by = "player" if table.seats[seat].player_present else "bot"
            return _with_game(_own_action(table, seat, by), event)
        case ClaimClosed():
            return _with_game(replace(table, claim_deadline=None), event)
        case HandEnded(next_hand_at=next_hand_at):
            number = None if table.game is None else turn(table.game)
            ended = replace(
                table if number is None else _bank_used(table, number, at),
                turn_at=None,
                deadline=None,
                bank_from=None,
                claim_deadline=None,
                next_hand_at=next_hand_at,
                last_hand=event,
            )
            return _with_game(ended, event)
        case GameEnded():
            result = Result(winner=event.winner, scores=event.scores, reason=event.reason, places=event.places)
            over = replace(
                table,
                status="finished",
                result=result,
                turn_at=None,
                deadline=None,
                bank_from=None,
                claim_deadline=None,
                next_hand_at=None,
            )
            return _with_game(over, event)
        case _:
            assert_never(event)


def _with_game(
    table: Table,
    event: HandDealt
    | TilePlayed
    | TilesDrawn
    | TurnPassed
    | PointsScored
    | ClaimOpened
    | MugginsCalled
    | ClaimClosed
    | HandEnded
    | GameEnded,
) -> Table:
    return replace(table, game=evolve_game(table.game, event))


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _without_invitation(table: Table, player_id: str | None) -> Table:
    if not any(one.player_id == player_id for one in table.invited):
        return table
    return replace(table, invited=tuple(one for one in table.invited if one.player_id != player_id))


def _bank_used(table: Table, number: int, at: datetime) -> Table:
    """The turn ends: what it took beyond its own seconds comes off the seat's bank; a stand-in takes its own time."""
    seat = table.seats[number]
    if table.bank_from is None or at <= table.bank_from or seat.stand_in is not None:
        return table
    left = max(0, seat.bank_ms - (at - table.bank_from) // timedelta(milliseconds=1))
    return _with_seat(table, number, replace(seat, bank_ms=left))


def _own_action(table: Table, number: int, by: str) -> Table:
    """The seat's own action resets its counter of expired turns."""
    seat = table.seats[number]
    if by != "player" or seat.timeouts == 0:
        return table
    return _with_seat(table, number, replace(seat, timeouts=0))
