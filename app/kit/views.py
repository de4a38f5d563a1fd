"""The `SeatView` a bot gets, made from what the API answers: the table now, and its log since the last deal.

It equals what the engine's own bots get for the same seat. Nothing here asks a server or reads a clock.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.engine.game import Drew, Laid, Passed, Past
from app.engine.views import LayoutView, SeatView, WindowView
from app.kit.answers import Entry, TableView

NO_LAYOUT = LayoutView(tiles=(), ends=(), count=0)
"""Before the first deal."""


class IncompleteLog(ValueError):
    """The log does not reach from the hand's deal to the table's version."""


class Seen(Struct, frozen=True):
    """What the log of a hand has told everybody."""

    history: tuple[Past, ...]
    lacks: tuple[tuple[int, ...], ...]
    """Per seat the numbers it is proved not to hold."""
    maker: int | None
    """Whose play may be called; None: no claim window is open."""
    called: tuple[int, ...]
    """Seats that called it already."""


def seat_view(table: TableView, log: Sequence[Entry]) -> SeatView:
    """Everything the seat may know at the table's version.

    `log`: entries one after the other, from before the hand's deal (or that deal) up to the table's version; later ones
    are left out.

    Raises:
        ValueError: the asker does not sit at the table.
        IncompleteLog: entries are missing.
    """
    own, hand = table.you, table.hand
    if own is None:
        raise ValueError(f"you do not sit at table {table.id}")
    side = table.seats[own.seat].side
    seen = _seen(table, log)
    return SeatView(
        rules=table.rules,
        players=table.players,
        seating=table.seating,
        seat=own.seat,
        side=side,
        partner=next((one.seat for one in table.seats if one.side == side and one.seat != own.seat), None),
        scores=table.scores,
        target=table.target,
        hand_number=0 if hand is None else hand.number,
        phase=None if hand is None else hand.phase,
        leader=None if hand is None else hand.leader,
        turn=None if hand is None else hand.turn,
        layout=NO_LAYOUT if hand is None else hand.layout,
        boneyard=0 if hand is None else hand.boneyard,
        tiles_left=tuple(one.tiles or 0 for one in table.seats),
        holding=own.holding,
        legal_moves=own.legal_moves,
        history=seen.history,
        lacks=_right_now(table, seen),
        window=_window(table, seen),
    )


def _seen(table: TableView, log: Sequence[Entry]) -> Seen:
    history: list[Past] = []
    lacks = [0] * table.players
    open_numbers = proved_before = 0
    maker: int | None = None
    called: set[int] = set()
    for event in hand_entries(table, log):
        seat = event.get("seat", -1)
        match event["type"]:
            case "tile_played":
                if history and history[-1] == Drew(seat, 1):
                    lacks[seat] |= proved_before
                history.append(_laid(event))
                open_numbers = _numbers(event["ends"])
            case "tiles_drawn":
                history.append(Drew(seat, event["number"]))
                # What was proved earlier about other numbers may be wrong for the new tiles, unless the only one
                # goes to the table at once.
                proved_before, lacks[seat] = lacks[seat], open_numbers
            case "turn_passed":
                history.append(Passed(seat))
                lacks[seat] |= open_numbers
            case "claim_opened":
                maker, called = seat, set()
            case "claim_closed":
                maker = None
            case "muggins_called":
                called.add(seat)
    proved = tuple(tuple(number for number in range(7) if numbers >> number & 1) for numbers in lacks)
    return Seen(tuple(history), proved, maker, tuple(sorted(called)))


def hand_entries(table: TableView, log: Sequence[Entry]) -> Sequence[Entry]:
    """The entries of the table's hand, from its deal up to the table's version. Raises: IncompleteLog."""
    if table.hand is None:
        return ()
    there = [event for event in log if event["seq"] <= table.version]
    deals = [place for place, event in enumerate(there) if event["type"] == "hand_dealt"]
    hand = there[deals[-1] :] if deals else []
    if not hand or hand[0]["hand"] != table.hand.number or hand[-1]["seq"] != table.version:
        raise IncompleteLog(f"the log of table {table.id} does not reach from hand {table.hand.number}'s deal to now")
    return hand


def _laid(event: Entry) -> Laid:
    return Laid(
        event["seat"],
        event["tile"],
        event["end"],
        event["left"],
        event["right"],
        event["lengthwise"],
        event["spinner"],
        event["announce"],
    )


def _numbers(ends: Sequence[Entry]) -> int:
    """The open numbers, as bits."""
    numbers = 0
    for end in ends:
        if end["open"]:
            numbers |= 1 << end["number"]
    return numbers


def _right_now(table: TableView, seen: Seen) -> tuple[tuple[int, ...], ...]:
    """Whoever has just drawn may hold a tile that fits: nothing is proved of him until he moves."""
    if table.hand is None or table.hand.turn is None or not seen.history or not isinstance(seen.history[-1], Drew):
        return seen.lacks
    return tuple(() if seat == table.hand.turn else numbers for seat, numbers in enumerate(seen.lacks))


def _window(table: TableView, seen: Seen) -> WindowView | None:
    own, hand = table.you, table.hand
    if seen.maker is None or own is None or hand is None:
        return None
    last = seen.history[-1]
    return WindowView(
        seat=seen.maker,
        announce=last.announce if isinstance(last, Laid) else None,
        last=hand.phase == "claim",
        may_call=any(move.action == "muggins" for move in own.legal_moves),
        called=seen.called,
    )
