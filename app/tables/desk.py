"""What every use case at a table shares: look, judge, write one step, answer; again when somebody was faster."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from app.engine.errors import RuleViolation
from app.tables.askers import may_see, refused
from app.tables.draft import Draft
from app.tables.events import TableEvent
from app.tables.guesses import Guesses
from app.tables.keyed import Keyed
from app.tables.leaving import counted_on, leave_for
from app.tables.locks import at_version
from app.tables.log import replay
from app.tables.masks import players_named_in, seen_by
from app.tables.moments import Moment, bot_due, next_moment, overdue
from app.tables.ports import (
    Attempts,
    Bots,
    Chance,
    DueIndex,
    Loaded,
    Queue,
    StoreUnavailable,
    TableNotFound,
    TableStore,
)
from app.tables.rated import ends_a_game
from app.tables.receipts import FirstAnswer, Receipt, trimmed
from app.tables.refusals import not_found, unauthenticated
from app.tables.register import PlayerRegister
from app.tables.requests import Asker, Key
from app.tables.seats import Seat
from app.tables.shapes import TableView
from app.tables.steps import step_of
from app.tables.table import Table
from app.tables.views import connected_seats, view_of

BOT_FALLBACK = timedelta(milliseconds=250)
"""A bot turn is enqueued at once; its due entry lies this much later."""
TRIES = 50
"""Somebody else was faster every time: each try means that the table moved on, so more is a fault."""
NUDGE_EVERY = 1.0
"""Seconds between two jobs that reads of one overdue table may enqueue."""


class Done(Struct, frozen=True, kw_only=True):
    """A write that is in the log: the table then, what was written, and what its answer says of the moment."""

    table: Table
    events: tuple[TableEvent, ...]
    now: datetime
    connected: tuple[bool | None, ...]
    replayed: bool = False


class Desk(Keyed):
    """The ports, and the one way to change a table."""

    def __init__(
        self,
        *,
        store: TableStore,
        due: DueIndex,
        register: PlayerRegister,
        queue: Queue,
        bots: Bots,
        chance: Chance,
        attempts: Attempts | None = None,
        done_late: Callable[[str, float], None] = lambda _why, _seconds: None,
    ) -> None:
        """`attempts`: counts what may be tried so often only; None: nobody counts. `done_late` is told of everything
        that was due, why, and how long after its moment it was done, whoever did it.
        """
        self._store = store
        self._due = due
        self._register = register
        self._queue = queue
        self._bots = bots
        self._chance = chance
        self._guesses = Guesses(attempts)
        self._done_late = done_late
        self._nudged: dict[str, float] = {}

    # -- looking ------------------------------------------------------------------------------------------------

    def _look(self, asker: Asker, table_id: str) -> Loaded:
        """The table, if the asker may know of it. Raises: Refusal `not_found`, alike for unknown and private."""
        loaded = self._loaded(table_id)
        if not may_see(loaded.table, asker, loaded.now):
            raise not_found()
        return loaded

    def _loaded(self, table_id: str) -> Loaded:
        try:
            return self._store.load(table_id)
        except TableNotFound:
            raise not_found() from None

    def _nudge(self, loaded: Loaded) -> None:
        """A read that sees work overdue asks for it, at most once a second a table; it never does it."""
        table = loaded.table
        if not (overdue(table, loaded.now) or bot_due(table, self._bots.think_seconds, loaded.now)):
            return
        moment = time.monotonic()
        if moment - self._nudged.get(table.id, -NUDGE_EVERY) < NUDGE_EVERY:
            return
        if len(self._nudged) > 10_000:
            self._nudged.clear()
        self._nudged[table.id] = moment
        self._queue.advance(table.id, table.version)

    # -- writing ------------------------------------------------------------------------------------------------

    def _change(
        self,
        asker: Asker,
        table_id: str,
        key: Key | None,
        judge: Callable[[Loaded, Draft], None],
        invite_code: str | None = None,
    ) -> Done:
        """Judge a request on the newest state and write what follows as one step.

        The receipt is looked at before anything else; a deadline that has passed is acted on first, as a step of its
        own. `judge` writes into the draft, or raises; a draft without events changes no more than a seed, and answers
        all the same.

        Raises: Refusal; StoreUnavailable.
        """
        if asker.player_id is None:
            raise unauthenticated()
        judge = at_version(asker.expects(table_id), asker, judge)
        for _ in range(TRIES):
            loaded = self._loaded(table_id)
            sees = may_see(loaded.table, asker, loaded.now, invite_code)
            receipt = self._receipt(loaded, asker.player_id, key, in_sight=sees)
            if receipt is not None:
                return self._done_before(table_id, receipt)
            if not sees:
                raise not_found()
            if self._catch_up(loaded):
                continue
            draft = self._draft(loaded)
            try:
                judge(loaded, draft)
            except RuleViolation as violation:
                raise refused(violation, loaded.table, asker) from violation
            connected = connected_seats(draft.table.seats, loaded.seen, loaded.now)
            if not draft.events:
                return self._without_an_entry(asker.player_id, key, loaded, draft, connected)
            receipts = loaded.receipts
            if key is not None:
                written = Receipt(
                    player_id=asker.player_id,
                    key=key.value,
                    digest=key.digest,
                    before=draft.before,
                    after=draft.table.version,
                    at=loaded.now,
                    connected=connected,
                )
                receipts = trimmed((*receipts, written))
            if self._commit(draft, receipts):
                self._note(asker.player_id, key)
                return Done(table=draft.table, events=tuple(draft.events), now=loaded.now, connected=connected)
        raise StoreUnavailable("the table moved on under every try")

    def _without_an_entry(
        self, player_id: str, key: Key | None, loaded: Loaded, draft: Draft, connected: tuple[bool | None, ...]
    ) -> Done:
        """Answer a request that writes nothing into the log. All it may bring is a seed, which is no part of it."""
        answer = FirstAnswer(table=draft.table.id, version=draft.before, at=loaded.now, connected=connected)
        with self._once(player_id, key, answer) as first:
            if first is not None:
                return self._done_before(first.table, first)
            if draft.client_seed is not None:
                self._store.set_client_seed(draft.table.id, draft.client_seed)
        return Done(table=loaded.table, events=(), now=loaded.now, connected=connected)

    def _draft(self, loaded: Loaded) -> Draft:
        return Draft(
            loaded.table,
            loaded.now,
            self._bots,
            loaded.client_seeds,
            premoves=loaded.premoves,
            premove_count=loaded.premove_count,
        )

    def _catch_up(self, loaded: Loaded) -> bool:
        """Act on a deadline that has passed, as a step of its own; True: there was one, so look again."""
        if not overdue(loaded.table, loaded.now):
            return False
        late = self._draft(loaded)
        moment = self._do_due(late, bots=False)
        if moment is not None:
            self._commit_due(late, moment, loaded.receipts)
        return moment is not None

    def _do_due(self, draft: Draft, *, bots: bool) -> Moment | None:
        """What has been due longest, bots' own turns aside unless `bots`; None: nothing. Advancing knows how."""
        raise NotImplementedError

    def _commit_due(self, draft: Draft, moment: Moment, receipts: tuple[Receipt, ...], *, enqueue: bool = True) -> bool:
        """Write what was due at this moment, and tell how late it is. False: it has moved on."""
        if not self._commit(draft, receipts, enqueue=enqueue):
            return False
        self._done_late(moment.why, (draft.now - moment.at).total_seconds())
        return True

    def _next_table(self, finished: Table) -> str:
        """The id of the rematch of a finished table, which is there when this returns. Rematching knows how."""
        raise NotImplementedError

    def _commit(self, draft: Draft, receipts: tuple[Receipt, ...], *, enqueue: bool = True) -> bool:
        """Write a finished draft; a bot that is due now gets its job at once (`enqueue`). False: it has moved on."""
        table = draft.table
        moment = next_moment(table, self._bots.think_seconds)
        bot_now = bot_due(table, self._bots.think_seconds, draft.now)
        due = None
        if moment is not None:
            due = draft.now + BOT_FALLBACK if bot_now else max(moment.at, draft.now)
        step = step_of(draft, receipts, due)
        if not self._store.commit(step):
            return False
        if bot_now and enqueue:
            self._queue.advance(table.id, table.version)
        if ends_a_game(table, draft.events):
            self._queue.book(table.id)
        return True

    def _done_before(self, table_id: str, first: Receipt | FirstAnswer) -> Done:
        """The first answer again: the log says what the table was then."""
        log = self._log(table_id, 0, first.after)
        return Done(
            table=replay(log), events=tuple(log[first.before :]), now=first.at, connected=first.connected, replayed=True
        )

    def _see_off(self, table_id: str, gone: Collection[str]) -> None:
        """Have players who exist no more leave this table (`leaving`), and end what is left of their deletion."""
        for player_id in gone:
            self._register.delete(player_id)
        for _ in range(TRIES):
            try:
                loaded = self._store.load(table_id)
            except TableNotFound:
                return
            draft = self._draft(loaded)
            leave_for(draft, gone)
            if not draft.events or self._commit(draft, loaded.receipts):
                return
        raise StoreUnavailable("the table moved on under every try")

    # -- answering ----------------------------------------------------------------------------------------------

    def _log(self, table_id: str, after: int, until: int) -> list[TableEvent]:
        """Entries `after < seq <= until`, as they were written."""
        entries: list[TableEvent] = []
        while after + len(entries) < until:
            limit = min(1000, until - after - len(entries))
            page = self._store.events(table_id, after + len(entries), limit)
            if not page:
                break
            entries.extend(page)
        return entries

    def _names(self, seats: Iterable[Seat], others: Iterable[str] = ()) -> Mapping[str, str]:
        known = [seat.hold.player_id if seat.hold is not None else seat.occupant.player_id for seat in seats]
        ids = dict.fromkeys(player_id for player_id in (*known, *others) if player_id is not None)
        return self._register.names(list(ids)) if ids else {}

    def _view(self, done: Done, asker: Asker) -> TableView:
        """What the asker sees of the table as this write left it; it is over for players who turn out to be gone."""
        table = done.table
        needed = counted_on(table) if done.events and not done.replayed else set()
        names = self._names(table.seats, sorted(needed))
        gone = needed.difference(names)
        if gone:
            self._see_off(table.id, gone)
        return view_of(
            table,
            table.seat_of(asker.player_id),
            asker.player_id,
            now=done.now,
            connected=done.connected,
            names=names,
        )

    def _shown(self, events: Iterable[TableEvent], seat: int | None, player_id: str | None) -> tuple[TableEvent, ...]:
        """Entries as this player at `seat` may read them, names joined."""
        entries = list(events)
        ids = sorted(players_named_in(entries))
        names = self._register.names(ids) if ids else {}
        return tuple(seen_by(event, seat, player_id, names) for event in entries)
