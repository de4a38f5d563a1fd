"""Answers to those who invite the player."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType

from msgspec import Struct

from app.kit.answers import Invitation, TableView
from app.kit.server import Refused, Server

TOO_LATE = ("not_found", "table_full", "already_seated", "table_not_open")
"""It cannot be answered any more, or not as it was meant."""


class Invitations(Struct, frozen=True, kw_only=True):
    items: tuple[Invitation, ...]


def invitations(server: Server) -> Sequence[Invitation]:
    """Those that may be answered, the oldest first."""
    return server.ask(Invitations, "GET", "/me/invitations").items[::-1]


def answer(server: Server, invitation: Invitation, reason: str | None) -> str | None:
    """Decline for this reason, or (None) come and sit down; why the player does not sit there, None: he does."""
    try:
        if reason is None:
            server.ask(TableView, "POST", f"/invitations/{invitation.id}/accept")
        else:
            server.ask(NoneType, "POST", f"/invitations/{invitation.id}/decline", {"reason": reason})
    except Refused as refused:
        if refused.code not in TOO_LATE:
            raise
        return refused.code
    return reason
