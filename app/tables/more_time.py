"""Giving the opponent on turn more time."""

from __future__ import annotations

from datetime import timedelta

from app.engine.game import side_of, turn
from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.playing import seat_that_may_act
from app.tables.ports import Loaded
from app.tables.refusals import Refusal
from app.tables.requests import Asker, Key
from app.tables.shapes import Answer, TableView
from app.tables.table import Table

TIMES_A_TURN = 3
"""How often one turn may be given more time, by all opponents together."""
LEAST = 5.0
"""Seconds added at least; else half of `turn_seconds`."""


class MoreTime(Desk):
    """The use case of a patient opponent."""

    def more_time(self, asker: Asker, table_id: str, key: Key | None) -> Answer[TableView]:
        """Add half a turn's seconds to the running turn. Raises: Refusal `no_more_time` with the reason."""

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            seat = seat_that_may_act(table, asker)
            reason, detail = _against(table, seat)
            if reason is not None:
                raise Refusal("no_more_time", detail, params={"reason": reason}, version=table.version)
            draft.add_time(timedelta(seconds=max(LEAST, (table.clock.turn_seconds or 0) / 2)))

        done = self._change(asker, table_id, key, judge)
        return Answer(value=self._view(done, asker), replayed=done.replayed)


def _against(table: Table, seat: int) -> tuple[str | None, str]:
    """What speaks against it: a reason (open set) and a sentence; None: nothing does."""
    assert table.game is not None
    on_turn = turn(table.game)
    if on_turn is None or table.seats[on_turn].bot_level is not None:
        return "nobody_on_turn", "No player is on turn."
    if side_of(table.game, on_turn) == side_of(table.game, seat):
        return "own_side", "Only an opponent of the seat on turn may give it more time."
    if table.deadline is None:
        return "untimed", "This turn has no deadline."
    if table.times_added >= TIMES_A_TURN:
        return "often_enough", f"A turn is given more time {TIMES_A_TURN} times at most."
    return None, ""
