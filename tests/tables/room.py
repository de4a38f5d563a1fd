"""A room with tables, a clock that tests move, and a cast: Ann, Bob, Cat and Dan play, Eve is a stranger."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from app.analysis.service import Analyses
from app.bots.levels import HouseBots
from app.standing.service import Standing
from app.tables.chance import SystemChance
from app.tables.events import TableEvent
from app.tables.log import replay
from app.tables.moments import moments
from app.tables.players import Players
from app.tables.requests import Asker, BotSeat, Expected, Key, MoveRequest, OpenTable
from app.tables.service import Tables
from app.tables.shapes import MoveAnswer, TableView
from app.tables.table import Table
from app.tables.terms import Clock, PracticeDeal
from app.tables.tickets import Tickets
from tests.fakes import (
    MemoryAnalyses,
    MemoryAttempts,
    MemoryDue,
    MemoryPlayers,
    MemoryQueue,
    MemoryStanding,
    MemoryTables,
    MemoryTickets,
    SettableClock,
)


class Room:
    """Use cases on in-memory twins."""

    def __init__(self) -> None:
        self.clock = SettableClock()
        self.due = MemoryDue(self.clock)
        self.store = MemoryTables(self.clock, self.due)
        self.register = MemoryPlayers(self.clock)
        self.queue = MemoryQueue()
        self.attempts = MemoryAttempts(self.clock)
        self.pools = MemoryTickets(self.clock)
        ports: dict[str, Any] = {
            "store": self.store,
            "due": self.due,
            "register": self.register,
            "queue": self.queue,
            "bots": HouseBots(),
            "chance": SystemChance(),
            "attempts": self.attempts,
        }
        self.tables = Tables(**ports)
        self.tickets = Tickets(pools=self.pools, **ports)
        self.kept = MemoryStanding()
        self.standing = Standing(
            store=self.store,
            kept=self.kept,
            pending=self.store.pending,
            register=self.register,
            levels=tuple(HouseBots.think_seconds),
        )
        self.analyses = Analyses(kept=MemoryAnalyses(self.store), **ports)
        self.players = Players(
            self.register,
            self.store.now,
            self.tables.leave_all,
            self.standing.forget,
            self.attempts,
            pairs_hand_of=self.tables.pairs_hand_of,
        )
        self.ann, self.bob, self.cat, self.dan, self.eve = (
            self.newcomer(name) for name in ("Ann", "Bob", "Cat", "Dan", "Eve")
        )

    def newcomer(self, name: str, kind: str = "human") -> Asker:
        player, _ = self.players.register(Asker(), name, kind)
        return Asker(player_id=player.id, name=player.name, kind=kind)

    def open(self, *others: Asker, host: Asker | None = None, key: Key | None = None, **request: Any) -> str:
        """A table of Ann's with the others at the next seats; its id."""
        view = self.tables.open(host or self.ann, OpenTable(**request), key).value
        for other in others:
            self.tables.sit(other, view.id, None, None, None)
        return view.id

    def practice(
        self, holdings: str, boneyard: str = "", leader: int | None = 0, *others: Asker, **request: Any
    ) -> str:
        """A scripted table: `"61 66 | 00 22"` are the holdings, seat by seat; others sit by invitation."""
        hands = tuple(tuple(tiles.split()) for tiles in holdings.split("|"))
        deal = PracticeDeal(holdings=hands, boneyard=tuple(boneyard.split()), leader=leader)
        request.setdefault("players", len(hands))
        request.setdefault("house_rules", {"deal": {str(len(hands)): len(hands[0])}})
        view = self.tables.open(self.ann, OpenTable(practice=deal, **request), None).value
        for other in others or (self.bob,):
            self.tables.sit(other, view.id, None, view.invite_code, None)
        return view.id

    def play(
        self,
        asker: Asker,
        table_id: str,
        move: str,
        key: Key | None = None,
        expected_version: int | None = None,
        **more: Any,
    ) -> MoveAnswer:
        """`"draw"`, `"pass"`, `"muggins"`, or a tile and its end: `"50>55.left"` (the lead: `"55"`)."""
        if move in ("draw", "pass", "muggins"):
            request = MoveRequest(action=move, **more)
        else:
            tile, _, end = move.partition(">")
            request = MoveRequest(action="play", tile=tile, end=end or "lead", **more)
        if expected_version is not None:
            asker = replace(asker, expected=Expected(table=table_id, version=expected_version))
        return self.tables.act(asker, table_id, request, key).value

    def view(self, asker: Asker, table_id: str) -> TableView:
        return self.tables.view(asker, table_id)

    def table(self, table_id: str) -> Table:
        return self.store.load(table_id).table

    def log(self, table_id: str) -> list[TableEvent]:
        events = list(self.store.events(table_id, 0, 100_000))
        assert replay(events) == self.table(table_id), "the state is what the log says"
        return events

    def types(self, table_id: str, after: int = 0) -> list[str]:
        return [event.__struct_config__.tag for event in self.log(table_id)[after:]]  # type: ignore[misc]

    def run(self, table_id: str, *, bots: bool = True) -> bool:
        """A worker does whatever is due now."""
        return self.tables.advance(table_id, self.table(table_id).version, bots=bots)

    def later(self, table_id: str, seconds: float, *, bots: bool = True) -> None:
        """Time passes; whatever comes due on the way is done at its moment."""
        ends = self.clock.now + timedelta(seconds=seconds)
        for _ in range(10_000):
            coming = [
                moment.at
                for moment in moments(self.table(table_id), HouseBots.think_seconds)
                if moment.at > self.clock.now
            ]
            if not self.run(table_id, bots=bots):
                if not coming or min(coming) > ends:
                    break
                self.clock.now = min(coming)
        self.clock.now = ends


def key(value: str = "k", digest: str = "d") -> Key:
    return Key(value=value, digest=digest)


def bot(seat: int, level: str = "medium", forgetfulness: float = 0.0) -> BotSeat:
    return BotSeat(seat=seat, level=level, forgetfulness=forgetfulness)


QUICK = Clock(hand_break_seconds=0)
