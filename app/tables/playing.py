"""Making a move."""

from __future__ import annotations

from app.engine.game import phase
from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.ports import Loaded
from app.tables.refusals import Refusal
from app.tables.requests import Asker, Key, MoveRequest
from app.tables.shapes import Answer, MoveAnswer
from app.tables.table import Table


class Playing(Desk):
    """The use case of a seat that acts."""

    def act(self, asker: Asker, table_id: str, request: MoveRequest, key: Key | None) -> Answer[MoveAnswer]:
        """Judge a move and write what follows. Raises: Refusal with the rule's code; nothing has changed then."""

        def judge(loaded: Loaded, draft: Draft) -> None:
            seat = seat_that_may_act(loaded.table, asker)
            draft.act(request.by(seat), by="player")

        done = self._change(asker, table_id, key, judge)
        seat = done.table.seat_of(asker.player_id)
        events = self._shown(done.events, seat, asker.player_id)
        answer = MoveAnswer(version=done.table.version, events=events, table=self._view(done, asker))
        return Answer(value=answer, replayed=done.replayed)


def seat_that_may_act(table: Table, asker: Asker) -> int:
    """API.md's order of checks, up to the rules."""
    seat = table.seat_of(asker.player_id)
    if seat is None:
        raise Refusal("not_seated", "You do not sit at this table.", version=table.version)
    match table.status:
        case "open":
            raise Refusal("game_not_started", "The game starts when the last seat is filled.", version=table.version)
        case "closed":
            raise Refusal("table_not_open", "This table was closed before it started.", version=table.version)
        case "finished":
            raise Refusal("table_finished", "The game is over.", version=table.version)
    if table.seats[seat].stand_in is not None:
        raise Refusal(
            "stand_in_plays",
            "A stand-in plays your seat: take it back with POST seats, then move.",
            params={"seat": seat},
            version=table.version,
        )
    if table.game is not None and phase(table.game) == "over":
        raise Refusal("hand_over", "The hand is over; the next one is dealt soon.", version=table.version)
    return seat
