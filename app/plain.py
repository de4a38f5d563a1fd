"""What came from a file, a server or a bot, as a terminal may show it."""

from __future__ import annotations


def plain(text: str) -> str:
    r"""The text with line ends, control characters and the like written out: it stays one line and does nothing.

    >>> print(plain("table X\nY\x07 of Zoë"))
    table X\nY\x07 of Zoë
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
