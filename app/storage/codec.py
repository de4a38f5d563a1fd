"""Tables, receipts and events as msgpack bytes. The log is for ever; the state is a fold of it with a schema number."""

from __future__ import annotations

from msgspec import DecodeError
from msgspec.msgpack import Decoder, Encoder

from app.tables.events import TableEvent
from app.tables.premoves import PreMove
from app.tables.receipts import Receipt
from app.tables.table import Table

SCHEMA = 3
"""Raise it when the shape of `Table`, or a table of ids inside the engine, changes: older states are then folded from
their logs anew."""


class Codec:
    """Bytes both ways; one per store object."""

    def __init__(self) -> None:
        self._encoder = Encoder()
        self._tables = Decoder(Table)
        self._receipts = Decoder(tuple[Receipt, ...])
        self._premoves = Decoder(PreMove)
        self._events: Decoder[TableEvent] = Decoder(TableEvent)

    def encode(self, value: Table | tuple[Receipt, ...] | TableEvent | PreMove) -> bytes:
        return self._encoder.encode(value)

    def table(self, schema: bytes | None, state: bytes | None) -> Table | None:
        """The state, or None where it has to be folded from the log: another schema, or bytes we cannot read."""
        if state is None or schema is None or schema != str(SCHEMA).encode():
            return None
        try:
            return self._tables.decode(state)
        except DecodeError:  # the shape has changed and nobody raised the number; the log still knows
            return None

    def receipts(self, stored: bytes | None) -> tuple[Receipt, ...]:
        return self._receipts.decode(stored) if stored else ()

    def premoves(self, stored: dict[bytes, bytes]) -> tuple[dict[int, PreMove], int]:
        """Per seat, and how often they have changed."""
        kept = {int(seat): self._premoves.decode(premove) for seat, premove in stored.items() if seat != b"n"}
        return kept, int(stored.get(b"n", b"0"))

    def event(self, stored: bytes) -> TableEvent:
        """One entry of a log; its class follows its `type`."""
        return self._events.decode(stored)
