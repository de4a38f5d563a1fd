"""Places on a board, as opaque text: the page goes on below the place it names."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

_SHAPE = re.compile(r"(-?[0-9]{1,9})/([A-Za-z0-9_:-]{1,64})")

BoardPlace = tuple[int, str]
"""Rating and id, in the order the board is kept in."""


def cursor_of(place: BoardPlace) -> str:
    """The cursor for the page below this place.

    >>> cursor_of((1900, "bot:easy"))
    'MTkwMC9ib3Q6ZWFzeQ'
    """
    rating, entry_id = place
    return urlsafe_b64encode(f"{rating}/{entry_id}".encode()).decode().rstrip("=")


def place_of(cursor: str) -> BoardPlace:
    """The place a cursor names.

    >>> place_of('MTkwMC9ib3Q6ZWFzeQ')
    (1900, 'bot:easy')

    Raises:
        ValueError: it is no cursor of ours.
    """
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (NotBase64, UnicodeError, ValueError):
        text = ""
    found = _SHAPE.fullmatch(text)
    if found is None or cursor_of((int(found[1]), found[2])) != cursor:
        raise ValueError("this is not a cursor of this board")
    return int(found[1]), found[2]
