"""Many records as one answer, written as they are read: a record a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from flask import Response

from app.records.writing import pieces
from app.tables.recording import RecordParts

LINES = "application/x-ndjson"


def record_lines(records: Iterator[RecordParts]) -> Response:
    """The answer. What goes wrong before its first byte is a problem as ever; later the connection breaks in a line."""
    written = _written(records)
    first = next(written, b"")
    return Response(chain([first], written), content_type=LINES)


def _written(records: Iterator[RecordParts]) -> Iterator[bytes]:
    for record in records:
        yield from pieces(record.head, record.hands, record.result)
        yield b"\n"
