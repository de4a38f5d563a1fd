"""Who plays which seat, as a record's own events tell it: by whom a move may be, and who is still there."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.game import Game, side_of
from app.tables.events import SeatReclaimed, StandInSeated, TableEvent, TurnTimedOut
from app.tables.shapes import RecordSeat

OURS = frozenset({"bot", "stand_in", "timeout"})
"""Moves that a seat's player did not make."""


class Chairs:
    """The seats between two events."""

    def __init__(self, seats: Sequence[RecordSeat]) -> None:
        self._bots = frozenset(place.seat for place in seats if place.occupant.kind == "house_bot")
        self._seats = tuple(range(len(seats)))
        self._stand_ins: set[int] = set()
        self._timed_out: set[int] = set()

    def copy(self) -> Chairs:
        twin = Chairs(())
        twin._bots, twin._seats = self._bots, self._seats
        twin._stand_ins, twin._timed_out = set(self._stand_ins), set(self._timed_out)
        return twin

    def objection(self, event: TableEvent, turn: int | None) -> tuple[str, object, object] | None:
        """What is wrong with an event about the seats (what, expected, found); None: nothing."""
        match event:
            case TurnTimedOut(seat=seat) if seat != turn:
                return "seat", turn, seat
            case StandInSeated(seat=seat) if seat in self._bots or seat in self._stand_ins:
                return "seat", "a seat that its player holds", seat
            case SeatReclaimed(seat=seat) if seat not in self._stand_ins:
                return "seat", "a seat that a stand-in holds", seat
            case _:
                return None

    def see(self, event: TableEvent) -> None:
        """Note who sits where after this event."""
        match event:
            case TurnTimedOut(seat=seat):
                self._timed_out.add(seat)
            case StandInSeated(seat=seat):
                self._stand_ins.add(seat)
            case SeatReclaimed(seat=seat):
                self._stand_ins.discard(seat)
            case _:
                pass

    def turn_over(self, seat: int) -> None:
        """The turn of a seat is over."""
        self._timed_out.discard(seat)

    def by(self, seat: int, said: str, *, may_be_forced: bool) -> str:
        """By whom the next action of a seat is: what is said, where it may be so.

        `may_be_forced`: it is a draw or a pass, which some tables make at once for whoever can do nothing else.
        """
        if said == "forced" and may_be_forced:
            return said
        if seat in self._timed_out:
            return "timeout"
        if seat in self._stand_ins:
            return "stand_in"
        if seat in self._bots:
            return "bot"
        return "player" if said in OURS or said == "forced" else said

    def present(self, game: Game) -> tuple[int, ...]:
        """Sides with a player who plays himself."""
        there = [seat for seat in self._seats if seat not in self._bots and seat not in self._stand_ins]
        return tuple(sorted({side_of(game, seat) for seat in there}))

    def end(self, game: Game, said: str) -> str:
        """Why a game ends: what is said, where somebody's absence allows it."""
        if said == "abandoned" and self.present(game):
            return "nothing: somebody is present"
        if said == "forfeit" and not self._stand_ins:
            return "nothing: nobody has left"
        return said
