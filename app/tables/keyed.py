"""What was done under an `Idempotency-Key` before: at the table, elsewhere, or by a first request still running."""

from __future__ import annotations

from contextlib import suppress

from app.tables.ports import Loaded, StoreUnavailable
from app.tables.receipts import Receipt, key_reused, receipt_for
from app.tables.refusals import Refusal
from app.tables.register import PlayerRegister, Reservation
from app.tables.requests import Key


class Keyed:
    """Use cases that do the same request once."""

    _register: PlayerRegister

    def _receipt(self, loaded: Loaded, player_id: str, key: Key | None) -> Receipt | None:
        """The record of this very request; a key without one here may be known from elsewhere for a while.

        Raises: Refusal `idempotency_key_reused`.
        """
        receipt = receipt_for(loaded.receipts, player_id, key)
        if key is not None and receipt is None:
            used_for = self._register.key_used_for(player_id, key.value)
            if used_for not in (None, key.digest):
                raise key_reused()
        return receipt

    def _reserved(self, player_id: str, key: Key, new_id: str) -> Reservation:
        """The key's record: ours, done by the first request, or left by one that died, to be finished under its id.

        Raises: Refusal `idempotency_key_reused`, `request_in_progress`.
        """
        reserved = self._register.reserve(player_id, key.value, key.digest, new_id)
        if not reserved.fresh and reserved.digest != key.digest:
            raise key_reused()
        if not (reserved.fresh or reserved.done or reserved.stale):
            raise Refusal(
                "request_in_progress",
                "The first request with this Idempotency-Key is still running: ask again in a second.",
            )
        return reserved

    def _note(self, player_id: str, key: Key | None) -> None:
        if key is not None:
            with suppress(StoreUnavailable):  # the write is done and has its receipt
                self._register.note_key(player_id, key.value, key.digest)
