"""Writes at a table done under an `Idempotency-Key`, kept so that a repeated request gets its first answer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Struct

from app.tables.refusals import Refusal
from app.tables.requests import Key

RECEIPTS_A_PLAYER = 8
"""Records kept per player at a table."""


class Receipt(Struct, frozen=True, kw_only=True):
    """A write that was done under an `Idempotency-Key`: enough to give its first answer again from the log."""

    player_id: str
    key: str
    digest: str
    """SHA-256 of path and parsed body."""
    before: int
    """Version before the write."""
    after: int
    """Version after it."""
    at: datetime
    """`now` of the first answer."""
    connected: tuple[bool | None, ...] = ()
    """`connected` per seat in the first answer."""


class FirstAnswer(Struct, frozen=True, kw_only=True):
    """An answer that a player's own record keeps, and no table's: enough to give the table again from its log."""

    table: str
    version: int
    at: datetime
    """Its `now`."""
    connected: tuple[bool | None, ...]
    """Its `connected` per seat."""
    status: int = 200

    @property
    def before(self) -> int:
        return self.version

    @property
    def after(self) -> int:
        """As of a receipt: the answer was about the table at this version, and wrote nothing."""
        return self.version

    def written(self) -> bytes:
        """As a player's own record keeps it."""
        return msgspec.msgpack.encode(self)

    @staticmethod
    def read(said: bytes) -> FirstAnswer:
        return msgspec.msgpack.decode(said, type=FirstAnswer)


def receipt_for(receipts: Iterable[Receipt], player_id: str, key: Key | None) -> Receipt | None:
    """The record of this very request. Raises: Refusal `idempotency_key_reused` for another under the same key."""
    if key is None:
        return None
    for receipt in receipts:
        if receipt.player_id == player_id and receipt.key == key.value:
            if receipt.digest != key.digest:
                raise key_reused()
            return receipt
    return None


def key_reused() -> Refusal:
    return Refusal(
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request: send the same path and body again, or take a new key.",
    )


def trimmed(receipts: tuple[Receipt, ...]) -> tuple[Receipt, ...]:
    """The last eight of each player, oldest first."""
    kept: list[Receipt] = []
    counts: dict[str, int] = {}
    for receipt in reversed(receipts):
        counts[receipt.player_id] = counts.get(receipt.player_id, 0) + 1
        if counts[receipt.player_id] <= RECEIPTS_A_PLAYER:
            kept.append(receipt)
    return tuple(reversed(kept))
