"""A game ends for a bot as the service books it (docs/standing.md)."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest

from app.kit.answers import TableView
from app.kit.outcomes import outcome
from tests.api.cast import P_DRAW, House


def finished(house: House, scores: tuple[int, int], **result: Any) -> dict[str, Any]:
    """A table of Ann and Bob as the API tells it, with a result written in."""
    table: dict[str, Any] = house.ann.see(house.scripted(P_DRAW))
    winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
    places = [1, 1] if winner is None else [1 + (winner == 1), 1 + (winner == 0)]
    told = {"winner": winner, "scores": scores, "places": places, "reason": "target", **result}
    return {**table, "status": "finished", "scores": scores, "result": told}


def ended(table: dict[str, Any], plays: dict[int, int], own: dict[int, int]) -> str:
    return outcome(msgspec.convert(table, TableView), plays, own)


EACH = {0: 10, 1: 10}


@pytest.mark.parametrize(("scores", "word"), [((30, 10), "won"), ((10, 30), "lost"), ((20, 20), "drawn")])
def test_with_everybody_there_the_result_counts(house: House, scores: tuple[int, int], word: str) -> None:
    assert ended(finished(house, scores), EACH, EACH) == word
    assert ended(finished(house, scores), EACH, {0: 5, 1: 5}) == word


def test_a_bot_that_others_played_for_has_not_won(house: House) -> None:
    table = finished(house, (30, 10))
    assert ended(table, EACH, {0: 4, 1: 10}) == "lost"
    table["seats"][1]["occupant"] = {"kind": "house_bot", "level": "easy"}
    assert ended(table, EACH, {0: 4, 1: 0}) == "abandoned"
    assert ended(table, EACH, {0: 5, 1: 0}) == "won"


def test_a_stand_in_at_the_end_means_gone(house: House) -> None:
    stand_in = {"level": "medium", "reason": "left"}
    for scores, seat in itertools.product([(30, 10), (10, 30)], [0, 1]):
        table = finished(house, scores)
        table["seats"][seat]["stand_in"] = stand_in
        assert ended(table, EACH, EACH) == ("lost" if seat == 0 else "won")


def test_a_game_given_up_for_want_of_people_is_abandoned(house: House) -> None:
    assert ended(finished(house, (30, 10), reason="abandoned"), EACH, EACH) == "abandoned"
