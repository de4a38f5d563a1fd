"""Places in a newest-first list of tables, as opaque text: the page goes on below the table it names."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

_SHAPE = re.compile(r"([0-9]{1,15}):([A-Za-z0-9_-]{1,64})")

Place = tuple[int, str]
"""Score (ms since 1970, when the table was opened) and table id, in the order the lists are kept in."""


def cursor_of(place: Place) -> str:
    """The cursor for the page below this place.

    >>> cursor_of((1700000000000, "T1"))
    'MTcwMDAwMDAwMDAwMDpUMQ'
    """
    opened_ms, table_id = place
    return urlsafe_b64encode(f"{opened_ms}:{table_id}".encode()).decode().rstrip("=")


def place_of(cursor: str) -> Place:
    """The place a cursor names.

    >>> place_of('MTcwMDAwMDAwMDAwMDpUMQ')
    (1700000000000, 'T1')

    Raises:
        ValueError: it is no cursor of ours.
    """
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (NotBase64, UnicodeError, ValueError):
        text = ""
    found = _SHAPE.fullmatch(text)
    if found is None or cursor_of((int(found[1]), found[2])) != cursor:
        raise ValueError("this is not a cursor of this list")
    return int(found[1]), found[2]
