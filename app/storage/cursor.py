"""Places in a list, as opaque text: the page goes on below the place it names."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

Place = tuple[int, str]
"""Number and id, in the order a list is kept in."""


class Cursors:
    """How the places of one kind of list are written; no other kind takes them for its own.

    >>> OF_TABLES.cursor_of((1700000000000, "T1")), OF_BOARD.cursor_of((1900, "bot:easy"))
    ('MTcwMDAwMDAwMDAwMDpUMQ', 'MTkwMC9ib3Q6ZWFzeQ')
    >>> OF_TABLES.place_of('MTcwMDAwMDAwMDAwMDpUMQ'), OF_BOARD.place_of('MTkwMC9ib3Q6ZWFzeQ')
    ((1700000000000, 'T1'), (1900, 'bot:easy'))
    """

    def __init__(self, number: str, between: str, name: str) -> None:
        """`number`, `name`: what the two parts may look like; `between`: the sign this kind of list has there."""
        self._between = between
        self._shape = re.compile(f"({number}){between}({name})")

    def cursor_of(self, place: Place) -> str:
        """The cursor for the page below this place."""
        number, name = place
        return urlsafe_b64encode(f"{number}{self._between}{name}".encode()).decode().rstrip("=")

    def place_of(self, cursor: str) -> Place:
        """The place a cursor names.

        Raises:
            ValueError: it is no cursor of ours.
        """
        try:
            text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        except (NotBase64, UnicodeError, ValueError):
            text = ""
        found = self._shape.fullmatch(text)
        if found is None or self.cursor_of((int(found[1]), found[2])) != cursor:
            raise ValueError("this is not a cursor of this list")
        return int(found[1]), found[2]


OF_TABLES = Cursors("[0-9]{1,15}", ":", "[A-Za-z0-9_-]{1,64}")
"""Lists of tables: ms since 1970, when the table was opened, and its id."""
OF_BOARD = Cursors("-?[0-9]{1,9}", "/", "[A-Za-z0-9_:-]{1,64}")
"""A board: rating, and id of a player or bot."""
