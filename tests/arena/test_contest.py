"""Who sits where, and what is dealt: the same deals from every side, new ones for every series and hand."""

from __future__ import annotations

import pytest

from app.arena.contest import ONE, Contest
from app.engine.errors import InvalidRules
from app.engine.tiles import NAMES

TABLES = [(2, "solo"), (3, "solo"), (4, "solo"), (4, "pairs")]


@pytest.mark.parametrize(("players", "seating"), TABLES)
def test_in_a_series_every_seat_is_the_first_players_once(players: int, seating: str) -> None:
    contest = Contest(players=players, seating=seating)
    seatings = [contest.seats(5, place) for place in range(contest.games_a_series)]
    assert [sum(seats[seat] == ONE for seats in seatings) for seat in range(players)] == [1] * players


def test_partners_are_the_same_player() -> None:
    assert {Contest(players=4, seating="pairs").seats(0, place) for place in (0, 1)} == {(0, 1, 0, 1), (1, 0, 1, 0)}


def test_without_duplicates_the_players_change_places_from_game_to_game() -> None:
    contest = Contest(players=3, duplicate=False, games=7)
    assert (contest.series, contest.games_a_series) == (7, 1)
    assert [contest.seats(series, 0).index(ONE) for series in range(4)] == [0, 1, 2, 0]


def test_series_are_whole() -> None:
    assert [Contest(games=games, players=3).series for games in (1, 3, 4)] == [1, 1, 2]


def test_every_hand_has_its_own_deal_of_28_tiles() -> None:
    contest = Contest(seed=4)
    deals = [contest.deal(series, hand) for series in range(10) for hand in range(1, 11)]
    assert all(sorted(deal.order) == sorted(NAMES) for deal in deals)
    assert len({deal.order for deal in deals}) == 100
    assert Contest(seed=5).deal(0, 1) != contest.deal(0, 1)


def test_every_tile_comes_to_every_place_about_equally_often() -> None:
    """2,800 deals; each tile is expected 100 times at the top, and 60 or 145 would be a wonder."""
    contest = Contest(seed=9)
    first = [contest.deal(series, 1).order[0] for series in range(2800)]
    assert all(60 < first.count(tile) < 145 for tile in NAMES)
    lots = [contest.deal(series, 1).lot for series in range(2800)]
    assert 1250 < lots.count(0) < 1550


def test_a_table_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(InvalidRules):
        Contest(ruleset="five-up", players=5).check()
    Contest(ruleset="five-up", players=4, seating="pairs").check()
