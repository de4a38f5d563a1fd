"""Asking one player to come and play.

An invitation is an entry of the table's log, so it is answered in the same atomic step that seats the player, and there
is nothing beside the table that could contradict it. It keeps no seat: who wants to be sure of one fills the table with
nobody else meanwhile. Until it is answered, or its time is up, its player may look at a private table and sit there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from app.tables.askers import is_insider
from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.guesses import Allowance
from app.tables.ports import Loaded
from app.tables.refusals import Refusal, invalid, not_found, unauthenticated
from app.tables.requests import Asker, Key
from app.tables.seating import check_open, take_seat
from app.tables.seats import Invited
from app.tables.shapes import Answer, Invitation, InvitationList, Person, TableView
from app.tables.table import Table

INVITED_FOR = timedelta(minutes=30)
"""How long an invitation may be answered."""
WAITING_AT_MOST = 20
"""Players a table may have invited at a time."""
INVITING = Allowance(60, 600)
"""Invitations one player may send."""
REASONS = ("no_reason", "not_now", "too_fast", "too_slow", "other_rules", "other_players")
"""Why an invitation may be declined; there is no free text."""


class DirectInvitations(Desk):
    """Use cases of asking somebody, and of answering."""

    def invite(self, asker: Asker, table_id: str, player_id: str, key: Key | None) -> Answer[Invitation]:
        """Ask a player to an open table one sits at or hosts. To ask again starts the time anew.

        Raises: Refusal `not_seated`, `table_not_open`, `table_finished`, `already_seated`, `invalid`, `rate_limited`.
        """

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            if not is_insider(table, asker):
                raise Refusal("not_seated", "Only those who sit here may invite.", version=table.version)
            check_open(table)
            if table.seat_of(player_id) is not None:
                raise Refusal("already_seated", "This player sits here already.", version=table.version)
            if not self._register.names([player_id]):
                raise invalid("/player", "player", "There is no such player.")
            waiting = [one for one in table.invited if one.until > draft.now and one.player_id != player_id]
            if len(waiting) >= WAITING_AT_MOST:
                raise invalid(
                    "/player",
                    "too_many",
                    f"A table may have {WAITING_AT_MOST} invitations at a time.",
                    most=WAITING_AT_MOST,
                )
            self._guesses.count("inviting", Asker(player_id=asker.player_id), INVITING)
            draft.invite(player_id, asker.player_id or "", draft.now + INVITED_FOR)

        done = self._change(asker, table_id, key, judge)
        table = done.table
        entry = next(one for one in table.invited if one.player_id == player_id)
        return Answer(value=self._invitations([(table, entry)])[0], replayed=done.replayed, status=201)

    def invitation(self, asker: Asker, invitation_id: str) -> Invitation:
        """One that is waiting for its answer; for its player and for those who sit at the table."""
        loaded, entry = self._invitation(asker, invitation_id)
        if entry.player_id != asker.player_id and not is_insider(loaded.table, asker):
            raise not_found()
        return self._invitations([(loaded.table, entry)])[0]

    def invitations(self, asker: Asker) -> InvitationList:
        """Those the caller may answer, newest first."""
        if asker.player_id is None:
            raise unauthenticated()
        found: list[tuple[Table, Invited]] = []
        for loaded in self._store.load_many(self._store.inviting(asker.player_id)):
            entry = loaded.table.invitation_of(asker.player_id, loaded.now)
            if entry is not None:
                found.append((loaded.table, entry))
        found.sort(key=lambda pair: pair[1].at, reverse=True)
        return InvitationList(items=self._invitations(found))

    def accept(self, asker: Asker, invitation_id: str, key: Key | None) -> Answer[TableView]:
        """Come and sit down. Raises: Refusal `not_found`, `table_full`."""
        table_id, seq = _parts(invitation_id)

        def judge(loaded: Loaded, draft: Draft) -> None:
            _own(loaded.table, asker, seq, draft.now)
            take_seat(draft, asker, None)

        done = self._change(asker, table_id, key, judge)
        return Answer(value=self._view(done, asker), replayed=done.replayed)

    def decline(self, asker: Asker, invitation_id: str, reason: str, key: Key | None) -> Answer[None]:
        """Do not come. Raises: Refusal `not_found`, `invalid` for a reason there is not."""
        if reason not in REASONS:
            known = ", ".join(REASONS)
            raise invalid("/reason", "not_allowed", f"This must be one of {known}.", allowed=list(REASONS))
        table_id, seq = _parts(invitation_id)

        def judge(loaded: Loaded, draft: Draft) -> None:
            _own(loaded.table, asker, seq, draft.now)
            draft.decline(asker.player_id or "", reason)

        done = self._change(asker, table_id, key, judge)
        return Answer(value=None, replayed=done.replayed, status=204)

    def _invitation(self, asker: Asker, invitation_id: str) -> tuple[Loaded, Invited]:
        table_id, seq = _parts(invitation_id)
        loaded = self._look(asker, table_id)
        for entry in loaded.table.invited:
            if entry.seq == seq and loaded.table.invitation_of(entry.player_id, loaded.now) == entry:
                return loaded, entry
        raise not_found()

    def _invitations(self, found: list[tuple[Table, Invited]]) -> tuple[Invitation, ...]:
        ids = {player_id for _, entry in found for player_id in (entry.player_id, entry.by)}
        names = self._register.names(sorted(ids)) if ids else {}
        return tuple(
            Invitation(
                id=f"{table.id}-{entry.seq}",
                table=table.id,
                player=Person(player_id=entry.player_id, name=names.get(entry.player_id)),
                inviter=Person(player_id=entry.by, name=names.get(entry.by)),
                ruleset=table.ruleset,
                players=table.players,
                seating=table.seating,
                clock=table.clock,
                created_at=entry.at,
                expires_at=entry.until,
            )
            for table, entry in found
        )


def _parts(invitation_id: str) -> tuple[str, int]:
    """Table and `seq` in an invitation's id. Raises: Refusal `not_found`, where it cannot be one."""
    table_id, _, seq = invitation_id.rpartition("-")
    if not (table_id and seq.isascii() and seq.isdigit() and len(seq) < 10):
        raise not_found()
    return table_id, int(seq)


def _own(table: Table, asker: Asker, seq: int, now: datetime) -> None:
    entry = table.invitation_of(asker.player_id, now)
    if entry is None or entry.seq != seq:
        raise not_found()
