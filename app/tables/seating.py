"""Sitting down, seating bots, leaving, coming back."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.game import phase
from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.guesses import INVITE_GUESSES
from app.tables.moments import is_expired
from app.tables.opening import bring_seed, check_level, occupant_of
from app.tables.ports import Loaded
from app.tables.refusals import Refusal, invalid
from app.tables.requests import Asker, Key
from app.tables.seats import Occupant
from app.tables.shapes import Answer, TableView
from app.tables.table import Table


class Seating(Desk):
    """Use cases of who sits where."""

    def sit(
        self,
        asker: Asker,
        table_id: str,
        seat: int | None,
        invite_code: str | None,
        key: Key | None,
        *,
        client_seed: str | None = None,
    ) -> Answer[TableView]:
        """Take a seat, move to another while the table is open, or come back to the seat a stand-in plays.

        `client_seed` is the player's part in the shuffle from the next deal on; at his own seat it is all that changes.
        """

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            _check_seat(table, seat)
            own = table.seat_of(asker.player_id)
            _check_not_over(table)
            if client_seed is not None:
                bring_seed(draft, asker, client_seed)
            at_own = own is not None and seat in (None, own)
            if own is not None and at_own and table.seats[own].stand_in is not None:
                draft.reclaim(own)
            elif not (at_own and client_seed is not None):
                take_seat(draft, asker, seat)

        if invite_code is None:
            done = self._change(asker, table_id, key, judge)
        else:
            with self._guesses.guess("invite", asker, INVITE_GUESSES):
                done = self._change(asker, table_id, key, judge, invite_code)
        return Answer(value=self._view(done, asker), replayed=done.replayed)

    def seat_bot(self, asker: Asker, table_id: str, seat: int, level: str, key: Key | None = None) -> Answer[TableView]:
        """The host seats one of our bots, or changes its level, while the table is open."""

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            _check_seat(table, seat)
            check_level(level, self._bots.think_seconds, "/level")
            check_host(table, asker)
            check_open(table)
            there = table.seats[seat].occupant
            if there.kind not in ("open", "house_bot"):
                raise Refusal("seat_taken", f"Seat {seat} is taken.", params={"seat": seat}, version=table.version)
            if table.seats[seat].hold is not None:
                raise Refusal(
                    "seat_taken",
                    f"Seat {seat} is kept for a player: remove him first.",
                    params={"seat": seat},
                    version=table.version,
                )
            if there.level == level:
                return
            if there.kind == "house_bot":
                draft.vacate(seat)
            draft.seat(seat, Occupant(kind="house_bot", level=level))
            draft.start_if_full()

        done = self._change(asker, table_id, key, judge)
        return Answer(value=self._view(done, asker), replayed=done.replayed)

    def move_player(self, asker: Asker, table_id: str, seat: int, player_id: str) -> TableView:
        """The host puts a player of an open table on another seat; whoever sits there changes places with him."""

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            _check_seat(table, seat)
            check_host(table, asker)
            check_open(table)
            own = table.seat_of(player_id)
            if own is None:
                raise invalid("/player", "player", "This player does not sit at this table.")
            if table.seats[seat].hold is not None:
                raise Refusal(
                    "seat_taken", f"Seat {seat} is kept for a player.", params={"seat": seat}, version=table.version
                )
            if own != seat:
                draft.exchange(own, seat)

        return self._view(self._change(asker, table_id, None, judge), asker)

    def leave(self, asker: Asker, table_id: str, seat: int) -> TableView:
        """Leave one's own seat at any time; the host removes others while the table is open.

        In mid-game a stand-in takes over and the player may come back. After the end it changes nothing.
        """

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            _check_seat(table, seat)
            own = table.seat_of(asker.player_id)
            if own != seat and table.held_for(asker.player_id) != seat:
                if own is None and asker.player_id != table.host:
                    raise Refusal("not_seated", "You do not sit at this table.", version=table.version)
                check_host(table, asker)
                check_open(table)
            if table.status == "open" and not table.seats[seat].is_open:
                draft.vacate(seat)
            elif table.status == "open" and table.seats[seat].hold is not None:
                draft.free(seat)
            elif table.status == "playing" and table.seats[seat].stand_in is None:
                draft.stand_in(seat, "left")

        return self._view(self._change(asker, table_id, None, judge), asker)

    def leave_all(self, player_id: str) -> None:
        """Leave every table this player still sits at, and close the open ones he hosts and nobody sits at."""
        asker = Asker(player_id=player_id)
        for loaded in self._tables_of(player_id):
            self._leave_one(asker, loaded)

    def pairs_hand_of(self, player_id: str) -> str | None:
        """A table where a hand is running whose tiles he knows and whose partner he is; None: there is none."""
        for loaded in self._tables_of(player_id):
            table = loaded.table
            in_pairs = table.seating == "pairs" and table.seat_of(player_id) is not None
            if in_pairs and table.game is not None and phase(table.game) in ("playing", "claim"):
                return table.id
        return None

    def _tables_of(self, player_id: str) -> Iterator[Loaded]:
        cursor: str | None = None
        while True:
            ids, cursor = self._store.of_player(player_id, 100, cursor)
            yield from self._store.load_many(ids)
            if cursor is None:
                return

    def _leave_one(self, asker: Asker, loaded: Loaded) -> None:
        table = loaded.table
        if table.status not in ("open", "playing") or is_expired(table, loaded.now):
            return
        seat = table.seat_of(asker.player_id)
        if seat is None:
            seat = table.held_for(asker.player_id)
        try:
            if seat is not None:
                self.leave(asker, table.id, seat)
            elif asker.player_id == table.host and table.status == "open":
                self._change(asker, table.id, None, lambda _, draft: draft.give_up_host())
        except Refusal:
            # The table ended or emptied in between: nothing is left to leave.
            return


def take_seat(draft: Draft, asker: Asker, seat: int | None) -> None:
    """Sit down at this seat of an open table, or (None) at the one kept for the asker, else the first free one.

    Raises: Refusal `already_seated`, `table_full`, `seat_taken`.
    """
    table = draft.table
    own = table.seat_of(asker.player_id)
    if own is not None and (seat in (None, own) or table.status != "open"):
        raise Refusal("already_seated", f"You sit at seat {own} already.", params={"seat": own}, version=table.version)
    free = [number for number, place in enumerate(table.seats) if place.is_free_for(asker.player_id)]
    kept = table.held_for(asker.player_id)
    wanted = next((number for number in (seat, kept, *free) if number is not None), None)
    if wanted is None or table.status != "open":
        raise Refusal("table_full", "Every seat is taken, or kept for somebody.", version=table.version)
    if wanted not in free:
        kept_for_other = table.seats[wanted].hold is not None
        raise Refusal(
            "seat_taken",
            f"Seat {wanted} is {'kept for somebody else' if kept_for_other else 'taken'}.",
            params={"seat": wanted, "open": free},
            version=table.version,
        )
    if own is not None:
        draft.move(own, wanted)
    else:
        draft.seat(wanted, occupant_of(asker))
    if kept is not None and kept != wanted:
        draft.free(kept)
    draft.start_if_full()


def _check_not_over(table: Table) -> None:
    if table.status == "finished":
        raise Refusal("table_finished", "The game is over.", version=table.version)
    if table.status == "closed":
        raise Refusal("table_not_open", "This table was closed before it started.", version=table.version)


def _check_seat(table: Table, seat: int | None) -> None:
    if seat is not None and not 0 <= seat < table.players:
        raise invalid(
            "/seat", "seat", f"This table has the seats 0 to {table.players - 1}.", least=0, most=table.players - 1
        )


def check_host(table: Table, asker: Asker) -> None:
    if asker.player_id != table.host:
        raise Refusal("not_host", "Only the host of the table may do this.", version=table.version)


def check_open(table: Table) -> None:
    """Raises: Refusal `table_finished` after the game, `table_not_open` during it and where there was none."""
    _check_not_over(table)
    if table.status != "open":
        raise Refusal(
            "table_not_open", "The game has started: this goes only while the table is open.", version=table.version
        )
