"""The rule for player names, in one place."""

from __future__ import annotations

import unicodedata

from app.tables.refusals import invalid

LONGEST = 32
"""Characters, after trimming."""
RULE = (
    f"A name has 1 to {LONGEST} characters: letters, digits, punctuation, symbols and single spaces inside; "
    "no line breaks, control, invisible or direction-changing characters."
)
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that are not shown to others: control, format, surrogate, private, unassigned, line breaks."""
_INVISIBLE = frozenset(
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers: letters that are ignored by default
    "\u034f\u17b4\u17b5"  # marks that are; not those that choose the form of what they follow, as emoji need
    "\u2800\U0001d159\U00013441\U00013442"  # blanks: Braille, a notehead, hieroglyphs
)
"""Characters that count as letters, marks or symbols and show nothing; the standard library cannot tell them."""


def clean(name: str) -> str:
    """The name as it is kept: NFC, trimmed, inner white space single.

    >>> clean("  Ana  María ")
    'Ana María'

    Raises: Refusal `invalid` with the rule.
    """
    composed = unicodedata.normalize("NFC", name).strip()
    spaced = "".join(" " if unicodedata.category(character) == "Zs" else character for character in composed)
    kept = " ".join(part for part in spaced.split(" ") if part)
    categories = {unicodedata.category(character) for character in kept}
    visible = any(category[0] in "LNPS" for category in categories)
    if not visible or len(kept) > LONGEST or categories & _REFUSED or _INVISIBLE & set(kept) or _tower(kept):
        raise invalid("/name", "name", RULE, longest=LONGEST)
    return kept


def _tower(name: str) -> bool:
    """More than three combining marks on one letter run over the neighbours' lines."""
    run = 0
    for character in name:
        run = run + 1 if unicodedata.combining(character) else 0
        if run > 3:
            return True
    return False
