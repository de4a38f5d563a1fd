"""Another game for the same people: one next table for all who ask, their seats rotated by one and kept for a while.

Two tables change, and a process may die between any two writes, so the order is fixed and every step may be done again
by anybody: `rematch_asked` in the finished table's log; the next table, under an id that only the finished table's
secret gives; `rematch_ready` in the finished log; the asker's seat at the next table. Whoever asks does all of it. If
he dies on the way the finished table is due (`moments`: "rematch"), and advancing it does the second and third.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from datetime import timedelta

from msgspec.structs import replace

from app.tables.desk import TRIES, Done
from app.tables.draft import Draft
from app.tables.events import RematchAsked
from app.tables.opening import Opening
from app.tables.ports import StoreUnavailable, TableNotFound
from app.tables.receipts import FirstAnswer
from app.tables.refusals import Refusal
from app.tables.requests import Asker, BotSeat, Key, OpenTable
from app.tables.seating import take_seat
from app.tables.shapes import Answer, TableView
from app.tables.table import Table

HELD_FOR = timedelta(seconds=120)
"""How long the next table's seats are kept for those who sat at the finished one."""


class Rematching(Opening):
    """The use case of those who want another game."""

    def rematch(self, asker: Asker, table_id: str, key: Key | None) -> Answer[TableView]:
        """Ask for another game and sit down at the next table: 201 for the first who asks, then 200.

        Whoever comes after his seat has been given away gets the table all the same, without a seat. The answer is of
        another table than the one that is asked, so the player's own record of the key keeps it, once it is known.

        Raises: Refusal `not_seated`, `game_not_started`, `table_not_finished`, `table_not_open`.
        """
        first = None if key is None or asker.player_id is None else self._answered(asker.player_id, key)
        if first is not None:
            return self._rematched(asker, self._done_before(first.table, first), first.status)
        at_table = None if key is None else replace(key, kept_elsewhere=True)
        asked = self._change(asker, table_id, at_table, lambda loaded, draft: _ask(loaded.table, draft, asker))
        next_id = self._next_table(asked.table)
        self._announce(table_id, next_id)
        code = self._store.load(next_id).table.invite_code
        sat = self._change(asker, next_id, None, lambda _, draft: _sit_if_kept(draft, asker), code)
        status = 201 if _was_the_first(asked) else 200
        answer = FirstAnswer(
            table=next_id, version=sat.table.version, at=sat.now, connected=sat.connected, status=status
        )
        with self._once(asker.player_id or "", key, answer) as twin:
            if twin is not None:  # the same request, sent twice at once
                return self._rematched(asker, self._done_before(twin.table, twin), twin.status)
        return self._rematched(asker, sat, status)

    def _rematched(self, asker: Asker, sat: Done, status: int) -> Answer[TableView]:
        return Answer(value=self._view(sat, asker), replayed=sat.replayed, status=status)

    def _announce(self, table_id: str, next_id: str) -> None:
        for _ in range(TRIES):
            loaded = self._store.load(table_id)
            if loaded.table.next_table is not None:
                return
            draft = self._draft(loaded)
            draft.announce_rematch(next_id)
            if self._commit(draft, loaded.receipts):
                return
        raise StoreUnavailable("the table moved on under every try")

    def _next_table(self, finished: Table) -> str:
        """The id of the next table, which is there when this returns."""
        next_id = next_id_of(finished)
        try:
            self._store.load(next_id)
        except TableNotFound:
            draft = self._draft_of_new()
            self._fill_next(draft, finished, next_id)
            self._commit(draft, ())  # False: somebody else has just done it
        return next_id

    def _fill_next(self, draft: Draft, finished: Table, next_id: str) -> None:
        """The same rules, clock and bots; everybody one seat on, people's seats kept for them."""
        host = finished.seats[finished.rematch_by[0]].occupant.player_id
        seats = [(rotated(number, finished.players), seat.occupant) for number, seat in enumerate(finished.seats)]
        request = OpenTable(
            ruleset=finished.ruleset.id,
            players=finished.players,
            seating=finished.seating,
            house_rules=finished.ruleset.house_rules,
            visibility=finished.visibility,
            clock=finished.clock,
            bots=tuple(
                BotSeat(seat=number, level=occupant.level or "", forgetfulness=occupant.forgetfulness)
                for number, occupant in seats
                if occupant.kind == "house_bot"
            ),
            abandonment=finished.abandonment,
            auto_forced=finished.auto_forced,
            sit=False,
        )
        self._fill(draft, Asker(player_id=host), request, next_id, practice=finished.practice)
        until = draft.now + HELD_FOR
        existing = self._names(finished.seats)
        for number, occupant in sorted(seats, key=lambda place: place[0]):
            if occupant.player_id in existing:
                draft.hold(number, occupant.player_id or "", until)


def next_id_of(finished: Table) -> str:
    """The next table's id: the same for everybody who makes it, and nobody outside can foresee it."""
    digest = hmac.digest(finished.secret.encode(), f"the table after {finished.id}".encode(), hashlib.sha256)
    return urlsafe_b64encode(digest[:12]).decode().replace("-", "x").replace("_", "y")


def rotated(seat: int, players: int) -> int:
    """Everybody one seat on, so that partners stay partners.

    >>> [rotated(seat, 4) for seat in range(4)]
    [1, 2, 3, 0]
    """
    return (seat + 1) % players


def _ask(table: Table, draft: Draft, asker: Asker) -> None:
    seat = table.seat_of(asker.player_id)
    if seat is None:
        raise Refusal("not_seated", "Only those who sat here may ask for a rematch.", version=table.version)
    match table.status:
        case "open":
            raise Refusal("game_not_started", "The game starts when the last seat is filled.", version=table.version)
        case "playing":
            raise Refusal(
                "table_not_finished", "The game is not over yet: ask again when it is.", version=table.version
            )
        case "closed":
            raise Refusal("table_not_open", "This table was closed before it started.", version=table.version)
    if seat not in table.rematch_by:
        draft.ask_rematch(seat)


def _sit_if_kept(draft: Draft, asker: Asker) -> None:
    table = draft.table
    if (
        table.status == "open"
        and table.seat_of(asker.player_id) is None
        and table.held_for(asker.player_id) is not None
    ):
        take_seat(draft, asker, None)


def _was_the_first(asked: Done) -> bool:
    """Whether this very request wrote the first `rematch_asked`."""
    return len(asked.table.rematch_by) == 1 and any(isinstance(event, RematchAsked) for event in asked.events)
