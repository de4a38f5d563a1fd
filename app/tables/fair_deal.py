"""Deals nobody has to take on trust: a committed hash chain, everybody's seeds, one stream of bytes a hand.

`docs/fair-deal.md` says the same for those who implement it elsewhere. Nothing here reads a clock or a random source.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from msgspec import Struct

from app.engine.tiles import NAMES

ALGORITHM = "all-fives-fair-deal/1"
LINKS = 1000
"""Links of a chain: no game has more hands."""
LONGEST_SEED = 64
"""Characters of a client seed."""

_CHAIN = b"all-fives-fair-deal/1 chain\0"
_LINK = b"all-fives-fair-deal/1 link\0"
_DEAL = b"all-fives-fair-deal/1 deal\0"
_BOT = b"all-fives-fair-deal/1 bot\0"


class Shuffled(Struct, frozen=True):
    """What chance decides in a hand."""

    order: tuple[str, ...]
    """The 28 tiles, in dealing order."""
    lot: int
    """The seat that leads where the lot decides."""


def link(secret: str, table_id: str, number: int) -> str:
    """The link of a hand, as 64 hex digits: public once that hand has ended, never before.

    It tells the links of all earlier hands, for each hashes to the one before, and nothing of any later one. Link 0
    belongs to no hand: it is what the table commits to. The secret itself is no link, so it is never shown.

    >>> secret = "00" * 32
    >>> link_before(link(secret, "t", 7)) == link(secret, "t", 6)
    True

    Raises:
        ValueError: a chain has links 0 to 1,000.
    """
    if not 0 <= number <= LINKS:
        raise ValueError(f"a chain has links 0 to {LINKS}, not {number}")
    here = hmac.digest(bytes.fromhex(secret), _CHAIN + _text(table_id), hashlib.sha256)
    for _ in range(LINKS - number):
        here = hashlib.sha256(_LINK + here).digest()
    return here.hex()


def commitment(secret: str, table_id: str) -> str:
    """The public end of a table's chain, told before anybody sits down."""
    return link(secret, table_id, 0)


def link_before(shown: str, steps: int = 1) -> str:
    """The link so many hands earlier. Raises: ValueError if it is not written in hex digits."""
    here = bytes.fromhex(shown)
    for _ in range(steps):
        here = hashlib.sha256(_LINK + here).digest()
    return here.hex()


def shuffled(shown: str, table_id: str, number: int, client_seeds: Sequence[str]) -> Shuffled:
    """The deal of a hand, from its link and the seats' seeds in seat order (a seat without one has the empty seed).

    Raises:
        ValueError: the link is not written in hex digits.
    """
    below = _Numbers(_stream(bytes.fromhex(shown), _about(table_id, number, client_seeds)))
    tiles = list(NAMES)
    for last in range(len(tiles) - 1, 0, -1):
        chosen = below(last + 1)
        tiles[last], tiles[chosen] = tiles[chosen], tiles[last]
    return Shuffled(tuple(tiles), below(len(client_seeds)))


def bot_seed(secret: str, table_id: str, version: int, seat: int) -> int:
    """What a bot's choice at this version is drawn from: repeatable for us, not to be foreseen by anybody else.

    Drawn from the secret beside the chain, so a seed tells nothing of any link and no link tells a seed.
    """
    told = _BOT + _text(table_id) + version.to_bytes(8) + seat.to_bytes(1)
    return int.from_bytes(hmac.digest(bytes.fromhex(secret), told, hashlib.sha256)[:8])


class _Numbers:
    """Whole numbers from a stream of bytes, evenly spread: bytes that would favour some numbers are passed over."""

    def __init__(self, stream: Iterator[int]) -> None:
        self._stream = stream

    def __call__(self, most: int) -> int:
        """A number from 0 to `most - 1`; `most` is at most 256."""
        fair = 256 - 256 % most
        return next(byte for byte in self._stream if byte < fair) % most


def _stream(key: bytes, about: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, about + block.to_bytes(4), hashlib.sha256)
        block += 1


def _about(table_id: str, number: int, client_seeds: Sequence[str]) -> bytes:
    """Everything the deal depends on besides the link; lengths in front, so that no two deals read alike."""
    seeds = b"".join(_text(seed) for seed in client_seeds)
    return _DEAL + _text(table_id) + number.to_bytes(4) + len(client_seeds).to_bytes(1) + seeds


def _text(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2) + encoded
