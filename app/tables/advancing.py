"""Doing whatever is due: a bot's turn, an expired turn, the next deal, the end of a claim window, a table to close.

Safe to run twice and from anywhere: every step is fenced by the version it was judged on.
"""

from __future__ import annotations

import time

from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.moments import Moment, bot_due, moments, next_moment
from app.tables.ports import TAKEN_FOR, TableNotFound


class Advancing(Desk):
    """The use case nobody asks for."""

    def advance(
        self,
        table_id: str,
        version: int,
        *,
        bots: bool = True,
        budget_seconds: float = 1.0,
        budget_turns: int = 20,
    ) -> bool:
        """Do what is due at this version and what follows from it at once; True if the table has moved on.

        `bots` False: everything but bots' thinking. Stops after `budget_seconds` or `budget_turns`; the rest is
        enqueued. The due entry of `version` is removed once its work is done, and moved where more is to come.
        """
        started = time.monotonic()
        turns = 0
        while True:
            try:
                loaded = self._store.load(table_id)
            except TableNotFound:
                self._due.remove(table_id, version)
                return True
            table = loaded.table
            if table.version != version:
                if table.version > version:
                    self._due.remove(table_id, version)
                return turns > 0 or table.version > version
            draft = self._draft(loaded)
            moment = self._do_due(draft, bots=bots)
            if moment is None:
                self._leave_for_later(draft, bots=bots)
                return turns > 0
            if turns >= budget_turns or time.monotonic() - started >= budget_seconds:
                self._queue.advance(table_id, version)
                return True
            if not self._commit_due(draft, moment, loaded.receipts, enqueue=False):
                continue
            self._due.remove(table_id, version)
            turns += 1
            version = draft.table.version

    def _leave_for_later(self, draft: Draft, *, bots: bool) -> None:
        """Nothing (more) to do now: keep an entry for this version where a moment is still to come."""
        table = draft.table
        moment = next_moment(table, self._bots.think_seconds, after=draft.now)
        if not bots and bot_due(table, self._bots.think_seconds, draft.now):
            # The entry that was taken comes again by itself, for the bots; the next deadline does not wait for that.
            if moment is not None and moment.at < draft.now + TAKEN_FOR:
                self._due.add(table.id, table.version, moment.at)
        elif moment is None:
            self._due.remove(table.id, table.version)
        else:
            self._due.add(table.id, table.version, moment.at)

    def _do_due(self, draft: Draft, *, bots: bool) -> Moment | None:
        """One step: the earliest moment that has come and makes something happen; which one it was."""
        for moment in moments(draft.table, self._bots.think_seconds):
            if moment.at > draft.now:
                return None
            if moment.why in ("calls", "bot") and not bots:
                continue
            if moment.why == "rematch":
                draft.announce_rematch(self._next_table(draft.table))
            else:
                _do(draft, moment)
            if draft.events:
                return moment
        return None


def _do(draft: Draft, moment: Moment) -> None:
    match moment.why:
        case "close":
            draft.close()
        case "free" if moment.seat is not None:
            draft.free(moment.seat)
        case "calls":
            draft.bot_calls()
        case "bot":
            draft.bot_turn()
        case "rescue":
            draft.bot_turn(rescue=True)
        case "turn":
            draft.time_out()
        case "claim":
            draft.close_claim()
        case "deal":
            draft.deal()
        case "abandon":
            draft.abandon()
