"""The fair deal once more, from docs/fair-deal.md alone: it imports nothing of the service."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence

TILES = [f"{high}{low}" for high in range(7) for low in range(high + 1)]


def text(words: str) -> bytes:
    return struct.pack(">H", len(words.encode("utf-8"))) + words.encode("utf-8")


def chain(secret: bytes, table: str) -> list[bytes]:
    """Links 0 to 1,000."""
    links = [hmac.new(secret, b"all-fives-fair-deal/1 chain\0" + text(table), hashlib.sha256).digest()]
    while len(links) <= 1000:
        links.append(hashlib.sha256(b"all-fives-fair-deal/1 link\0" + links[-1]).digest())
    return links[::-1]


def one_before(link: bytes) -> bytes:
    return hashlib.sha256(b"all-fives-fair-deal/1 link\0" + link).digest()


def deal(link: bytes, table: str, hand: int, seeds: Sequence[str]) -> tuple[list[str], int]:
    """The 28 tiles in dealing order, and the lot."""
    about = b"all-fives-fair-deal/1 deal\0" + text(table) + struct.pack(">IB", hand, len(seeds))
    for seed in seeds:
        about += text(seed)
    stream = bytearray()
    for block in range(40):  # 1,280 bytes: never nearly used up
        stream += hmac.new(link, about + struct.pack(">I", block), hashlib.sha256).digest()
    used = 0

    def below(most: int) -> int:
        nonlocal used
        while True:
            byte = stream[used]
            used += 1
            if byte < 256 - 256 % most:
                return byte % most

    tiles = list(TILES)
    for i in range(27, 0, -1):
        j = below(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles, below(len(seeds))
