"""A record as the bytes of one JSON document, hand by hand: a long game never lies in memory as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.json import Encoder

from app.tables.shapes import FinishedHand, RecordHead
from app.tables.table import Result

_encode = Encoder().encode


def pieces(head: RecordHead, hands: Iterable[FinishedHand], result: Result | None) -> Iterator[bytes]:
    """The document of a `GameRecord`, in pieces of a hand each."""
    yield _encode(head)[:-1] + b',"hands":['
    between = b""
    for hand in hands:
        yield between + _encode(hand)
        between = b","
    yield b'],"result":' + _encode(result) + b"}"
