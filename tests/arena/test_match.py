"""Matches: the same every time, fair to both sides, on every table there is."""

from __future__ import annotations

import pytest

from app.arena.contest import Contest
from app.arena.match import Played, play_series
from app.bots import medium
from app.engine.moves import Move
from app.engine.views import SeatView
from tests.arena.casts import EASY, MEDIUM, games_of, ticking
from tests.engine.deals import TABLES, table_name


def told(games: list[Played]) -> list[tuple[object, ...]]:
    return [(game.series, game.place, game.seats, game.scores, game.won, game.hands, game.reason) for game in games]


def test_the_same_seed_plays_the_same_games_in_whatever_order() -> None:
    contest = Contest(games=12, seed=3)
    forwards = told(games_of(contest, MEDIUM, EASY))
    backwards = [
        game
        for series in reversed(range(contest.series))
        for game in play_series(contest, series, (MEDIUM, EASY), ticking())
    ]
    assert sorted(forwards) == sorted(told(backwards))
    assert forwards != told(games_of(Contest(games=12, seed=4), MEDIUM, EASY))


def test_both_games_of_a_series_have_the_same_deals() -> None:
    seen: list[tuple[int, int, tuple[str, ...]]] = []

    def looking(view: SeatView, seed: int) -> Move:
        if not view.history or len(view.history) == 1:
            seen.append((view.hand_number, view.seat, view.holding))
        return medium.choose(view, seed)

    games = games_of(Contest(games=2, seed=8), looking, looking)
    half = len(seen) * games[0].hands // sum(game.hands for game in games)
    first = {(hand, seat): tiles for hand, seat, tiles in seen[:half]}
    both = [first[hand, seat] == tiles for hand, seat, tiles in seen[half:] if (hand, seat) in first]
    assert len(both) >= 8
    assert all(both)


def test_a_player_against_himself_wins_exactly_half() -> None:
    """Medium leaves nothing to chance: the second game of a series is the first with the names changed."""
    for players, seating in ((2, "solo"), (4, "pairs")):
        games = games_of(Contest(players=players, seating=seating, games=20), MEDIUM, MEDIUM)
        assert sum(game.won for game in games) == 10
        assert sum(game.difference for game in games) == 0


def test_one_against_two_wins_a_third_when_all_play_alike() -> None:
    games = games_of(Contest(players=3, ruleset="five-up", games=30), MEDIUM, MEDIUM)
    assert sum(game.won for game in games) == pytest.approx(10)
    assert sum(game.difference for game in games) == pytest.approx(0)


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_every_table_can_be_played(table: tuple[str, int, str]) -> None:
    name, players, seating = table
    games = games_of(Contest(ruleset=name, players=players, seating=seating, games=2), MEDIUM, EASY)
    assert len(games) == (2 if seating == "pairs" else players)
    assert not any(game.marked for game in games)


def test_points_are_announced_for_everybody_on_a_claim_table() -> None:
    claimed = games_of(Contest(ruleset="all-fives-claim", games=6, seed=2), MEDIUM, EASY)
    plain = games_of(Contest(ruleset="all-fives", games=6, seed=2), MEDIUM, EASY)
    assert [game.scores for game in claimed] == [game.scores for game in plain]


def test_whoever_announces_wrongly_loses_the_points_to_a_call() -> None:
    def boasting(view: SeatView, seed: int) -> Move:
        move = medium.choose(view, seed)
        return Move(action=move.action, tile=move.tile, end=move.end, lengthwise=move.lengthwise, announce=5)

    contest = Contest(ruleset="all-fives-claim", games=10)
    boasted = sum(game.difference for game in games_of(contest, boasting, MEDIUM))
    assert boasted < sum(game.difference for game in games_of(contest, MEDIUM, MEDIUM)) - 100
