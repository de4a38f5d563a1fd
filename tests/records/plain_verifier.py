"""A second verifier of records, in plain Python, from the documents and the rules alone: nothing of ours is in it.

It takes the parsed JSON, stops at the first thing that is wrong with a hand, and goes on with the next hand. The layout
is the one in `tests.engine.naive`, which knows nothing of the service either. It looks neither at stamps nor at who sat
where.
"""

from __future__ import annotations

from typing import Any

from tests.records.plain_game import Complaint, PlainGame, check
from tests.records.plain_hand import PlainHand


def complaints(record: dict[str, Any]) -> list[str]:
    """One sentence for each hand that is wrong, and for the result."""
    game = PlainGame(record)
    said = []
    for number, hand in enumerate(record["hands"], start=1):
        try:
            check("hand number", number, hand["number"])
            check("game over before the hand", None, game.result)
            PlainHand(game, hand).play()
        except (Complaint, KeyError, IndexError, TypeError, ValueError) as complaint:
            said.append(f"hand {number}: {complaint!r}")
            game.scores = list(hand["result"]["scores"])
            game.went_out = hand["result"]["seat"] if hand["result"]["reason"] == "went_out" else None
            game.result = None
    result = record["result"]
    told = None if result is None else (result["winner"], result["scores"], result["places"], result["reason"])
    if told != game.result and (told is None or told[3] != "abandoned" or game.result is not None):
        said.append(f"result: {game.result} != {told}")
    return said
