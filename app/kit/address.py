"""Where a server is, as somebody wrote it down."""

from __future__ import annotations

from urllib.parse import urlsplit

LOOKS_LIKE = "one looks like http://127.0.0.1:8000"


class NoAddress(ValueError):
    """It is no address of a server; the message says why, and shows no password."""


def address(written: str) -> str:
    """The server's address, without what every request adds.

    >>> address("https://play.example/allfives/v1/")
    'https://play.example/allfives'

    Raises: NoAddress.
    """
    try:
        parts = urlsplit(written.strip())
        has_user, _ = "@" in parts.netloc, parts.port
    except ValueError as error:
        shown = "this" if "@" in written else written
        raise NoAddress(f"{shown} is no address of a server: {error}") from None
    if has_user:
        raise NoAddress("an address with a user and a password is not taken: a player is known by his token")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        shown = "this" if "@" in written else written
        raise NoAddress(f"{shown} is no address of a server; {LOOKS_LIKE}")
    if parts.query or parts.fragment:
        raise NoAddress(f"{written} is more than the address of a server; {LOOKS_LIKE}")
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/").removesuffix("/v1").rstrip("/")
