"""What games do to ratings."""

from __future__ import annotations

import pytest

from app.standing.outcome import outcome_of
from app.standing.ratings import booked
from app.standing.record import LEAST_GAMES, Record
from app.tables.ports import Step
from tests.standing.games import game


def after(*steps: Step) -> dict[str, Record]:
    """Everybody's record after these games."""
    records: dict[str, Record] = {}
    for step in steps:
        records.update(booked(outcome_of(step.table, step.events), records))
    return records


def test_the_winner_gains_what_the_loser_loses_and_doubt_goes() -> None:
    records = after(game("ann", "bob"))
    assert records["ann"].mu - Record().mu == pytest.approx(Record().mu - records["bob"].mu)
    assert records["ann"].mu > Record().mu
    assert records["ann"].sigma == records["bob"].sigma < Record().sigma
    assert (records["ann"].rated, records["ann"].won, records["bob"].lost) == (1, 1, 1)


def test_a_draw_of_equals_moves_nobody() -> None:
    records = after(game("ann", "bob", scores=(200, 200), reason="max_hands"))
    assert records["ann"].mu == pytest.approx(records["bob"].mu) == pytest.approx(Record().mu)
    assert records["ann"].drawn == 1


def test_beating_the_better_one_is_worth_more() -> None:
    strong = Record(mu=35, sigma=2)
    weak = Record(mu=15, sigma=2)
    step = game("ann", "bob")
    won = outcome_of(step.table, step.events)
    against_strong = booked(won, {"bob": strong})["ann"].mu
    against_weak = booked(won, {"bob": weak})["ann"].mu
    assert against_strong > against_weak > Record().mu


def test_places_decide_among_three() -> None:
    records = after(game("ann", "bob", "cat", ruleset="draw", scores=(100, 50, 20)))
    assert records["ann"].mu > records["bob"].mu > records["cat"].mu


def test_partners_are_rated_as_one_team() -> None:
    records = after(game("ann", "bob", "cat", "dan", seating="pairs", scores=(200, 100)))
    assert records["ann"] == records["cat"]
    assert records["bob"] == records["dan"]
    assert records["ann"].mu > records["bob"].mu


def test_whoever_left_a_winning_pair_is_rated_as_having_lost_and_nobody_else_is() -> None:
    records = after(game("ann", "bob", "cat", "dan", seating="pairs", scores=(200, 100), gone=[0]))
    assert records["ann"].mu < Record().mu < records["cat"].mu
    assert records["bob"].mu == records["dan"].mu < Record().mu


def test_bots_are_rated_under_their_level_and_two_of_one_level_move_once() -> None:
    records = after(game("ann", "bot:easy", "bot:easy", ruleset="draw", scores=(100, 50, 0)))
    easy = records["bot:easy"]
    assert (easy.rated, easy.lost, easy.version) == (1, 2, 1)
    assert easy.mu < Record().mu < records["ann"].mu


def test_unrated_games_are_counted_and_move_nobody() -> None:
    records = after(game("ann", "bob", visibility="private"))
    assert (records["ann"].won, records["ann"].rated, records["ann"].mu) == (1, 0, Record().mu)


def test_abandoned_games_count_only_for_those_who_were_gone() -> None:
    records = after(game("ann", "bob", reason="abandoned", gone=[0]))
    assert set(records) == {"ann"}
    assert (records["ann"].abandoned, records["ann"].finished, records["ann"].rated) == (1, 0, 0)


def test_a_rating_rises_with_doubt_gone_and_is_listed_after_some_games() -> None:
    steps = [game("ann", "bob", scores=(250, 0) if n % 2 else (0, 250)) for n in range(2 * LEAST_GAMES)]
    records = after(*steps)
    assert records["ann"].rating > Record().rating
    assert not after(*steps[: LEAST_GAMES - 1])["ann"].is_listed
    assert after(*steps[:LEAST_GAMES])["ann"].is_listed
