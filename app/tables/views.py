"""A table as one viewer may see it, built up field by field from what his seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.engine.game import Game, phase, side_of, sides, turn
from app.engine.hand import Hand
from app.engine.rules import named_rules
from app.engine.rulesets import target_points
from app.engine.tiles import names_in, size
from app.engine.views import layout_view
from app.tables.askers import is_on_turn, moves_of
from app.tables.masks import named
from app.tables.moments import OPEN_FOR
from app.tables.rated import is_rated
from app.tables.seats import Seat
from app.tables.shapes import HandShape, HoldShape, OwnShape, SeatShape, TableSummary, TableView
from app.tables.table import Table

CONNECTED_FOR = timedelta(seconds=15)
"""A seat counts as connected this long after a stream or poll of its player."""
KEEP_FINISHED = timedelta(days=7)
"""A finished table can be read, and its record exported, this long."""
KEEP_CLOSED = timedelta(days=1)
"""A table that never started is remembered this long."""
KEEP_RUNNING = timedelta(days=30)
"""Keys of a running table live this long after its last step: longer than any table can go without one."""


def kept_for(table: Table) -> timedelta:
    """How long the table's keys live from now."""
    return {"finished": KEEP_FINISHED, "closed": KEEP_CLOSED}.get(table.status, KEEP_RUNNING)


def expires_at(table: Table) -> datetime | None:
    """When an open table closes, or one that is over is forgotten; None while playing."""
    if table.status == "open":
        return table.changed_at + OPEN_FOR
    if table.status == "playing":
        return None
    return table.changed_at + kept_for(table)


def view_of(
    table: Table,
    seat: int | None,
    player_id: str | None,
    *,
    now: datetime,
    connected: tuple[bool | None, ...],
    names: Mapping[str, str],
) -> TableView:
    """The TableView for the player of `seat`, or (None) for a spectator."""
    game = table.game
    rules = named_rules(table.ruleset.id, table.ruleset.house_rules, table.players, table.seating)
    insider = seat is not None or (player_id is not None and player_id == table.host)
    return TableView(
        id=table.id,
        version=table.version,
        now=now,
        status=table.status,
        ruleset=table.ruleset,
        rules=table.rules,
        players=table.players,
        seating=table.seating,
        target=target_points(table.rules, table.players, table.seating),
        visibility=table.visibility,
        invite_code=table.invite_code if insider else None,
        practice=table.practice,
        rated=is_rated(table),
        host=table.host,
        created_at=table.created_at,
        expires_at=expires_at(table),
        next_table=table.next_table,
        abandonment=table.abandonment,
        auto_forced=table.auto_forced,
        clock=table.clock,
        seats=tuple(
            SeatShape(
                seat=number,
                side=side_of(rules, number),
                occupant=named(place.occupant, names),
                stand_in=place.stand_in,
                timeouts=place.timeouts,
                tiles=None if game is None or game.hand is None else size(game.hand.holdings[number]),
                connected=connected[number],
                bank_ms=_bank(table, number, now),
                held_for=_hold(place, names),
            )
            for number, place in enumerate(table.seats)
        ),
        scores=(0,) * sides(rules) if game is None else game.scores,
        hand=None if game is None or game.hand is None else _hand(table, game, game.hand, now),
        last_hand=table.last_hand,
        you=own_view(table, seat),
        result=table.result,
    )


def summary_of(table: Table, player_id: str | None) -> TableSummary:
    """The line of a table in a list."""
    return TableSummary(
        id=table.id,
        version=table.version,
        status=table.status,
        ruleset=table.ruleset.id,
        house_rules=table.ruleset.house_rules,
        players=table.players,
        seating=table.seating,
        seats=tuple(place.occupant.kind for place in table.seats),
        free_seats=free_seats_for(table, player_id),
        clock=table.clock,
        created_at=table.created_at,
        expires_at=expires_at(table),
        your_turn=is_on_turn(table, table.seat_of(player_id)),
    )


def free_seats_for(table: Table, player_id: str | None) -> int:
    """Seats of an open table that this player may take: those kept for others are not free."""
    if table.status != "open":
        return 0
    return sum(place.is_free_for(player_id) for place in table.seats)


def connected_seats(seats: tuple[Seat, ...], seen: Mapping[int, datetime], now: datetime) -> tuple[bool | None, ...]:
    """Per seat; None for bots and open seats."""
    return tuple(
        (number in seen and now - seen[number] <= CONNECTED_FOR) if seat.is_player else None
        for number, seat in enumerate(seats)
    )


def _bank(table: Table, number: int, now: datetime) -> int | None:
    """Milliseconds left in a seat's bank, the running turn counted."""
    if not table.clock.bank_seconds:
        return None
    if table.game is None:
        return round(table.clock.bank_seconds * 1000)
    left = table.seats[number].bank_ms
    if table.seats[number].stand_in is not None:
        return left
    if table.bank_from is not None and turn(table.game) == number and now > table.bank_from:
        left = max(0, left - (now - table.bank_from) // timedelta(milliseconds=1))
    return left


def _hold(place: Seat, names: Mapping[str, str]) -> HoldShape | None:
    if place.hold is None:
        return None
    player_id = place.hold.player_id
    return HoldShape(player_id=player_id, name=names.get(player_id), until=place.hold.until)


def _hand(table: Table, game: Game, hand: Hand, now: datetime) -> HandShape:
    state = phase(game) if table.status == "playing" else "over"
    deadline = {"playing": table.deadline, "claim": table.claim_deadline, "over": table.next_hand_at}[state or "over"]
    return HandShape(
        number=game.hand_number,
        phase=state or "over",
        leader=hand.leader,
        turn=turn(game) if table.status == "playing" else None,
        deadline=deadline,
        deadline_ms=None if deadline is None else max(0, round((deadline - now).total_seconds() * 1000)),
        bank_from=table.bank_from if table.status == "playing" else None,
        next_hand_at=table.next_hand_at,
        boneyard=len(hand.boneyard),
        layout=layout_view(game),
        commitment=table.hand_commitment,
    )


def own_view(table: Table, seat: int | None) -> OwnShape | None:
    """What only the player of `seat` may see; None for a spectator."""
    if seat is None:
        return None
    game = table.game
    if game is None or game.hand is None:
        return OwnShape(seat=seat, holding=(), legal_moves=())
    return OwnShape(seat=seat, holding=names_in(game.hand.holdings[seat]), legal_moves=moves_of(table, seat))


def may_act(table: Table, seat: int | None) -> bool:
    """Whether the player of this seat has a legal move now, on his turn or in a claim window."""
    return bool(moves_of(table, seat))
