"""What a finished game means for everybody who sat there: who was gone, who won, who is ranked where.

Places come from the table's result, with one change: **whoever is gone has lost**. Gone is a player whose seat a
stand-in plays when the game ends, or for whom others made more than half of the seat's plays (a stand-in, or the clock
when turns expired): so leaving is no way out of a loss, and letting the bot play is no way to win. Those who stayed are
ranked by their own places. In pairs the partner of somebody who is gone has the side's own result; only a side
nobody of which is left is last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from app.engine.events import TilePlayed
from app.engine.game import side_of
from app.engine.hand import NOBODY
from app.engine.rules import named_rules
from app.standing.pools import Pool, pool_of
from app.standing.record import Ending, bot_id
from app.tables.events import TableEvent
from app.tables.rated import is_rated
from app.tables.seats import Seat
from app.tables.table import Table


class Party(Struct, frozen=True, kw_only=True):
    """One seat, as its game is booked."""

    id: str
    """A player's, or `bot:<level>`."""
    side: int
    ending: Ending | None
    """None: an abandoned game of which this seat was not the cause; it counts as nothing."""
    gone: bool


class Outcome(Struct, frozen=True, kw_only=True):
    """One finished game, as it is booked."""

    pool: Pool
    parties: tuple[Party, ...]
    """Seat by seat."""
    places: tuple[int, ...]
    """Per side, 1 is best, equal ones share a place; sides that are gone are last."""
    is_rated: bool


def outcome_of(table: Table, log: Iterable[TableEvent]) -> Outcome:
    """How a finished table is booked. `log`: all of its events. Raises: ValueError while there is no result."""
    result, game = table.result, table.game
    if result is None or game is None:
        raise ValueError(f"table {table.id} has no result")
    rules = named_rules(table.ruleset.id, table.ruleset.house_rules, table.players, table.seating)
    gone = _gone(table, log)
    sides = [side_of(rules, seat) for seat in range(table.players)]
    pool = pool_of(table.ruleset.id, table.players, table.seating)
    abandoned = result.reason == "abandoned" or _nobody_left(table, gone)
    left = {side for seat, side in enumerate(sides) if seat not in gone}
    places = _places(result.places, left)

    def ending(seat: int) -> Ending | None:
        if abandoned:
            return "abandoned" if seat in gone else None
        if seat in gone or places[sides[seat]] > 1:
            return "lost"
        return "won" if places.count(1) == 1 else "drawn"

    return Outcome(
        pool=pool,
        parties=tuple(
            Party(id=_id(place), side=sides[seat], ending=ending(seat), gone=seat in gone)
            for seat, place in enumerate(table.seats)
        ),
        places=places,
        is_rated=not abandoned and is_rated(table),
    )


def _gone(table: Table, log: Iterable[TableEvent]) -> frozenset[int]:
    """Seats whose player is not there at the end, or was not there for most of the game."""
    plays: Counter[int] = Counter()
    own: Counter[int] = Counter()
    for event in log:
        if isinstance(event, TilePlayed):
            plays[event.seat] += 1
            own[event.seat] += event.by == "player"
    gone = {
        seat
        for seat, place in enumerate(table.seats)
        if place.is_player and (place.stand_in is not None or 2 * own[seat] < plays[seat])
    }
    return frozenset(gone | _let_it_lapse(table))


def _let_it_lapse(table: Table) -> set[int]:
    """At a table without a turn clock: the seat that did not move for so long that the game was given up."""
    assert table.result is not None
    hand = None if table.game is None else table.game.hand
    if table.result.reason != "abandoned" or hand is None or hand.over or hand.turn == NOBODY:
        return set()
    return {hand.turn} if table.seats[hand.turn].is_player else set()


def _nobody_left(table: Table, gone: frozenset[int]) -> bool:
    """Every player is gone, though the game came to an end before that was noticed."""
    players = {seat for seat, place in enumerate(table.seats) if place.is_player}
    return bool(players) and players <= gone


def _places(places: tuple[int, ...], left: set[int]) -> tuple[int, ...]:
    """The places of those sides of which somebody is left, closed up; the others share the last.

    >>> _places((1, 2, 3), {1, 2})
    (3, 1, 2)
    >>> _places((1, 1), {0, 1})
    (1, 1)
    """
    return tuple(
        1 + (sum(places[other] < place for other in left) if side in left else len(left))
        for side, place in enumerate(places)
    )


def _id(seat: Seat) -> str:
    occupant = seat.occupant
    if occupant.player_id is not None:
        return occupant.player_id
    assert occupant.level is not None, "a finished table has no open seats"
    return bot_id(occupant.level)
