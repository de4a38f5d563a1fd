"""How a finished game ended for the player, as the service books it: whoever is gone has lost (docs/standing.md)."""

from __future__ import annotations

from collections.abc import Mapping

from app.kit.answers import TableView


def outcome(table: TableView, plays: Mapping[int, int], own_plays: Mapping[int, int]) -> str:
    """won | lost | drawn | abandoned. `plays`: tiles played for each seat; `own_plays`: those by its player himself."""
    assert table.you is not None
    assert table.result is not None
    players = {one.seat for one in table.seats if one.occupant.kind in ("human", "bot")}
    gone = {
        one.seat
        for one in table.seats
        if one.seat in players and (one.stand_in is not None or 2 * own_plays.get(one.seat, 0) < plays.get(one.seat, 0))
    }
    if table.result["reason"] == "abandoned" or players <= gone:
        return "abandoned"
    if table.you.seat in gone:
        return "lost"
    places = table.result["places"]
    left = {one.side for one in table.seats if one.seat not in gone}
    best = min(places[side] for side in left)
    first = [side for side in left if places[side] == best]
    if table.seats[table.you.seat].side not in first:
        return "lost"
    return "won" if len(first) == 1 else "drawn"
