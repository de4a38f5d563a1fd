"""How games are booked: who won, who was gone, what is rated."""

from __future__ import annotations

import pytest

from app.standing.outcome import Outcome, outcome_of
from app.tables.ports import Step
from tests.standing.games import game


def outcome(step: Step) -> Outcome:
    return outcome_of(step.table, step.events)


def endings(step: Step) -> list[str | None]:
    return [party.ending for party in outcome(step).parties]


def test_the_better_score_has_won() -> None:
    assert endings(game("ann", "bob", scores=(100, 250))) == ["lost", "won"]
    assert endings(game("ann", "bob", "cat", ruleset="draw", scores=(10, 100, 50))) == ["lost", "won", "lost"]


def test_sharing_the_first_place_is_a_draw_and_the_third_has_lost() -> None:
    assert endings(game("ann", "bob", scores=(200, 200), reason="max_hands")) == ["drawn", "drawn"]
    step = game("ann", "bob", "cat", ruleset="muggins-british", scores=(90, 90, 10), reason="max_hands")
    assert endings(step) == ["drawn", "drawn", "lost"]


def test_partners_win_together() -> None:
    step = game("ann", "bob", "cat", "bot:easy", seating="pairs", scores=(100, 200))
    assert endings(step) == ["lost", "won", "lost", "won"]
    assert [party.id for party in outcome(step).parties] == ["ann", "bob", "cat", "bot:easy"]
    assert outcome(step).pool.group == "pairs"


@pytest.mark.parametrize("how", ["gone", "played_for"])
def test_whoever_is_gone_has_lost_though_the_stand_in_won(how: str) -> None:
    away = {"gone": {"gone": [0]}, "played_for": {"played_for": [0]}}[how]
    step = game("ann", "bob", scores=(250, 100), **away)  # type: ignore[arg-type]
    assert endings(step) == ["lost", "won"]
    assert outcome(step).places == (2, 1)
    assert outcome(step).is_rated


def test_those_who_stayed_are_ranked_among_themselves() -> None:
    step = game("ann", "bob", "cat", ruleset="draw", scores=(100, 20, 50), gone=[0])
    assert outcome(step).places == (3, 2, 1)
    assert endings(step) == ["lost", "lost", "won"]


def test_a_partner_who_stayed_has_the_sides_result() -> None:
    step = game("ann", "bob", "cat", "dan", seating="pairs", scores=(200, 100), gone=[0])
    assert endings(step) == ["lost", "lost", "won", "lost"]
    assert outcome(step).places == (1, 2)


def test_a_pair_that_is_gone_has_lost() -> None:
    step = game("ann", "bob", "cat", "dan", seating="pairs", scores=(200, 100), gone=[0, 2])
    assert endings(step) == ["lost", "won", "lost", "won"]


def test_an_abandoned_game_is_rated_for_nobody_and_counts_for_those_who_were_gone() -> None:
    step = game("ann", "bob", "cat", ruleset="draw", scores=(50, 0, 0), reason="abandoned", gone=[0, 2])
    assert endings(step) == ["abandoned", None, "abandoned"]
    assert not outcome(step).is_rated


def test_a_game_that_ended_when_everybody_was_gone_is_as_good_as_abandoned() -> None:
    step = game("ann", "bot:easy", scores=(250, 0), gone=[0])
    assert endings(step) == ["abandoned", None]
    assert not outcome(step).is_rated


def test_a_forfeit_is_lost_by_those_who_are_gone() -> None:
    step = game("ann", "bob", scores=(200, 100), reason="forfeit", gone=[0])
    assert endings(step) == ["lost", "won"]


@pytest.mark.parametrize(
    ("unrated", "step"),
    [
        ("private", game("ann", "bob", visibility="private")),
        ("practice", game("ann", "bob", practice=True)),
        ("house rules", game("ann", "bob", house_rules={"target_points": 50})),
        (
            "a seating the rule set has not",
            game("ann", "bob", "cat", "dan", scores=(200, 9, 8, 7), house_rules={"seating": {"4": ["solo"]}}),
        ),
        ("a forgetful bot", game("ann", "bot:easy", ruleset="all-fives-claim", forgetfulness=0.5)),
        ("one level against itself", game("bot:easy", "bot:easy")),
    ],
)
def test_what_is_not_rated(unrated: str, step: Step) -> None:
    assert not outcome(step).is_rated, unrated


@pytest.mark.parametrize(
    "step",
    [
        game("ann", "bob"),
        game("ann", "bot:easy"),
        game("bot:medium", "bot:easy"),
        game("ann", "bob", house_rules={"target_points": 250}),
        game("ann", "bob", house_rules={"wrong_call_costs": 10, "deal": {"4": 6}}),
        game("ann", "bob", ruleset="block", house_rules={"boneyard_keep": 2, "cross_arms_open": "at_once"}),
        game("ann", "bot:easy", forgetfulness=0.5),
    ],
)
def test_what_is_rated(step: Step) -> None:
    assert outcome(step).is_rated
