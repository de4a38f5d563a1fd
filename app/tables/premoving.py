"""Making a move ahead, and taking it back.

It is kept beside the table's log, is no part of its version, and costs no clock. The step that begins the seat's turn
uses it up: played at once if legal, else drawn or passed where nothing else can be done, else dropped. To be noted it
must find the table at the version it was judged on, and a step must find the pre-moves as it saw them: so none is
passed over, and none outlives the turn it was made for.
"""

from __future__ import annotations

from msgspec import Struct

from app.engine.game import turn
from app.engine.tiles import names_in
from app.tables.askers import own_moves
from app.tables.desk import TRIES, Desk
from app.tables.locks import check_version
from app.tables.playing import seat_that_may_act
from app.tables.ports import Loaded, StoreUnavailable
from app.tables.premoves import PreMove
from app.tables.refusals import Refusal, unauthenticated
from app.tables.requests import Asker


class PreMoveRequest(Struct, frozen=True, kw_only=True):
    tile: str
    end: str | None = None
    lengthwise: bool = False


class Premoving(Desk):
    """Use cases of a seat that is not on turn."""

    def premove(self, asker: Asker, table_id: str, request: PreMoveRequest) -> PreMove:
        """Play this when my turn comes; one made before is replaced.

        Raises: Refusal `premove_not_allowed` on one's own turn and on claim tables, `not_in_holding`.
        """

        def judge(loaded: Loaded, seat: int) -> PreMove:
            table = loaded.table
            assert table.game is not None
            assert table.game.hand is not None
            if table.rules.claim:
                raise Refusal(
                    "premove_not_allowed",
                    "On a claim table a move at once would end the time to call.",
                    version=table.version,
                )
            if turn(table.game) == seat:
                raise Refusal(
                    "premove_not_allowed",
                    "It is your turn: make the move.",
                    version=table.version,
                    legal_moves=own_moves(table, asker),
                )
            if request.tile not in names_in(table.game.hand.holdings[seat]):
                raise Refusal(
                    "not_in_holding",
                    f"You do not hold {request.tile}.",
                    params={"tile": request.tile},
                    version=table.version,
                )
            return PreMove(
                player_id=asker.player_id or "",
                hand=table.game.hand_number,
                tile=request.tile,
                end=request.end,
                lengthwise=request.lengthwise,
            )

        for _ in range(TRIES):
            loaded, seat = self._seat_to_wait(asker, table_id)
            premove = judge(loaded, seat)
            if self._store.set_premove(table_id, loaded.table.version, seat, premove):
                return premove
        raise StoreUnavailable("the table moved on under every try")

    def forget_premove(self, asker: Asker, table_id: str) -> None:
        """Take it back, if there is one."""
        for _ in range(TRIES):
            loaded, seat = self._seat_to_wait(asker, table_id)
            if seat not in loaded.premoves or self._store.set_premove(table_id, loaded.table.version, seat, None):
                return
        raise StoreUnavailable("the table moved on under every try")

    def _seat_to_wait(self, asker: Asker, table_id: str) -> tuple[Loaded, int]:
        """The newest state, whatever is overdue done first, and the asker's seat in it."""
        if asker.player_id is None:
            raise unauthenticated()
        while True:
            loaded = self._look(asker, table_id)
            if self._catch_up(loaded):
                continue
            seat = seat_that_may_act(loaded.table, asker)
            check_version(loaded.table, asker, asker.expects(table_id))
            return loaded, seat
