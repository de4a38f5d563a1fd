"""In-memory twins of the store, the player register, the due index and the queue, with a clock that tests set.

`tests/storage/test_contract.py` holds them and the real ones to the same contract.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from app.analysis.ports import Asked, Begun, Kept
from app.analysis.shapes import HandAnalysis, MoveAnalysis
from app.standing.pools import Pool as RatedPool
from app.standing.ports import Ranked, Written
from app.standing.record import Record
from app.storage.cursor import OF_BOARD, OF_TABLES, Place
from app.tables.events import InviteRenewed, PlayerInvited, SeatHeld, SeatTaken, TableCreated, TableEvent
from app.tables.live import Glance, StreamTerms
from app.tables.notices import Entry, Notice
from app.tables.pools import Pool, Ticket
from app.tables.ports import TAKEN_FOR, ClientSeed, Loaded, LoadedPool, Step, TableNotFound
from app.tables.premoves import PreMove
from app.tables.rated import ends_a_game
from app.tables.receipts import Receipt
from app.tables.register import Player, Reservation, Token
from app.tables.table import Table

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
STALE_AFTER = timedelta(seconds=10)
RESERVED_FOR = timedelta(hours=24)
NOTED_FOR = timedelta(hours=1)
ASKED_AT_ONCE = timedelta(seconds=10)
ASKED_AGAIN = timedelta(seconds=60)


class SettableClock:
    """Stands still until a test moves it."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def advance(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now


class MemoryDue:
    """`DueIndex` in a dict."""

    def __init__(self, clock: SettableClock, tables: MemoryTables | None = None) -> None:
        self.clock = clock
        self.tables = tables
        self.entries: dict[tuple[str, int], datetime] = {}
        self._lock = threading.Lock()

    def add(self, table_id: str, version: int, at: datetime) -> None:
        with self._lock:
            self.entries[table_id, version] = at

    def add_no_later(self, table_id: str, version: int, at: datetime) -> None:
        with self._lock:
            self.entries[table_id, version] = min(at, self.entries.get((table_id, version), at))

    def take(self, limit: int) -> Sequence[tuple[str, int]]:
        with self._lock:
            ready = sorted((at, entry) for entry, at in self.entries.items() if at <= self.clock.now)[:limit]
            for _, entry in ready:
                self.entries[entry] = self.clock.now + TAKEN_FOR
            return [entry for _, entry in ready]

    def remove(self, table_id: str, version: int) -> None:
        with self._lock:
            self.entries.pop((table_id, version), None)

    def versions(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        return {} if self.tables is None else self.tables.versions(table_ids)


class MemoryTables:
    """`TableStore` in dicts. `wait` blocks in real seconds; everything else follows the settable clock."""

    def __init__(self, clock: SettableClock | None = None, due: MemoryDue | None = None) -> None:
        self.clock = clock or SettableClock()
        self.due = due or MemoryDue(self.clock)
        self.due.tables = self
        self.pending = MemoryPending(self.clock)
        self.rung: list[tuple[str, int]] = []
        """(table, version) of every commit, in order."""
        self._tables: dict[str, tuple[Table, tuple[Receipt, ...], datetime]] = {}
        self._logs: dict[str, list[TableEvent]] = {}
        self._seen: dict[str, dict[int, datetime]] = {}
        self._seeds: dict[str, dict[str, str]] = {}
        self._inviting: dict[str, dict[str, None]] = {}
        self._premoves: dict[str, tuple[int, dict[int, PreMove]]] = {}
        self._codes: dict[str, str] = {}
        self._sat: dict[str, set[str]] = {}
        self._bell = threading.Condition(threading.RLock())
        self.stopping = False
        self.feeds = MemoryFeeds(self)

    def now(self) -> datetime:
        return self.clock.now

    def load(self, table_id: str) -> Loaded:
        with self._bell:
            table, receipts, _ = self._living(table_id)
            seen = dict(self._seen.get(table_id, {}))
            seeds = dict(self._seeds.get(table_id, {}))
            count, premoves = self._premoves.get(table_id, (0, {}))
            return Loaded(
                table=table,
                receipts=receipts,
                seen=seen,
                client_seeds=seeds,
                now=self.clock.now,
                premoves=dict(premoves),
                premove_count=count,
            )

    def set_premove(self, table_id: str, version: int, seat: int, premove: PreMove | None) -> bool:
        with self._bell:
            if self.versions([table_id]).get(table_id) != version:
                return False
            count, premoves = self._premoves.get(table_id, (0, {}))
            kept = {**premoves, seat: premove}
            living = {number: one for number, one in kept.items() if one is not None}
            self._premoves[table_id] = (count + 1, living)
            return True

    def commit(self, step: Step) -> bool:
        check_step(step)
        table_id = step.table.id
        with self._bell:
            if step.due is not None:
                self.due.add_no_later(table_id, step.table.version, step.due)
            if ends_a_game(step.table, step.events):
                self.pending.entries[table_id] = self.clock.now + ASKED_AT_ONCE
            if self.versions([table_id]).get(table_id, 0) != step.before:
                return False
            count, premoves = self._premoves.get(table_id, (0, {}))
            if step.premove_count is not None and step.premove_count != count:
                return False
            left = {seat: one for seat, one in premoves.items() if seat not in step.premoves_used}
            self._premoves[table_id] = (count, left)
            if step.before == 0:
                self._logs[table_id] = []
            self._tables[table_id] = (step.table, step.receipts, self.clock.now + step.keep)
            self._logs[table_id].extend(step.events)
            if step.client_seed is not None:
                self.set_client_seed(table_id, step.client_seed)
            self._list_invitations(table_id, step.events)
            for player_id in seated_by(step.events):
                self._sat.setdefault(player_id, set()).add(table_id)
            self.rung.append((table_id, step.table.version))
            for notice in step.notices:
                self.feeds.tell(notice)
            self._bell.notify_all()
            return True

    def _list_invitations(self, table_id: str, events: Iterable[TableEvent]) -> None:
        for event in events:
            if isinstance(event, TableCreated | InviteRenewed) and event.invite_code is not None:
                self._codes[event.invite_code] = table_id
            if isinstance(event, PlayerInvited):
                lists = self._inviting.setdefault(event.player_id or "", {})
                lists.pop(table_id, None)
                lists[table_id] = None

    def events(self, table_id: str, after: int, limit: int) -> Sequence[TableEvent]:
        with self._bell:
            self._living(table_id)
            return self._logs[table_id][max(after, 0) :][:limit]

    def touch(self, table_id: str, seat: int) -> None:
        with self._bell:
            if self.versions([table_id]):
                self._bell.notify_all()
                self._seen.setdefault(table_id, {})[seat] = self.clock.now

    def set_client_seed(self, table_id: str, brought: ClientSeed) -> None:
        with self._bell:
            if self.versions([table_id]):
                self._seeds.setdefault(table_id, {})[brought.player_id] = brought.seed

    def wait(self, table_id: str, version: int, seconds: float) -> bool:
        with self._bell:
            patience = 0 if self.stopping else seconds
            return self._bell.wait_for(lambda: self.versions([table_id]).get(table_id, 0) > version, patience)

    @contextmanager
    def watch(self, table_id: str) -> Iterator[MemoryWatch]:
        yield MemoryWatch(self, table_id)

    def listed(self, status: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        with self._bell:
            shown = [
                place(table)
                for table, _, _ in self._all()
                if table.status == status and table.visibility == "public" and not table.practice
            ]
        return page(shown, limit, cursor)

    def of_player(self, player_id: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        with self._bell:
            sat = self._sat.get(player_id, set())
            shown = [place(table) for table, _, _ in self._all() if table.id in sat]
        return page(shown, limit, cursor)

    def invited(self, code: str) -> str | None:
        with self._bell:
            return self._codes.get(code)

    def inviting(self, player_id: str) -> Sequence[str]:
        with self._bell:
            return list(reversed(self._inviting.get(player_id, {})))

    def load_many(self, table_ids: Sequence[str]) -> Sequence[Loaded]:
        with self._bell:
            living = self.versions(table_ids)
            return [self.load(table_id) for table_id in table_ids if table_id in living]

    def versions(self, table_ids: Sequence[str]) -> Mapping[str, int]:
        with self._bell:
            wanted = set(table_ids)
            return {table.id: table.version for table, _, _ in self._all() if table.id in wanted}

    def _all(self) -> Iterable[tuple[Table, tuple[Receipt, ...], datetime]]:
        return [entry for entry in self._tables.values() if entry[2] > self.clock.now]

    def _living(self, table_id: str) -> tuple[Table, tuple[Receipt, ...], datetime]:
        entry = self._tables.get(table_id)
        if entry is None or entry[2] <= self.clock.now:
            raise TableNotFound(table_id)
        return entry


class MemoryWatch:
    """`Watch` on the twin; it never blocks for long, so that a test's clock can move meanwhile."""

    def __init__(self, tables: MemoryTables, table_id: str) -> None:
        self._tables = tables
        self._table_id = table_id

    @property
    def stopped(self) -> bool:
        return self._tables.stopping

    def wait(self, version: int, seconds: float) -> bool:
        return self._tables.wait(self._table_id, version, min(seconds, 0.01))

    def entries(self, after: int, limit: int) -> Sequence[TableEvent]:
        return self._tables.events(self._table_id, after, limit)

    def glance(self, seat: int | None) -> Glance:
        if seat is not None:
            self._tables.touch(self._table_id, seat)
        version = self._tables.versions([self._table_id]).get(self._table_id, 0)
        seen = self._tables.load(self._table_id).seen if version else {}
        return Glance(version=version, seen=seen, now=self._tables.now())


class MemoryFeeds:
    """`Feeds` in lists; a step's notices are told with it, so none is ever undecided."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables
        self._entries: dict[str, list[Entry]] = {}

    def tell(self, notice: Notice) -> None:
        entries = self._entries.setdefault(notice.player_id, [])
        entries.append(Entry(seq=len(entries) + 1, notice=notice))

    def read(self, player_id: str, after: int, limit: int) -> Sequence[Entry]:
        return self._entries.get(player_id, [])[after:][:limit]

    def newest(self, player_id: str) -> int:
        return len(self._entries.get(player_id, []))

    def latest(self, player_id: str) -> int:
        return self.newest(player_id)

    @contextmanager
    def listen(self, player_id: str) -> Iterator[MemoryBell]:
        yield MemoryBell(self._tables)


class MemoryBell:
    """`Bell` on the twin; it never blocks for long."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    @property
    def stopped(self) -> bool:
        return self._tables.stopping

    def wait(self, seconds: float) -> bool:
        return self._tables.wait("", 0, min(seconds, 0.01))


class MemoryTurnstile:
    """`Turnstile` in this process."""

    def __init__(self, terms: StreamTerms, players: MemoryPlayers) -> None:
        self.terms = terms
        self.players = players
        self.open: list[MemoryPermit] = []

    def enter(self, token: tuple[str, str] | None, address: str) -> MemoryPermit | None:
        by_token = sum(token is not None and other.token == token for other in self.open)
        by_address = sum(other.address == address for other in self.open)
        if by_token >= self.terms.per_token or by_address >= self.terms.per_address:
            return None
        self.open.append(MemoryPermit(self, token, address))
        return self.open[-1]


class MemoryPermit:
    def __init__(self, turnstile: MemoryTurnstile, token: tuple[str, str] | None, address: str) -> None:
        self.turnstile = turnstile
        self.token = token
        self.address = address

    @property
    def revoked(self) -> bool:
        if self.token is None:
            return False
        player_id, token_id = self.token
        return token_id not in {token.id for token in self.turnstile.players.tokens(player_id)}

    def give_back(self) -> None:
        if self in self.turnstile.open:
            self.turnstile.open.remove(self)


class MemoryQueue:
    """`Queue` that only remembers what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.to_book: list[str] = []
        self.to_analyse: list[tuple[str, int]] = []

    def advance(self, table_id: str, version: int) -> None:
        self.asked.append((table_id, version))

    def book(self, table_id: str) -> None:
        self.to_book.append(table_id)

    def analyse(self, table_id: str, hand: int, *, again: bool = False) -> None:
        self.to_analyse.append((table_id, hand))


class MemoryPending:
    """`PendingGames` in a dict."""

    def __init__(self, clock: SettableClock) -> None:
        self.clock = clock
        self.entries: dict[str, datetime] = {}

    def take(self, limit: int) -> Sequence[str]:
        ready = sorted((at, table_id) for table_id, at in self.entries.items() if at <= self.clock.now)[:limit]
        for _, table_id in ready:
            self.entries[table_id] = self.clock.now + ASKED_AGAIN
        return [table_id for _, table_id in ready]

    def remove(self, table_id: str) -> None:
        self.entries.pop(table_id, None)


class MemoryStanding:
    """`StandingStore` in dicts."""

    def __init__(self) -> None:
        self.kept: dict[RatedPool, dict[str, Record]] = {}
        self.booked: set[str] = set()
        self._lock = threading.RLock()

    def records(self, pool: RatedPool, ids: Sequence[str]) -> Mapping[str, Record]:
        with self._lock:
            kept = self.kept.get(pool, {})
            return {one: kept[one] for one in ids if one in kept}

    def write(self, pool: RatedPool, table_id: str, records: Mapping[str, Record]) -> Written:
        with self._lock:
            kept = self.kept.setdefault(pool, {})
            if table_id in self.booked:
                return "already"
            if any(kept.get(one, Record()).version != record.version - 1 for one, record in records.items()):
                return "moved_on"
            kept.update(records)
            self.booked.add(table_id)
            return "written"

    def of(self, entry_id: str, pools: Sequence[RatedPool]) -> Mapping[RatedPool, Ranked]:
        with self._lock:
            return {pool: self._ranked(pool, entry_id) for pool in pools if entry_id in self.kept.get(pool, {})}

    def board(self, pool: RatedPool, limit: int, cursor: str | None) -> tuple[Sequence[Ranked], str | None]:
        below = None if cursor is None else OF_BOARD.place_of(cursor)
        with self._lock:
            places = sorted(self._places(pool), reverse=True)
            rest = [at for at in places if below is None or at < below]
            page = [self._ranked(pool, entry_id) for _, entry_id in rest[:limit]]
            return page, OF_BOARD.cursor_of(rest[limit - 1]) if len(rest) > limit else None

    def forget(self, entry_id: str, pools: Sequence[RatedPool]) -> None:
        with self._lock:
            for pool in pools:
                self.kept.get(pool, {}).pop(entry_id, None)

    def _places(self, pool: RatedPool) -> list[tuple[int, str]]:
        return [(record.rating, one) for one, record in self.kept.get(pool, {}).items() if record.is_listed]

    def _ranked(self, pool: RatedPool, entry_id: str) -> Ranked:
        record = self.kept[pool][entry_id]
        better = sum(rating > record.rating for rating, _ in self._places(pool))
        return Ranked(id=entry_id, record=record, rank=better + 1 if record.is_listed else None)


class MemoryAnalyses:
    """`AnalysisStore` in a dict, beside the tables it belongs to."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables
        self._kept: dict[tuple[str, int], Kept] = {}
        self._done: dict[tuple[str, int], Begun] = {}
        self._lock = threading.RLock()

    def look(self, table_id: str, hand: int) -> Kept | None:
        with self._lock:
            kept = self._kept.get((table_id, hand)) if self._tables.versions([table_id]) else None
            return None if kept is None else replace(kept, now=self._tables.now())

    def ask(self, table_id: str, hand: int, patience: timedelta, *, anew: bool) -> Asked:
        with self._lock:
            now = self._tables.load(table_id).now
            kept = self._kept.get((table_id, hand))
            if kept is None or kept.failed:
                if not anew:
                    return "known"
                self._kept[table_id, hand] = Kept(asked_at=now, heard_at=now, now=now)
                self._done.pop((table_id, hand), None)
                return "anew"
            if kept.ready_at is not None or now - kept.heard_at < patience:
                return "known"
            self._kept[table_id, hand] = replace(kept, heard_at=now)
            return "again"

    def begin(self, table_id: str, hand: int) -> Begun | None:
        with self._lock:
            kept = self.look(table_id, hand)
            if kept is None or kept.failed or kept.ready_at is not None:
                return None
            self._kept[table_id, hand] = replace(kept, heard_at=kept.now)
            before = self._done.get((table_id, hand), Begun(done=(), tries=0))
            self._done[table_id, hand] = replace(before, tries=before.tries + 1)
            return self._done[table_id, hand]

    def keep(self, table_id: str, hand: int, done: tuple[MoveAnalysis, ...], moves: int) -> None:
        with self._lock:
            kept = self.look(table_id, hand)
            if kept is None or kept.ready_at is not None or kept.done >= len(done):
                return
            self._kept[table_id, hand] = replace(kept, heard_at=kept.now, done=len(done), moves=moves)
            self._done[table_id, hand] = Begun(done=done, tries=0)

    def conclude(self, table_id: str, hand: int, analysis: HandAnalysis) -> None:
        with self._lock:
            kept = self.look(table_id, hand)
            if kept is not None and kept.ready_at is None:
                ready = Kept(asked_at=kept.asked_at, heard_at=kept.now, now=kept.now, ready_at=kept.now)
                self._kept[table_id, hand] = replace(ready, analysis=analysis)

    def fail(self, table_id: str, hand: int) -> None:
        with self._lock:
            kept = self.look(table_id, hand)
            if kept is not None and kept.ready_at is None:
                failed = Kept(asked_at=kept.asked_at, heard_at=kept.heard_at, now=kept.now, failed=True)
                self._kept[table_id, hand] = failed


class MemoryMeter:
    """`Meter` in dicts; whoever has reported once stays present."""

    def __init__(self) -> None:
        self.kept: dict[str, float] = {}
        self.reports: dict[str, int] = {}
        self.there: dict[str, tuple[str, int]] = {}

    def add(self, reporter: str, number: int, process: str, waiting: int, added: Mapping[str, float]) -> None:
        self.there[reporter] = (process, waiting)
        if self.reports.get(reporter, 0) >= number:
            return
        self.reports[reporter] = number
        for name, value in added.items():
            self.kept[name] = self.kept.get(name, 0.0) + value

    def sums(self) -> Mapping[str, float]:
        return self.kept

    def present(self) -> Iterable[tuple[str, int]]:
        return self.there.values()


class MemoryAttempts:
    """`Attempts` in a dict."""

    def __init__(self, clock: SettableClock | None = None) -> None:
        self.clock = clock or SettableClock()
        self._counts: dict[tuple[str, str], tuple[int, datetime]] = {}
        self._lock = threading.Lock()

    def take(self, what: str, who: str, at_most: int, seconds: int) -> float | None:
        with self._lock:
            count, until = self._counts.get((what, who), (0, self.clock.now))
            if until <= self.clock.now:
                count, until = 0, self.clock.now + timedelta(seconds=seconds)
            if count >= at_most:
                return (until - self.clock.now).total_seconds()
            self._counts[what, who] = (count + 1, until)
            return None

    def give_back(self, what: str, who: str) -> None:
        with self._lock:
            count, until = self._counts.get((what, who), (0, self.clock.now))
            if count:
                self._counts[what, who] = (count - 1, until)


class MemoryTickets:
    """`TicketStore` in dicts. `wait` blocks in real seconds."""

    def __init__(self, clock: SettableClock | None = None) -> None:
        self.clock = clock or SettableClock()
        self.due: dict[tuple[str, int], datetime] = {}
        self._pools: dict[str, Pool] = {}
        self._tickets: dict[str, Ticket] = {}
        self._bell = threading.Condition(threading.RLock())

    def load(self, pool_id: str, ticket_id: str | None) -> LoadedPool:
        with self._bell:
            ticket = None if ticket_id is None else self._tickets.get(ticket_id)
            return LoadedPool(pool=self._pools.get(pool_id), ticket=ticket, now=self.clock.now)

    def commit(self, pool: Pool, tickets: Sequence[Ticket], due: datetime | None) -> bool:
        with self._bell:
            if due is not None:
                entry = pool.id, pool.version
                self.due[entry] = min(due, self.due.get(entry, due))
            held = self._pools.get(pool.id)
            if (0 if held is None else held.version) != pool.version - 1:
                return False
            self._pools[pool.id] = pool
            self._tickets.update({ticket.id: ticket for ticket in tickets})
            self._bell.notify_all()
            return True

    def wait(self, ticket_id: str, seconds: float) -> bool:
        with self._bell:
            return self._bell.wait_for(lambda: self._tickets[ticket_id].status != "waiting", seconds)

    def take_due(self, limit: int) -> Sequence[tuple[str, int]]:
        with self._bell:
            ready = [entry for entry, at in self.due.items() if at <= self.clock.now][:limit]
            self.due.update(dict.fromkeys(ready, self.clock.now + TAKEN_FOR))
            return ready

    def remove_due(self, entries: Sequence[tuple[str, int]]) -> None:
        with self._bell:
            for entry in entries:
                self.due.pop(entry, None)

    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]:
        with self._bell:
            return {pool_id: self._pools[pool_id].version for pool_id in pool_ids if pool_id in self._pools}


class MemoryPlayers:
    """`PlayerRegister` in dicts."""

    def __init__(self, clock: SettableClock | None = None) -> None:
        self.clock = clock or SettableClock()
        self._players: dict[str, Player] = {}
        self._deleted: dict[str, str] = {}
        self._tokens: dict[str, dict[str, tuple[Token, str]]] = {}
        self._ways_in: dict[str, tuple[str, str]] = {}
        self._links: dict[str, tuple[str, datetime]] = {}
        self._reserved: dict[tuple[str, str], tuple[Reservation, datetime, datetime]] = {}
        self._noted: dict[tuple[str, str], tuple[str, datetime]] = {}
        self._lock = threading.RLock()

    def create(self, player: Player, token: Token, token_digest: str) -> None:
        with self._lock:
            self._players[player.id] = player
            self.add_token(player.id, token, token_digest)

    def by_token(self, token_digest: str) -> tuple[Player, str] | None:
        with self._lock:
            player_id, token_id = self._ways_in.get(token_digest, ("", ""))
            player = self._players.get(player_id)
            return None if player is None else (player, token_id)

    def get(self, player_id: str) -> Player | None:
        with self._lock:
            return self._players.get(player_id)

    def get_many(self, player_ids: Sequence[str]) -> Mapping[str, Player]:
        with self._lock:
            return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    def kind_of_deleted(self, player_id: str) -> str | None:
        return self._deleted.get(player_id)

    def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        with self._lock:
            found = {player_id: self._players.get(player_id) for player_id in player_ids}
            return {player_id: player.name for player_id, player in found.items() if player is not None}

    def rename(self, player_id: str, name: str) -> Player:
        with self._lock:
            player = replace(self._living(player_id), name=name)
            self._players[player_id] = player
            return player

    def delete(self, player_id: str) -> None:
        with self._lock:
            player = self._players.pop(player_id, None)
            self._links.pop(player_id, None)
            if player is not None:
                self._deleted[player_id] = player.kind
            for _, digest in self._tokens.pop(player_id, {}).values():
                self._ways_in.pop(digest, None)

    def add_token(self, player_id: str, token: Token, token_digest: str) -> None:
        with self._lock:
            self._living(player_id)
            self._tokens.setdefault(player_id, {})[token.id] = (token, token_digest)
            self._ways_in[token_digest] = (player_id, token.id)

    def tokens(self, player_id: str) -> Sequence[Token]:
        with self._lock:
            kept = [token for token, _ in self._tokens.get(player_id, {}).values()]
            return sorted(kept, key=lambda token: (token.created_at, token.id))

    def remove_token(self, player_id: str, token_id: str) -> bool:
        with self._lock:
            removed = self._tokens.get(player_id, {}).pop(token_id, None)
            if removed is None:
                return False
            self._ways_in.pop(removed[1], None)
            return True

    def offer_link(self, player_id: str, code_digest: str, seconds: int) -> None:
        with self._lock:
            self._living(player_id)
            self._links[player_id] = (code_digest, self.clock.now + timedelta(seconds=seconds))

    def linked(self, code_digest: str) -> str | None:
        with self._lock:
            for player_id, (digest, until) in self._links.items():
                if digest == code_digest and until > self.clock.now:
                    return player_id
            return None

    def use_link(self, player_id: str, code_digest: str) -> bool:
        with self._lock:
            if self.linked(code_digest) != player_id:
                return False
            del self._links[player_id]
            return True

    def reserve(self, player_id: str, key: str, digest: str, table_id: str) -> Reservation:
        with self._lock:
            now = self.clock.now
            held = self._reserved.get((player_id, key))
            if held is None or held[2] <= now:
                noted = self._noted_for(player_id, key)
                if noted not in (None, digest):
                    return Reservation(digest=noted or "", table_id="", done=False, fresh=False, stale=False)
                made = Reservation(digest=digest, table_id=table_id, done=False, fresh=True, stale=False)
                self._reserved[player_id, key] = (replace(made, fresh=False), now, now + RESERVED_FOR)
                return made
            reservation, begun, until = held
            stale = not reservation.done and now - begun > STALE_AFTER
            if stale and digest == reservation.digest:
                self._reserved[player_id, key] = (reservation, now, until)
            return replace(reservation, stale=stale)

    def settle(self, player_id: str, key: str, at: datetime, after: int, said: bytes = b"") -> None:
        with self._lock:
            held = self._reserved.get((player_id, key))
            if held is not None and not held[0].done:
                settled = replace(held[0], done=True, at=at, after=after, said=said)
                self._reserved[player_id, key] = (settled, held[1], held[2])

    def release(self, player_id: str, key: str) -> None:
        with self._lock:
            held = self._reserved.get((player_id, key))
            if held is not None and not held[0].done:
                del self._reserved[player_id, key]

    def key_used_for(self, player_id: str, key: str) -> Reservation | None:
        with self._lock:
            held = self._reserved.get((player_id, key))
            if held is not None and held[2] > self.clock.now:
                return held[0]
            noted = self._noted_for(player_id, key)
            if noted is None:
                return None
            return Reservation(digest=noted, table_id="", done=False, fresh=False, stale=False)

    def note_key(self, player_id: str, key: str, digest: str) -> None:
        with self._lock:
            self._noted[player_id, key] = (digest, self.clock.now + NOTED_FOR)

    def _noted_for(self, player_id: str, key: str) -> str | None:
        digest, until = self._noted.get((player_id, key), (None, self.clock.now))
        return digest if until > self.clock.now else None

    def _living(self, player_id: str) -> Player:
        try:
            return self._players[player_id]
        except KeyError:
            raise LookupError(f"no player {player_id}") from None


def check_step(step: Step) -> None:
    """Refuse a step that contradicts itself, as the real store does."""
    seqs = [event.seq for event in step.events]
    assert seqs == list(range(step.before + 1, step.table.version + 1)), f"{seqs} after version {step.before}"
    assert seqs, "a step has at least one event"


def seated_by(events: Sequence[TableEvent]) -> set[str]:
    """Players who sat down, or opened the table, in these events."""
    sat = {event.occupant.player_id for event in events if isinstance(event, SeatTaken)}
    sat |= {event.player_id for event in events if isinstance(event, SeatHeld)}
    hosts = {event.host for event in events if isinstance(event, TableCreated)}
    return {player_id for player_id in sat | hosts if player_id is not None}


def place(table: Table) -> Place:
    return int(table.created_at.timestamp() * 1000), table.id


def page(places: Iterable[Place], limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
    """One page, newest first."""
    below = None if cursor is None else OF_TABLES.place_of(cursor)
    rest = sorted((at for at in places if below is None or at < below), reverse=True)
    shown = rest[:limit]
    return [table_id for _, table_id in shown], OF_TABLES.cursor_of(shown[-1]) if len(rest) > limit else None
