"""Chance for real tables: the operating system's random source, nothing that can be foreseen."""

from __future__ import annotations

import secrets

from app.engine.tiles import NAMES

_CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""Letters of codes: none that look alike."""
_CODE_LENGTH = 10
"""30^10 is about 2^49 codes."""


class SystemChance:
    """Secrets, ids and codes from `secrets`."""

    def __init__(self) -> None:
        self._random = secrets.SystemRandom()

    def order(self) -> tuple[str, ...]:
        """The 28 tiles, every order equally likely."""
        tiles = list(NAMES)
        self._random.shuffle(tiles)
        return tuple(tiles)

    def secret(self) -> str:
        return secrets.token_hex(32)

    def table_id(self) -> str:
        return secrets.token_urlsafe(12).replace("-", "x").replace("_", "y")

    def invite_code(self) -> str:
        return new_code()


def new_code() -> str:
    """A code nobody can foresee, short enough to be typed."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
