"""What an asker is to a table: whether he belongs there, whether it is his turn, and what he may do."""

from __future__ import annotations

import hmac
from datetime import datetime

from app.engine.errors import RuleViolation
from app.engine.game import Game, turn
from app.engine.legality import legal_moves
from app.engine.moves import Move
from app.tables.codes import as_written
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.table import Table


def is_insider(table: Table, asker: Asker) -> bool:
    """Who sits at the table, has a seat kept for him, or opened it."""
    if asker.player_id is None:
        return False
    if asker.player_id == table.host or table.seat_of(asker.player_id) is not None:
        return True
    return table.held_for(asker.player_id) is not None


def may_see(table: Table, asker: Asker, now: datetime, invite_code: str | None = None) -> bool:
    """Whether the asker may look at the table.

    At a private table: who belongs there, whoever is invited as long as he may still accept, and who has its code.
    """
    if table.visibility == "public" or is_insider(table, asker):
        return True
    if table.invitation_of(asker.player_id, now) is not None:
        return True
    return invite_code is not None and same_code(invite_code, table.invite_code)


def same_code(given: str, code: str | None) -> bool:
    return code is not None and hmac.compare_digest(as_written(given).encode(), code.encode())


def refused(violation: RuleViolation, table: Table, asker: Asker) -> Refusal:
    """A rule violation as the asker reads it: his own legal moves with it, on his turn only."""
    return Refusal(
        violation.code,
        violation.detail,
        params=dict(violation.params),
        version=table.version,
        legal_moves=own_moves(table, asker),
    )


def is_on_turn(table: Table, seat: int | None) -> bool:
    """Whether the player of this seat is to move: not while a stand-in plays it, nor in a claim window."""
    game = _own_game(table, seat)
    return game is not None and turn(game) == seat


def moves_of(table: Table, seat: int | None) -> tuple[Move, ...]:
    """What the player of this seat may do now; nothing while a stand-in plays it."""
    game = _own_game(table, seat)
    return () if game is None or seat is None else legal_moves(game, seat)


def own_moves(table: Table, asker: Asker) -> tuple[Move, ...] | None:
    """The asker's legal moves on his turn; None otherwise."""
    seat = table.seat_of(asker.player_id)
    return moves_of(table, seat) if is_on_turn(table, seat) else None


def _own_game(table: Table, seat: int | None) -> Game | None:
    """The running game, if this seat's own player plays it; None: it does not run, nobody sits there or a stand-in."""
    if seat is None or table.status != "playing" or table.seats[seat].stand_in is not None:
        return None
    return table.game
