"""The entries of one step as they are written: stamped, in order, folded; and those about the table around its game.

Who sits, who is expected, who is the host, what becomes of the table: what the game does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace

from app.engine.events import HandDealt
from app.engine.game import Game
from app.tables.events import (
    HostChanged,
    InvitationDeclined,
    InviteRenewed,
    PlayerInvited,
    RematchAsked,
    RematchReady,
    SeatFreed,
    SeatHeld,
    SeatLeft,
    SeatReclaimed,
    SeatTaken,
    StandInSeated,
    TableClosed,
    TableCreated,
    TableEvent,
)
from app.tables.log import evolve
from app.tables.ports import Bots, ClientSeed
from app.tables.premoves import PreMove
from app.tables.seats import STAND_IN_LEVEL, Occupant
from app.tables.table import Table

_OF_NO_HAND = (RematchAsked, RematchReady)
"""Entries that come when the last hand is over, and have nothing to do with it."""


class Entries:
    """One step: `before` (a version), the entries so far, and the table they make."""

    def __init__(
        self,
        table: Table | None,
        now: datetime,
        bots: Bots,
        client_seeds: Mapping[str, str] | None = None,
        *,
        premoves: Mapping[int, PreMove] | None = None,
        premove_count: int | None = None,
    ) -> None:
        self._table = table
        self.before = 0 if table is None else table.version
        self.now = now
        self.events: list[TableEvent] = []
        self.client_seed: ClientSeed | None = None
        """What somebody brings with this step."""
        self._premoves = dict(premoves or {})
        self.premove_count = premove_count
        """Of the look this step is judged on; None: there is no table yet."""
        self.premoves_used: list[int] = []
        """Seats whose pre-moves this step has used up."""
        self._bots = bots
        self._client_seeds = dict(client_seeds or {})

    @property
    def table(self) -> Table:
        """The table as it stands. Raises: ValueError before `table_created`."""
        if self._table is None:
            raise ValueError("this draft has no table yet")
        return self._table

    @property
    def game(self) -> Game:
        """Raises: ValueError before the game has started."""
        if self.table.game is None:
            raise ValueError("the game has not started")
        return self.table.game

    def write(self, event: TableEvent) -> None:
        """Append one entry: stamp it, fold it."""
        stamped = replace(event, seq=self.before + len(self.events) + 1, at=self.now, hand=self._hand_of(event))
        self._table = evolve(self._table, stamped)
        self.events.append(stamped)

    def _hand_of(self, event: TableEvent) -> int | None:
        """The hand an entry belongs to: the running or last one; `hand_dealt` to the one it begins."""
        if self._table is None or self._table.game is None or isinstance(event, _OF_NO_HAND):
            return None
        number = self._table.game.hand_number
        if isinstance(event, HandDealt):
            return number + 1
        return number or None

    def bring_seed(self, player_id: str, seed: str) -> None:
        """A player's part in the shuffle, used from the next deal, also where this very step deals."""
        self.client_seed = ClientSeed(player_id=player_id, seed=seed)
        self._client_seeds[player_id] = seed

    def open(self, event: TableCreated) -> None:
        self.write(event)

    def seat(self, number: int, occupant: Occupant) -> None:
        """Somebody sits down."""
        self.write(SeatTaken(seat=number, occupant=occupant))

    def hold(self, number: int, player_id: str, until: datetime) -> None:
        """Keep an open seat for one player."""
        self.write(SeatHeld(seat=number, player_id=player_id, until=until))

    def free(self, number: int) -> None:
        """Keep a seat for nobody any more; a host who does not come passes his part on."""
        hold = self.table.seats[number].hold
        self.write(SeatFreed(seat=number))
        if hold is not None and hold.player_id == self.table.host and self.table.seat_of(hold.player_id) is None:
            self._pass_on_host()

    def move(self, number: int, to: int) -> None:
        """A player changes seats at an open table."""
        occupant = self.table.seats[number].occupant
        self.write(SeatLeft(seat=number))
        self.write(SeatTaken(seat=to, occupant=occupant))

    def give_up_host(self) -> None:
        """The host, who does not sit, goes for good."""
        self._pass_on_host()

    def exchange(self, number: int, to: int) -> None:
        """The occupants of two seats of an open table change places; one of the seats may be empty."""
        before = [(seat, self.table.seats[seat].occupant) for seat in (number, to)]
        there = [(seat, occupant) for seat, occupant in before if occupant.kind != "open"]
        for seat, _ in there:
            self.write(SeatLeft(seat=seat))
        for seat, occupant in there:
            self.write(SeatTaken(seat=to if seat == number else number, occupant=occupant))

    def renew_invite(self, code: str) -> None:
        self.write(InviteRenewed(invite_code=code))

    def invite(self, player_id: str, by: str, until: datetime) -> None:
        self.write(PlayerInvited(player_id=player_id, inviter=by, until=until))

    def decline(self, player_id: str, reason: str) -> None:
        inviter = next((one.by for one in self.table.invited if one.player_id == player_id), None)
        self.write(InvitationDeclined(player_id=player_id, inviter=inviter, reason=reason))

    def vacate(self, number: int) -> None:
        """An occupant leaves an open table; the host's part passes on, or the table closes."""
        leaver = self.table.seats[number].occupant.player_id
        self.write(SeatLeft(seat=number))
        if leaver is not None and leaver == self.table.host:
            self._pass_on_host()

    def _pass_on_host(self) -> None:
        heirs = [seat for seat in self.table.seats if seat.is_player]
        expected = [seat.hold.player_id for seat in self.table.seats if seat.hold is not None]
        # The longest-seated human; a bot developer's bot only where no human sits.
        heirs.sort(key=lambda seat: (seat.occupant.kind != "human", seat.since or self.now))
        if heirs:
            self.write(HostChanged(player_id=heirs[0].occupant.player_id))
        elif expected:
            self.write(HostChanged(player_id=expected[0]))
        else:
            self.write(TableClosed(reason="empty"))

    def close(self) -> None:
        self.write(TableClosed(reason="expired"))

    def stand_in(self, number: int, reason: str) -> None:
        self.write(StandInSeated(seat=number, level=STAND_IN_LEVEL, reason=reason))

    def reclaim(self, number: int) -> None:
        self.write(SeatReclaimed(seat=number))

    def ask_rematch(self, number: int) -> None:
        self.write(RematchAsked(seat=number))

    def announce_rematch(self, table_id: str) -> None:
        self.write(RematchReady(table=table_id))
