"""One game the player sits in: it looks, decides, moves, and looks again whenever the table has moved on meanwhile."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from app.bots.announcing import without_calls
from app.engine.moves import Move
from app.engine.views import SeatView
from app.kit.answers import Entry, Moved, TableView
from app.kit.bot import Bot, Decision
from app.kit.gamelog import GameLog, Troubles
from app.kit.outcomes import outcome
from app.kit.server import FOR_EVER, Refused, Server
from app.kit.telling import in_words
from app.kit.views import IncompleteLog, seat_view

MOVED_ON = ("version_conflict", "not_your_turn", "hand_over", "table_finished", "stand_in_plays", "game_not_started")
"""The table is not as it was when the bot decided: look again."""
CALLS_WAIT = 20.0
"""Seconds in one go of waiting for a play that may be called."""
PAGE = 500
"""Events read in one go."""

News = Callable[[str, str, dict[str, Any]], None]
"""Told of what happens: its kind, the table's id, and what belongs to it."""


class Page(Struct, frozen=True, kw_only=True):
    events: tuple[Entry, ...]
    next_after: int


class Game:
    """A table where the player sits. One thread at a time attends to it."""

    def __init__(self, server: Server, bot: Bot, table: str, folder: Path, news: News) -> None:
        """Raises: OSError, where its log cannot be written."""
        self.id = table
        self.view: TableView | None = None
        """The table when it was last looked at."""
        self.last_event = ""
        self.looked_at = 0.0
        """Monotonic seconds."""
        self.over = False
        """Nothing is left to do here: the game has ended, or the player has left."""
        self.moves = 0
        self._server = server
        self._bot = bot
        self._news = news
        self._log = GameLog(folder, table)
        self._troubles = Troubles(folder)
        self._heard_of = 0
        """The version last waited for."""
        self._own: int | None = None
        """The player's seat."""
        self._side: int | None = None
        self._names: list[str] = []
        """Of the seats."""
        self._ending = threading.Lock()
        self._leaving = False
        self._leave_from: int | None = None
        """From this hand on the player is gone; None: he stays, or the hand that runs has not been looked at."""

    @property
    def seat(self) -> int | None:
        return None if self.view is None or self.view.you is None else self.view.you.seat

    @property
    def has_calls(self) -> bool:
        """Whether missed points are called here."""
        return self.view is not None and self.view.rules.claim

    def wait_for_moves(self) -> bool:
        """Wait for news of the table with something to do for the player; whether there are. Each is told once.

        Raises: NoAnswer, when it is enough; Refused.
        """
        seen = max(self._heard_of, 0 if self.view is None else self.view.version)
        self._heard_of = 0  # a server that has forgotten so much refuses
        table = self._server.ask(
            TableView, "GET", f"/tables/{self.id}", newer_than=seen, wait=CALLS_WAIT, until="my_turn"
        )
        self._heard_of = table.version
        return table.version > seen

    def attend(self) -> None:
        """Do whatever is to be done here now.

        Raises: NoAnswer, when it is enough; Refused, where the server will not have what the rules allow;
        IncompleteLog, where it does not tell all there is; OSError.
        """
        table: TableView | None = self._look()
        while table is not None and not self.over:
            self._keep(table)
            table = self._act(table)

    def _act(self, table: TableView) -> TableView | None:
        """Do one thing; the table after it, or None where there is nothing to do but wait."""
        own = table.you
        if own is None:
            self._end("not seated", table)
        elif table.status in ("finished", "closed"):
            self._end(table.status, table)
        elif self._is_time_to_leave(table):
            self._leave(table)
        elif table.seats[own.seat].stand_in is not None:
            return self._come_back(table)
        elif own.legal_moves:
            return self._move(table)
        return None

    def leave(self) -> None:
        """From the end of the running hand on a stand-in shall play; `attend` does it."""
        self._leaving = True

    def leave_now(self, patience: float) -> None:
        """A stand-in shall play at once, whatever the bot is thinking; from any thread. Raises: Refused, NoAnswer."""
        table = self.view or self._look()
        if table.you is not None:
            self._give_up_seat(table.you.seat, patience)
        self._end("left", table)

    def give_up(self) -> None:
        """The server does not let the player at the table any more."""
        self._end("given up", self.view)

    def _look(self) -> TableView:
        table = self._server.ask(TableView, "GET", f"/tables/{self.id}")
        self.looked_at = time.monotonic()
        return table

    def _keep(self, table: TableView) -> None:
        """The log up to the table's version, at least."""
        self._own = None if table.you is None else table.you.seat
        self._side = None if self._own is None else table.seats[self._own].side
        if table.version < self._log.last:
            self._log.begin_anew()
        if table.you is not None:
            if self._log.is_new:
                self._log.mark("begin", {"table": self.id, "seat": table.you.seat, "bot": self._bot.name})
            if self.view is None:
                self._tell("sat down", seat=table.you.seat)
        self._names = ["we" if number == self._own else name_of(table, number) for number in range(table.players)]
        while self._log.last < table.version:
            page = self._server.ask(Page, "GET", f"/tables/{self.id}/events", after=self._log.last, limit=PAGE)
            if not page.events:
                raise IncompleteLog(f"the server does not tell what came after {self._log.last} at table {self.id}")
            self._write(page.events)
        self.view = table

    def _write(self, events: Sequence[Entry]) -> None:
        self._log.add(events)
        for event in events:
            kind = event["type"]
            if kind not in ("turn_started", "points_scored"):
                self.last_event = in_words(event, self._names)
            if kind in ("hand_ended", "stand_in_seated", "turn_timed_out"):
                self._tell(kind.replace("_", " "), event=event, ours=event["seat"] == self._own, side=self._side)

    def _move(self, table: TableView) -> TableView | None:
        """Make a move; the table after it, or None where there is nothing to do but wait."""
        try:
            view = seat_view(table, self._log.since_deal)
        except IncompleteLog:
            after = self._moved_on(table)
            if after is None:  # Not the next hand, dealt meanwhile: the server has forgotten, and tells another story.
                self._log.begin_anew()
            return after
        decision = self._bot.decide(view, self.id, table.version)
        if decision is None:
            return None
        if decision.trouble is not None:
            self._note(view, table.version, decision)
        self._log.decided(table.version, decision)
        try:
            moved = self._server.ask(
                Moved,
                "POST",
                f"/tables/{self.id}/moves",
                body_of(decision.move, table.version),
                key=uuid.uuid4().hex,
            )
        except Refused as refused:
            if refused.code in MOVED_ON:
                self._tell("moved on", code=refused.code)
                return self._moved_on(table)
            raise
        self.moves += 1
        self.looked_at = time.monotonic()
        self._tell("moved", move=decision.move, seconds=decision.seconds)
        if moved.events and moved.events[0]["seq"] == self._log.last + 1:
            self._write(moved.events)
        return moved.table

    def _moved_on(self, table: TableView) -> TableView | None:
        """The table after something else has happened; None: it has not, and there is nothing to do but wait."""
        after = self._look()
        return None if after.version == table.version else after

    def _note(self, view: SeatView, version: int, decision: Decision) -> None:
        self._troubles.add(self.id, version, without_calls(view), decision)
        self._tell("trouble", trouble=decision.trouble, why=decision.why, file=str(self._troubles.path))

    def _come_back(self, table: TableView) -> TableView | None:
        """A stand-in sits in the player's seat: take it back."""
        self._tell("came back", seat=self.seat)
        try:
            return self._server.ask(TableView, "POST", f"/tables/{self.id}/seats", {})
        except Refused as refused:
            if refused.code in ("table_finished", "already_seated", "table_full"):
                return self._moved_on(table)
            raise

    def _is_time_to_leave(self, table: TableView) -> bool:
        if not self._leaving:
            return False
        if table.hand is None or table.hand.phase == "over":
            return True
        if self._leave_from is None:
            self._leave_from = table.hand.number + 1
        return table.hand.number >= self._leave_from

    def _leave(self, table: TableView) -> None:
        assert table.you is not None
        if table.seats[table.you.seat].stand_in is None:
            self._give_up_seat(table.you.seat)
        self._end("left", table)

    def _give_up_seat(self, seat: int, patience: float = FOR_EVER) -> None:
        try:
            self._server.ask(TableView, "DELETE", f"/tables/{self.id}/seats/{seat}", patience=patience)
        except Refused as refused:
            if refused.code not in ("table_finished", "not_seated", "not_found"):
                raise

    def _end(self, how: str, table: TableView | None) -> None:
        """Nothing more is done here; None: the table was never seen."""
        with self._ending:
            if self.over:
                return
            self.over = True
        told: dict[str, Any] = {
            "how": how,
            "outcome": self._outcome(table) if table is not None and how == "finished" else how,
            "seat": None if table is None else self._own,
            "side": None if table is None else self._side,
            "scores": () if table is None else table.scores,
            "result": None if table is None else table.result,
        }
        self._log.mark("end", told)
        self._log.close()
        self._tell("ended", **told)

    def _outcome(self, table: TableView) -> str:
        return outcome(table, self._log.plays, self._log.own_plays)

    def _tell(self, kind: str, **told: Any) -> None:
        self._news(kind, self.id, told)


def body_of(move: Move, version: int) -> dict[str, object]:
    """The body of a move that is good for this version of the table only: however late it arrives, it plays once."""
    told = {"action": move.action, "tile": move.tile, "end": move.end, "announce": move.announce}
    body: dict[str, object] = {name: value for name, value in told.items() if value is not None}
    if move.lengthwise:
        body["lengthwise"] = True
    return {**body, "expected_version": version}


def name_of(table: TableView, seat: int) -> str:
    """What whoever sits there is called."""
    occupant = table.seats[seat].occupant
    return occupant.name or occupant.level or occupant.kind
