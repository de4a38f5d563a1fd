"""Codes that people type: letters that do not look alike, read however they are written."""

from __future__ import annotations


def as_written(code: str) -> str:
    """A code as we write it, whatever a person made of it.

    >>> as_written(" abcd-efgh jk ")
    'ABCDEFGHJK'
    """
    return "".join(code.split()).replace("-", "").upper()
