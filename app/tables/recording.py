"""What is over, open to everyone who may see the table: finished hands, records, all of a player's games.

A record is read hand by hand, so a long game never lies in memory as a whole unless somebody asks for it whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import asdict

from app.engine.events import HandDealt, HandEnded
from app.engine.game import side_of
from app.engine.rules import named_rules
from app.engine.rulesets import target_points
from app.tables.desk import Desk
from app.tables.events import TableEvent
from app.tables.masks import named
from app.tables.ports import TableNotFound
from app.tables.refusals import Refusal, not_found
from app.tables.requests import Asker
from app.tables.shapes import RECORD_FORMAT, FinishedHand, GameRecord, RecordHead, RecordSeat
from app.tables.table import Result, Table

TABLES_AT_ONCE = 20
"""Tables of a player looked at in one round trip."""


class RecordParts(NamedTuple):
    """A record to be read in order."""

    head: RecordHead
    hands: Iterator[FinishedHand]
    """Oldest first; each is read from the store when it is asked for."""
    result: Result | None


class Recording(Desk):
    """Use cases of what is over."""

    def finished_hand(self, asker: Asker, table_id: str, number: int) -> FinishedHand:
        """A hand that is over, all tiles open. Raises: Refusal `not_found`, `hand_not_finished`."""
        return self._hand(self._finished_table(asker, table_id, number), number)

    def record(self, asker: Asker, table_id: str) -> GameRecord:
        """All finished hands and the result as one document that can be replayed without us."""
        parts = self._parts(self._look(asker, table_id).table)
        return GameRecord(**asdict(parts.head), hands=tuple(parts.hands), result=parts.result)

    def records(self, asker: Asker) -> Iterator[RecordParts]:
        """All finished games of the caller that are still kept, newest first."""
        assert asker.player_id is not None
        cursor: str | None = None
        while True:
            ids, cursor = self._store.of_player(asker.player_id, TABLES_AT_ONCE, cursor)
            for loaded in self._store.load_many(ids):
                table = loaded.table
                if table.status == "finished" and table.seat_of(asker.player_id) is not None:
                    yield self._parts(table)
            if cursor is None:
                return

    def _finished_table(self, asker: Asker, table_id: str, number: int) -> Table:
        """The table, where the asker may see it and this hand is over. Raises as `finished_hand`."""
        table = self._look(asker, table_id).table
        if not 1 <= number <= len(table.hand_seqs):
            raise not_found("hand")
        if number > _finished_hands(table):
            raise Refusal(
                "hand_not_finished",
                "This hand is still being played: its tiles are open once it has ended.",
                version=table.version,
            )
        return table

    def _parts(self, table: Table) -> RecordParts:
        hands = (self._hand(table, number) for number in range(1, _finished_hands(table) + 1))
        return RecordParts(self._head(table), hands, table.result)

    def _head(self, table: Table) -> RecordHead:
        names = self._names(table.seats)
        rules = named_rules(table.ruleset.id, table.ruleset.house_rules, table.players, table.seating)
        finished = _finished_hands(table)
        first = self._log(table.id, table.hand_seqs[0] - 1, table.hand_seqs[0]) if finished else []
        return RecordHead(
            format=RECORD_FORMAT,
            table=table.id,
            ruleset=table.ruleset,
            rules=table.rules,
            players=table.players,
            seating=table.seating,
            target=target_points(table.rules, table.players, table.seating),
            abandonment=table.abandonment,
            practice=table.practice,
            commitment=table.commitment,
            seats=tuple(
                RecordSeat(seat=number, side=side_of(rules, number), occupant=named(place.occupant, names))
                for number, place in enumerate(table.seats)
            ),
            started_at=first[0].at if first else None,
        )

    def _hand(self, table: Table, number: int) -> FinishedHand:
        """A finished hand, from the log. Raises: TableNotFound if the table was forgotten in between."""
        start = table.hand_seqs[number - 1]
        until = table.hand_seqs[number] - 1 if number < len(table.hand_seqs) else table.version
        events = self._log(table.id, start - 1, until)
        if len(events) <= until - start:
            raise TableNotFound(table.id)
        return _finished(events)


def _finished_hands(table: Table) -> int:
    return 0 if table.last_hand is None else table.last_hand.hand or 0


def _finished(events: Sequence[TableEvent]) -> FinishedHand:
    dealt = events[0]
    assert isinstance(dealt, HandDealt)
    ended = next(event for event in events if isinstance(event, HandEnded))
    return FinishedHand(
        number=dealt.hand or 0,
        leader=dealt.leader,
        lead_by=dealt.lead_by,
        holdings=tuple(holding or () for holding in dealt.holdings),
        boneyard=dealt.boneyard_tiles or (),
        events=tuple(event for event in events if event.hand == dealt.hand),
        result=ended,
        proof=ended.proof,
    )
