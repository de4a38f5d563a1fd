"""Players, their tokens and their idempotency records, as tables need them kept: the `PlayerRegister` port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct


class Player(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    kind: str
    """human | bot"""
    created_at: datetime


class Token(Struct, frozen=True, kw_only=True):
    """A way in for one device; the secret itself is never kept."""

    id: str
    label: str | None
    created_at: datetime


class Reservation(Struct, frozen=True, kw_only=True):
    """A player-wide idempotency record (kept 24 h): the id a retry must finish under."""

    digest: str
    table_id: str
    done: bool
    fresh: bool
    """True: this call made it. False and not done: another request is, or was, under way."""
    stale: bool
    """Not done and older than 10 s: whoever retries may finish it."""
    at: datetime | None = None
    after: int | None = None
    """`now` and version of the first answer, once done."""
    said: bytes | None = None
    """What else it needs to be given again, once done; whoever settles the record knows how that is written."""


class PlayerRegister(Protocol):
    def create(self, player: Player, token: Token, token_digest: str) -> None: ...

    def by_token(self, token_digest: str) -> tuple[Player, str] | None:
        """The player and the token's id."""

    def get(self, player_id: str) -> Player | None: ...

    def get_many(self, player_ids: Sequence[str]) -> Mapping[str, Player]:
        """Those that still exist."""

    def kind_of_deleted(self, player_id: str) -> str | None:
        """What a deleted player was, as long as a table may still name him; None: there never was such a player."""

    def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        """Names of those that still exist."""

    def rename(self, player_id: str, name: str) -> Player: ...

    def delete(self, player_id: str) -> None:
        """Forget the player, at once, and then every token of his; logs keep the id.

        The list of his tables stays for a while, so that seats he was given meanwhile are found. A second time ends
        what the first has left.
        """

    def add_token(self, player_id: str, token: Token, token_digest: str) -> None: ...

    def tokens(self, player_id: str) -> Sequence[Token]: ...

    def remove_token(self, player_id: str, token_id: str) -> bool:
        """False: no such token of this player."""

    def offer_link(self, player_id: str, code_digest: str, seconds: int) -> None:
        """Let whoever knows the code in as this player, once, for so long; an earlier code of his ends.

        Raises: LookupError, if there is no such player.
        """

    def linked(self, code_digest: str) -> str | None:
        """The player a code still lets in as; None: nobody."""

    def use_link(self, player_id: str, code_digest: str) -> bool:
        """Use the code up; True for exactly one of those who try."""

    def reserve(self, player_id: str, key: str, digest: str, table_id: str) -> Reservation:
        """Take the key for this request, or say who has it, be it a write at a table (`note_key`)."""

    def settle(self, player_id: str, key: str, at: datetime, after: int, said: bytes = b"") -> None:
        """The reserved request is done; `at` and `after` are its answer's `now` and version, `said` what else it says.

        The first who settles it counts.
        """

    def release(self, player_id: str, key: str) -> None:
        """The reserved request was refused: refusals are not kept."""

    def key_used_for(self, player_id: str, key: str) -> Reservation | None:
        """The record the key was reserved or noted for; None: for none. Of a noted one only `digest` is known."""

    def note_key(self, player_id: str, key: str, digest: str) -> None:
        """A write at a table was done under this key; known for an hour, so that it is not used elsewhere."""
