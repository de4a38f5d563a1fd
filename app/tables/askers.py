"""What an asker is to a table: whether he belongs there, and his own moves with a refusal."""

from __future__ import annotations

import hmac

from app.engine.errors import RuleViolation
from app.engine.game import turn
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


def own_moves(table: Table, asker: Asker) -> tuple[Move, ...] | None:
    """The asker's legal moves on his turn; None otherwise."""
    seat = table.seat_of(asker.player_id)
    if seat is None or table.status != "playing" or table.game is None:
        return None
    if turn(table.game) != seat or table.seats[seat].stand_in is not None:
        return None
    return legal_moves(table.game, seat)
