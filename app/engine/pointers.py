"""JSON pointers into what a client sent: its own names as steps, short and plain enough to be told and logged."""

from __future__ import annotations

NAME_LENGTH = 60
"""Characters of a client's own field name that are told back."""


def step(name: object) -> str:
    """A field's name as one step of a pointer (RFC 6901), cut, and escaped outside ASCII.

    >>> step("a/b~c")
    'a~1b~0c'
    """
    shown = str(name)[:NAME_LENGTH].encode("ascii", "backslashreplace").decode()
    return shown.replace("~", "~0").replace("/", "~1")
