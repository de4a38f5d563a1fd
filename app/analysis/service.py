"""Use cases of analyses: ask for one, look at it, work on it.

What is asked for is kept in the store, with the time; the queue is only told. So a job that is lost is asked for again
by whoever next asks or looks, and one that comes twice finds what is done. The work is done in pieces, a job each: the
worker has other things to do in between.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from app.analysis.hands import moments
from app.analysis.ports import AnalysisStore, Kept
from app.analysis.reckoning import PIECE, carry_on, concluded
from app.analysis.shapes import AnalysisShape
from app.tables.guesses import Allowance
from app.tables.ports import TableNotFound
from app.tables.recording import Recording
from app.tables.refusals import Refusal, not_found
from app.tables.requests import Asker, Key
from app.tables.shapes import Answer

PATIENCE = timedelta(seconds=30)
"""How long nothing may be heard of an analysis until a worker is asked again: more than a piece takes."""
TRIES = 3
"""How often one piece is taken up; if nobody lives to finish it, it is given up."""
OF_PLAYER = Allowance(30, 600)
"""New analyses one player, or one address without a token, may ask for."""
OF_ADDRESS = Allowance(90, 600)
"""New analyses all players of one address may ask for together."""


class Analyses(Recording):
    """Use cases of what moves cost."""

    def __init__(self, *, kept: AnalysisStore, analysed: Callable[[], None] = lambda: None, **ports: Any) -> None:
        """`analysed` is told of every analysis that became ready; `ports`: as for any desk."""
        super().__init__(**ports)
        self._kept = kept
        self._analysed = analysed

    def ask(self, asker: Asker, table_id: str, number: int, key: Key | None) -> Answer[AnalysisShape]:
        """Ask for the analysis of a finished hand: 202 for whoever makes it begin, 200 if it was asked for before.

        Raises: Refusal `not_found`, `hand_not_finished`, `rate_limited`.
        """
        self._finished_table(asker, table_id, number)
        if key is None or asker.player_id is None:
            return self._ask(asker, table_id, number)
        reserved = self._reserved(asker.player_id, key, table_id)
        if reserved.said:
            shown = msgspec.json.decode(reserved.said, type=AnalysisShape)
            return Answer(value=self._with_what_was_found(shown), replayed=True)
        if reserved.done and reserved.at is not None:
            begun = Kept(asked_at=reserved.at, heard_at=reserved.at, now=reserved.at)
            return Answer(value=_shown(table_id, number, begun), replayed=True, status=202)
        try:
            answer = self._ask(asker, table_id, number)
        except Refusal:
            self._register.release(asker.player_id, key.value)
            raise
        said = b"" if answer.status == 202 else msgspec.json.encode(replace(answer.value, analysis=None))
        self._register.settle(asker.player_id, key.value, answer.value.asked_at, 0, said)
        return answer

    def analysis(self, asker: Asker, table_id: str, number: int) -> AnalysisShape:
        """How far it is, and all of it once it is ready.

        Raises: Refusal `not_found`, also where nobody has asked for it; `hand_not_finished`.
        """
        self._finished_table(asker, table_id, number)
        kept = self._kept.look(table_id, number)
        if kept is None:
            raise Refusal(
                "not_found", "Nobody has asked for the analysis of this hand yet: POST to this path asks for it."
            )
        self._remind(table_id, number, kept)
        return _shown(table_id, number, kept)

    def work(self, table_id: str, number: int, piece: int = PIECE) -> bool:
        """Do a piece of the work, and ask for the next; False: there was nothing to do. `piece`: its effort."""
        begun = self._kept.begin(table_id, number)
        if begun is None:
            return False
        if begun.tries > TRIES:
            self._kept.fail(table_id, number)
            return False
        try:
            table = self._store.load(table_id).table
            hand = self._hand(table, number)
        except TableNotFound:
            return False
        made = moments(hand, table.ruleset, table.players, table.seating)
        done = carry_on(made, begun.done, piece=piece)
        if len(done) < len(made):
            self._kept.keep(table_id, number, done, len(made))
            self._queue.analyse(table_id, number)
            return True
        self._kept.conclude(table_id, number, concluded(made, done))
        self._analysed()
        return True

    def _ask(self, asker: Asker, table_id: str, number: int) -> Answer[AnalysisShape]:
        kept = self._kept.look(table_id, number)
        if kept is not None and not kept.failed:
            self._remind(table_id, number, kept)
            return Answer(value=_shown(table_id, number, kept))
        give_back = self._count(asker)
        asked = self._ask_store(table_id, number, anew=True)
        if asked == "anew":
            self._queue.analyse(table_id, number)
        else:
            give_back()
        kept = self._kept.look(table_id, number)
        if kept is None:
            raise not_found()
        return Answer(value=_shown(table_id, number, kept), status=202 if asked == "anew" else 200)

    def _with_what_was_found(self, first: AnalysisShape) -> AnalysisShape:
        """A first answer as it was: an analysis that was ready does not change, so no record need hold it."""
        if first.ready_at is None:
            return first
        kept = self._kept.look(first.table, first.hand)
        if kept is None or kept.analysis is None:
            raise not_found()
        return replace(first, analysis=kept.analysis)

    def _remind(self, table_id: str, number: int, kept: Kept) -> None:
        """Ask a worker again where nothing has been heard for too long."""
        if kept.failed or kept.ready_at is not None or kept.now - kept.heard_at < PATIENCE:
            return
        if self._ask_store(table_id, number, anew=False) == "again":
            self._queue.analyse(table_id, number, again=True)

    def _ask_store(self, table_id: str, number: int, *, anew: bool) -> str:
        try:
            return self._kept.ask(table_id, number, PATIENCE, anew=anew)
        except TableNotFound:
            raise not_found() from None

    def _count(self, asker: Asker) -> Callable[[], None]:
        """Count an analysis that is asked for; the answer takes that back. Raises: Refusal `rate_limited`."""
        one = Asker(player_id=asker.player_id, address=None if asker.player_id else asker.address)
        counted = [("analysis", who) for who in self._guesses.count("analysis", one, OF_PLAYER)]
        everybody = Asker(address=asker.address)
        try:
            counted += [("analyses", who) for who in self._guesses.count("analyses", everybody, OF_ADDRESS)]
        except Refusal:
            self._guesses.give_back(counted)
            raise
        return lambda: self._guesses.give_back(counted)


def _shown(table_id: str, number: int, kept: Kept) -> AnalysisShape:
    ready = kept.ready_at is not None
    return AnalysisShape(
        table=table_id,
        hand=number,
        status="failed" if kept.failed else "ready" if ready else "pending",
        asked_at=kept.asked_at,
        ready_at=kept.ready_at,
        progress=1.0 if ready else round(kept.done / kept.moves, 3) if kept.moves else 0.0,
        analysis=kept.analysis,
    )
