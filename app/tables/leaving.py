"""Who must leave a table because he exists no more; pure.

A player may be deleted while another request of his writes him into a seat. No seat stays with somebody who is gone,
because of the order both sides keep. Whoever deletes takes the player's record away and then leaves all tables on his
list (`players`). Whoever seats writes the list, then the table, and then looks whether the record is there (`Desk`,
`Tickets`). If it is there, the table was written before the record went, so the deletion finds the table. If it is not,
the seat is left by whoever looked.

A process may die between its two steps. Then the next write at the table that anybody gets an answer to finds the
player gone, for its answer needs the names of all who sit there. A ticket's table is looked at by all who finish it.
"""

from __future__ import annotations

from collections.abc import Collection

from app.tables.draft import Draft
from app.tables.table import Table


def counted_on(table: Table) -> set[str]:
    """Players without whom the table does not go on as it is: at their seats, awaited, or its host while it is open."""
    ids: set[str | None] = set()
    if table.status == "open":
        ids = {seat.occupant.player_id for seat in table.seats}
        ids |= {seat.hold.player_id for seat in table.seats if seat.hold is not None}
        ids.add(table.host)
    elif table.status == "playing":
        ids = {seat.occupant.player_id for seat in table.seats if seat.stand_in is None}
    return {player_id for player_id in ids if player_id is not None}


def leave_for(draft: Draft, gone: Collection[str]) -> None:
    """Have players who exist no more leave the table; where they are not counted on, nothing happens."""
    for player_id in sorted(gone):
        table = draft.table
        seat, kept = table.seat_of(player_id), table.held_for(player_id)
        if player_id not in counted_on(table):
            continue
        if table.status == "playing" and seat is not None:
            draft.stand_in(seat, "left")
        elif seat is not None:
            draft.vacate(seat)
        elif kept is not None:
            draft.free(kept)
        else:
            draft.give_up_host()
