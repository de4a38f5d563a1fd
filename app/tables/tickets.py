"""Finding a game: tickets wait until enough compatible ones have met, and then all get one table.

No ticket ends in two tables and none is stranded, wherever a process dies, because of three things.

1. *Meeting is one atomic step.* Who waits and who has met is one value, the pool (`pools`), changed by compare-and-set
   on its version together with the tickets' own records. In that step the met tickets leave the waiting ones and get
   the id their table will have. From then on the group stands in the pool as one whose table may still have to be made.
2. *A group's table is made under that id, complete, in one commit*: all seats taken, the game dealt. A second attempt
   under the same id changes nothing. Only after it the group is taken out of the pool.
3. *Everybody finishes what he finds*: whoever took the step; each of the met players when he asks for his ticket; and
   the clock, for which every commit of a pool leaves an entry in an index of its own, before it and after it. An entry
   names its version, so what is removed because nothing is due is never the entry of a ticket that has just come.

So before step 1 a ticket waits (and lapses if nobody asks for it), after it its table is certain. A request that died
before step 1 left nothing but a reserved key, under which a retry finishes with the same ticket.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from app.engine.game import new_game
from app.tables import pools
from app.tables.desk import TRIES
from app.tables.guesses import Allowance
from app.tables.opening import Opening, check_level
from app.tables.pools import LAPSES_AFTER, Group, Pool, Terms, Ticket
from app.tables.ports import LoadedPool, StoreUnavailable, TableNotFound, TicketStore
from app.tables.reading import LONGEST_WAIT
from app.tables.refusals import Refusal, not_found, unauthenticated
from app.tables.register import Reservation
from app.tables.requests import Asker, BotSeat, Key, OpenTable
from app.tables.seats import Occupant
from app.tables.shapes import Answer
from app.tables.ticket import TicketRequest, TicketShape, shown_ticket

ASKING = Allowance(120, 600)
"""Tickets one player may take."""


class Tickets(Opening):
    """Use cases of a player who looks for others."""

    def __init__(self, *, pools: TicketStore, **ports: Any) -> None:
        """`ports`: as for any desk."""
        super().__init__(**ports)
        self._pools = pools

    def ask(self, asker: Asker, request: TicketRequest, key: Key | None) -> Answer[TicketShape]:
        """Take a ticket; whoever waits on the same terms already gets his own again (200).

        Raises: InvalidRules; Refusal `invalid`, `rate_limited`.
        """
        if asker.player_id is None:
            raise unauthenticated()
        started = new_game(request.ruleset, request.players, request.seating, request.house_rules)
        check_level(request.level, self._bots.think_seconds, "/level")
        terms = Terms(
            ruleset=started.ruleset.id,
            players=started.players,
            seating=started.seating,
            house_rules=started.ruleset.house_rules,
            clock=request.clock,
        )
        ticket_id = f"{pools.pool_id_of(started, request.clock)}-{secrets.token_hex(8)}"
        if key is None:
            self._guesses.count("ticket", Asker(player_id=asker.player_id), ASKING)
        else:
            reserved = self._counted(asker.player_id, key, ticket_id)
            if reserved.said:
                shown = msgspec.json.decode(reserved.said, type=TicketShape)
                return Answer(value=shown, replayed=True)
            if reserved.done:
                return self._first_answer(reserved.table_id, reserved.after or 0)
            ticket_id = reserved.table_id
        pool, ticket = self._join(asker, terms, ticket_id, request.fill_with_bots_after, request.level)
        self._make_tables(pool)
        shown = shown_ticket(pool.terms, ticket, pool)
        if key is not None and ticket.id == ticket_id:
            self._register.settle(asker.player_id, key.value, ticket.created_at, shown.waiting)
        elif key is not None:
            # It may change any moment, so the record holds all of it.
            said = msgspec.json.encode(shown)
            self._register.settle(asker.player_id, key.value, ticket.created_at, shown.waiting, said)
        return Answer(value=shown, status=201 if ticket.id == ticket_id else 200)

    def ticket(self, asker: Asker, ticket_id: str, wait: float = 0) -> TicketShape:
        """How it stands; with `wait` not before it has ended, or the time is up. Asking keeps it alive.

        Raises: Refusal `not_found`.
        """
        ends = time.monotonic() + min(wait, LONGEST_WAIT)
        pool, ticket = self._asked_for(asker, ticket_id)
        while ticket.status == "waiting":
            left = ends - time.monotonic()
            if left <= 0:
                break
            came = self._pools.wait(ticket_id, left)
            pool, ticket = self._asked_for(asker, ticket_id)
            if not came:  # time ran out, or the process is stopping
                break
        self._make_tables(pool)
        return shown_ticket(pool.terms, ticket, pool)

    def cancel(self, asker: Asker, ticket_id: str) -> None:
        """Do not wait any more. Raises: Refusal `not_found`; `ticket_matched` once it has a table."""
        for _ in range(TRIES):
            loaded, pool, ticket = self._own(asker, ticket_id)
            if ticket.status == "matched":
                raise Refusal(
                    "ticket_matched",
                    f"This ticket has a table already: {ticket.table}. Leave your seat there instead.",
                    params={"table": ticket.table},
                )
            if ticket.status != "waiting":
                return
            if self._settle(loaded, pools.without(pool, ticket_id), [replace(ticket, status="cancelled")]) is not None:
                return
        raise StoreUnavailable("the pool moved on under every try")

    def take_due(self, limit: int) -> Sequence[tuple[str, int]]:
        """Pools that want attention now, each with the version that wants it."""
        return self._pools.take_due(limit)

    def remove_due(self, entries: Sequence[tuple[str, int]]) -> None:
        """These versions have gone by, or will never come."""
        self._pools.remove_due(entries)

    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]:
        """The current version of each pool that exists."""
        return self._pools.versions(pool_ids)

    def tend(self, pool_id: str, version: int) -> None:
        """Do whatever is due in a pool at this version: lapses, ends of patience, tables to be made.

        Safe to run twice. A pool that has moved on is left alone: whoever changed it did all that was due, and his
        change has an entry of its own.
        """
        loaded = self._pools.load(pool_id, None)
        if loaded.pool is None or loaded.pool.version != version:
            return
        if loaded.pool.is_idle:
            self._pools.remove_due([(pool_id, version)])
            return
        pool = self._settle(loaded, loaded.pool, [])
        if pool is not None:
            self._make_tables(pool)

    def _counted(self, player_id: str, key: Key, ticket_id: str) -> Reservation:
        """The key's record; a request that is the first under it is counted."""
        reserved = self._reserved(player_id, key, ticket_id)
        if reserved.fresh:
            try:
                self._guesses.count("ticket", Asker(player_id=player_id), ASKING)
            except Refusal:
                self._register.release(player_id, key.value)
                raise
        return reserved

    def _join(
        self, asker: Asker, terms: Terms, ticket_id: str, patience: float | None, level: str
    ) -> tuple[Pool, Ticket]:
        """Wait in the pool, or meet those who do; the ticket that counts may be an earlier one of the same player."""
        pool_id = pools.pool_of(ticket_id)
        player_id = asker.player_id or ""
        for _ in range(TRIES):
            loaded = self._pools.load(pool_id, ticket_id)
            pool = loaded.pool or Pool(id=pool_id, version=0, terms=terms)
            if loaded.ticket is not None:
                return pool, next((one for one in pool.waiting if one.id == ticket_id), loaded.ticket)
            earlier = pool.waiting_of(player_id)
            if earlier is not None and earlier.until > loaded.now:
                return pool, earlier
            ticket = Ticket(
                id=ticket_id,
                player_id=player_id,
                kind="bot" if asker.kind == "bot" else "human",
                created_at=loaded.now,
                until=loaded.now + LAPSES_AFTER,
                fill_at=None if patience is None else loaded.now + timedelta(seconds=patience),
                level=level,
            )
            after = self._settle(loaded, pools.joined(pool, ticket), [ticket])
            if after is not None:
                met = [one for group in after.groups for one in group.tickets if one.id == ticket_id]
                return after, met[0] if met else ticket
        raise StoreUnavailable("the pool moved on under every try")

    def _asked_for(self, asker: Asker, ticket_id: str) -> tuple[Pool, Ticket]:
        """Note that the player is still there, and see whether anything follows."""
        for _ in range(TRIES):
            loaded, pool, ticket = self._own(asker, ticket_id)
            if ticket.status != "waiting":
                return pool, ticket
            after = self._settle(loaded, pools.asked_for(pool, ticket_id, loaded.now), [])
            if after is not None:
                waits = next((one for one in after.waiting if one.id == ticket_id), None)
                if waits is not None:
                    return after, waits
        raise StoreUnavailable("the pool moved on under every try")

    def _own(self, asker: Asker, ticket_id: str) -> tuple[LoadedPool, Pool, Ticket]:
        loaded = self._pools.load(pools.pool_of(ticket_id), ticket_id)
        if loaded.ticket is None or loaded.pool is None or loaded.ticket.player_id != asker.player_id:
            raise not_found("ticket")
        waits = next((one for one in loaded.pool.waiting if one.id == ticket_id), None)
        return loaded, loaded.pool, waits or loaded.ticket

    def _settle(self, loaded: LoadedPool, pool: Pool, tickets: list[Ticket]) -> Pool | None:
        """Settle and write, where there is anything to write; None: somebody was faster."""
        settled, ended = pools.settled(pool, loaded.now, self._chance.table_id)
        gone = self._gone(ended)
        if gone:
            stayed, ended = pools.settled(pools.without(pool, *gone), loaded.now, self._chance.table_id)
            settled, ended = stayed, (*ended, *(replace(gone[one], status="cancelled", table=None) for one in gone))
        pool = settled
        if pool == loaded.pool:
            return pool
        before = 0 if loaded.pool is None else loaded.pool.version
        after = replace(pool, version=before + 1)
        over = {ticket.id: ticket for ticket in (*tickets, *ended)}
        due = pools.due_at(after, loaded.now)
        return after if self._pools.commit(after, list(over.values()), due) else None

    def _gone(self, ended: Sequence[Ticket]) -> dict[str, Ticket]:
        """Of tickets that are about to get a table, those whose players were deleted while they waited."""
        matched = [ticket for ticket in ended if ticket.status == "matched"]
        names = self._register.names([ticket.player_id for ticket in matched]) if matched else {}
        return {ticket.id: ticket for ticket in matched if ticket.player_id not in names}

    def _make_tables(self, pool: Pool) -> None:
        """Every group of this pool gets its table, and leaves the pool; who was deleted meanwhile leaves the table."""
        for group in pool.groups:
            try:
                self._store.load(group.table)
            except TableNotFound:
                self._make_table(pool.terms, group)
            met = [ticket.player_id for ticket in group.tickets]
            gone = set(met).difference(self._register.names(met))
            if gone:
                self._see_off(group.table, gone)
            self._take_out(pool.id, group)

    def _make_table(self, terms: Terms, group: Group) -> None:
        """All seats taken, the game begun, in one commit; False of it means that somebody else has just done so."""
        draft = self._draft_of_new()
        taken = len(group.tickets)
        request = OpenTable(
            ruleset=terms.ruleset,
            players=terms.players,
            seating=terms.seating,
            house_rules=terms.house_rules,
            clock=terms.clock,
            bots=tuple(BotSeat(seat=seat, level=group.level) for seat in range(taken, terms.players)),
            sit=False,
        )
        self._fill(draft, Asker(player_id=group.tickets[0].player_id), request, group.table, practice=False)
        for seat, ticket in enumerate(group.tickets):
            occupant = Occupant(kind="bot" if ticket.kind == "bot" else "human", player_id=ticket.player_id)
            draft.seat(seat, occupant)
        draft.start_if_full()
        self._commit(draft, ())

    def _take_out(self, pool_id: str, group: Group) -> None:
        for _ in range(TRIES):
            loaded = self._pools.load(pool_id, None)
            if loaded.pool is None or group.table not in [other.table for other in loaded.pool.groups]:
                return
            after = pools.made(loaded.pool, group.table)
            after = replace(after, version=after.version + 1)
            # The tickets are written once more as they are: it rings for those who wait for them.
            if self._pools.commit(after, list(group.tickets), pools.due_at(after, loaded.now)):
                return

    def _first_answer(self, ticket_id: str, waiting: int) -> Answer[TicketShape]:
        """What was said when the ticket was taken."""
        loaded = self._pools.load(pools.pool_of(ticket_id), ticket_id)
        if loaded.pool is None or loaded.ticket is None:
            raise not_found("ticket")
        ticket = loaded.ticket
        if waiting:
            until = ticket.created_at + LAPSES_AFTER
            ticket = replace(ticket, status="waiting", table=None, until=until)
        shown = replace(shown_ticket(loaded.pool.terms, ticket, loaded.pool), waiting=waiting)
        return Answer(value=shown, replayed=True, status=201)
