"""What was done under an `Idempotency-Key` before: at the table, elsewhere, or by a first request still running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from app.tables.ports import Loaded, StoreUnavailable
from app.tables.receipts import FirstAnswer, Receipt, key_reused, receipt_for
from app.tables.refusals import Refusal
from app.tables.register import PlayerRegister, Reservation
from app.tables.requests import Key


class Keyed:
    """Use cases that do the same request once."""

    _register: PlayerRegister

    def _receipt(
        self, loaded: Loaded, player_id: str, key: Key | None, *, in_sight: bool = True
    ) -> Receipt | FirstAnswer | None:
        """The record of this very request; a key without one here may be known from elsewhere for a while.

        `in_sight`: the player sees the table. If not, what he did here may be why; but nothing else is looked up then,
        for that would take longer than at a table there is not.

        Raises: Refusal `idempotency_key_reused`.
        """
        receipt = receipt_for(loaded.receipts, player_id, key)
        if receipt is None and key is not None and in_sight and not key.kept_elsewhere:
            return self._answered(player_id, key)
        return receipt

    def _answered(self, player_id: str, key: Key) -> FirstAnswer | None:
        """The player's own record of this very request. Raises: Refusal `idempotency_key_reused`."""
        used = self._register.key_used_for(player_id, key.value)
        if used is not None and used.digest != key.digest:
            raise key_reused()
        return FirstAnswer.read(used.said) if used is not None and used.said else None

    @contextmanager
    def _once(self, player_id: str, key: Key | None, answer: FirstAnswer) -> Iterator[FirstAnswer | None]:
        """Do in this block what no table's record tells of; not if there is an answer already: that is given then.

        Raises: Refusal `idempotency_key_reused`, `request_in_progress`.
        """
        if key is None or key.kept_elsewhere:
            yield None
            return
        reserved = self._reserved(player_id, key, answer.table)
        if reserved.said:
            yield FirstAnswer.read(reserved.said)
            return
        yield None
        self._register.settle(player_id, key.value, answer.at, answer.version, answer.written())

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
