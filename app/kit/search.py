"""The search for a game by tickets, so that no table is left alone that a ticket has found."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Callable
from types import NoneType
from typing import Any

from app.kit.answers import Ticket
from app.kit.server import NoAnswer, Refused, Server

WAIT = 5.0
"""Seconds a ticket is waited for in one go."""
WITHDRAWN_WITHIN = 3.0
"""Seconds for giving a ticket back; one nobody asks for lapses by itself."""


class Search:
    """Looks for one game after the other."""

    def __init__(
        self, server: Server, wanted: dict[str, Any], *, goes_on: Callable[[], bool], no_more: threading.Event
    ) -> None:
        """`wanted`: the body of a ticket. `goes_on`: whether a game is still looked for; `no_more`: none ever again."""
        self._server = server
        self._seeker = server.until(no_more)
        self._wanted = wanted
        self._goes_on = goes_on
        self._waiting: Ticket | None = None
        """What is waited for now."""

    def table(self) -> str | None:
        """Where a ticket was matched, sooner or later; None: it came to nothing. Raises: Refused."""
        key = uuid.uuid4().hex
        try:
            ticket = self._seeker.ask(Ticket, "POST", "/tickets", self._wanted, key=key)
            self._waiting = ticket
            while ticket.status == "waiting" and self._goes_on():
                ticket = self._look(ticket)
            return self._withdraw(ticket) if ticket.status == "waiting" else ticket.table
        except NoAnswer:
            # No more games; the ticket may be there all the same, and tell its id under its key.
            try:
                return self._withdraw(
                    self._server.ask(Ticket, "POST", "/tickets", self._wanted, key=key, patience=WITHDRAWN_WITHIN)
                )
            except NoAnswer:
                return None

    def stop(self) -> None:
        """Give back the ticket that is waited for, from any thread: whoever waits hears of it at once."""
        ticket = self._waiting
        if ticket is not None:
            with contextlib.suppress(Refused, NoAnswer):
                self._withdraw(ticket)

    def _look(self, ticket: Ticket) -> Ticket:
        """The ticket after a while; one the server has forgotten has lapsed."""
        try:
            return self._seeker.ask(Ticket, "GET", f"/tickets/{ticket.id}", wait=WAIT)
        except Refused as refused:
            if refused.status != 404:
                raise
            return Ticket(id=ticket.id, status="expired")

    def _withdraw(self, ticket: Ticket) -> str | None:
        """Wait no longer; the table, where there is one by now: somebody sits there and expects an opponent."""
        try:
            self._server.ask(NoneType, "DELETE", f"/tickets/{ticket.id}", patience=WITHDRAWN_WITHIN)
        except Refused as refused:
            if refused.code == "ticket_matched":
                return str(refused.params["table"])
            if refused.status != 404:
                raise
        return None
