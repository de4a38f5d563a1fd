"""Invite codes: who has a table's code may look at it and sit down. The host makes a new one, which ends the old."""

from __future__ import annotations

from app.tables.askers import same_code
from app.tables.codes import as_written
from app.tables.desk import Desk
from app.tables.draft import Draft
from app.tables.guesses import INVITE_GUESSES
from app.tables.ports import Loaded, TableNotFound
from app.tables.reading import Reading
from app.tables.refusals import not_found
from app.tables.requests import Asker, Key
from app.tables.seating import check_host, check_open
from app.tables.shapes import Answer, TableView


class Inviting(Reading, Desk):
    """Use cases around a table's invite code."""

    def invited_to(self, asker: Asker, code: str) -> TableView:
        """The table behind a code, as the asker sees it; nobody sits down by looking.

        Raises: Refusal `not_found` for a code that no table has (any more); `rate_limited`.
        """
        written = as_written(code)
        with self._guesses.guess("invite", asker, INVITE_GUESSES):
            table_id = self._store.invited(written)
            if table_id is None:
                raise not_found("invite")
            try:
                loaded = self._store.load(table_id)
            except TableNotFound:
                raise not_found("invite") from None
            if not same_code(written, loaded.table.invite_code):
                raise not_found("invite")
        return self._view(self._as_seen(loaded, asker), asker)

    def renew_invite(self, asker: Asker, table_id: str, key: Key | None) -> Answer[TableView]:
        """A new code for the host's open table, public or private; the old one stops working at once."""

        def judge(loaded: Loaded, draft: Draft) -> None:
            table = loaded.table
            check_host(table, asker)
            check_open(table)
            draft.renew_invite(self._chance.invite_code())

        done = self._change(asker, table_id, key, judge)
        return Answer(value=self._view(done, asker), replayed=done.replayed)
