"""What the games prove: shares, differences, and intervals that hold what they promise."""

from __future__ import annotations

import random
from math import comb, inf

import pytest

from app.arena import statistics
from app.arena.contest import Contest
from app.arena.statistics import (
    FEW,
    MOST_DRAWN,
    RESAMPLES,
    bootstrapped,
    difference,
    running,
    share,
    summary,
    whole_series,
)
from app.bots.chance import Dice
from tests.arena.casts import EASY, MEDIUM, games_of


def test_an_interval_holds_the_true_mean_nineteen_times_in_twenty() -> None:
    """60 samples: about 57 intervals hold it; fewer than 50, or none that misses, would be a wonder."""
    rng = random.Random(1)
    held = 0
    for number in range(60):
        estimate = bootstrapped([rng.gauss(3.0, 10.0) for _ in range(40)], seed=number)
        held += estimate.low <= 3.0 <= estimate.high
    assert 50 <= held < 60


def test_an_interval_is_as_wide_as_the_spread_says() -> None:
    rng = random.Random(2)
    values = [float(rng.random() < 0.3) for _ in range(400)]
    estimate = bootstrapped(values)
    assert estimate.mean == pytest.approx(sum(values) / 400)
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * (0.21 / 400) ** 0.5, rel=0.15)


def test_a_long_contest_is_drawn_in_groups_and_its_interval_is_as_wide_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    values = [rng.gauss(3.0, 10.0) for _ in range(30_001)]
    drawn = 0

    class Counting(Dice):
        def below(self, most: int) -> int:
            nonlocal drawn
            drawn += 1
            return super().below(most)

    monkeypatch.setattr(statistics, "Dice", Counting)
    estimate = bootstrapped(values)
    assert drawn <= RESAMPLES * MOST_DRAWN
    assert estimate.mean == pytest.approx(sum(values) / len(values))
    margin = 1.96 * 10 / len(values) ** 0.5
    assert (estimate.low, estimate.high) == pytest.approx(
        (estimate.mean - margin, estimate.mean + margin), abs=margin / 7
    )


@pytest.mark.parametrize("series", [3, 10, 30])
def test_an_interval_of_few_shares_holds_the_true_one_nineteen_times_in_twenty(series: int) -> None:
    """Reckoned exactly: how likely every number of series won is, and whether its interval holds the true share."""
    intervals = [share([1.0] * won + [0.0] * (series - won)) for won in range(series + 1)]
    held = [
        sum(
            comb(series, won) * true**won * (1 - true) ** (series - won)
            for won, found in enumerate(intervals)
            if found.low <= true <= found.high
        )
        for true in (hundredth / 100 for hundredth in range(1, 100))
    ]
    assert min(held) > 0.8
    assert sum(held) / len(held) > 0.94


@pytest.mark.parametrize("series", [1, 2, 4, 19, 20, 300])
@pytest.mark.parametrize("all_won", [0.0, 0.5, 1.0])
def test_a_share_has_an_interval_with_width_even_if_all_series_agree(all_won: float, series: int) -> None:
    found = share([all_won] * series)
    assert found.mean == all_won
    assert found.low <= found.mean <= found.high
    assert found.high - found.low > 1 / series / 2
    if all_won == 1.0 and series >= 20:
        assert 1 - found.low == pytest.approx(3 / series, rel=0.1)


def test_the_two_series_that_were_not_played_change_nothing_where_many_were() -> None:
    rng = random.Random(5)
    values = [float(rng.random() < 0.7) for _ in range(1500)]
    one, other = share(values), bootstrapped(values)
    assert one.mean == other.mean
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.003)


def test_of_a_difference_nothing_is_told_where_the_series_are_few_or_all_alike() -> None:
    rng = random.Random(6)
    values = [rng.gauss(3.0, 10.0) for _ in range(FEW)]
    assert difference(values) == bootstrapped(values)
    for untold in (values[1:], values[:1], [5.0] * 500):
        found = difference(untold)
        assert (found.low, found.high) == (-inf, inf)
        assert found.mean == pytest.approx(sum(untold) / len(untold))


def test_a_series_counts_once_however_many_games_it_has() -> None:
    """Games with the same deals are not independent: the interval comes from the series, not from the games."""
    contest = Contest(games=40)
    found = summary(whole_series(contest, games_of(contest, MEDIUM, MEDIUM)))
    assert found.share == share([0.5] * 20)
    assert found.wins + found.draws + found.losses == found.games == 40


def test_a_series_that_was_broken_off_is_left_out() -> None:
    contest = Contest(games=6)
    games = games_of(contest, MEDIUM, EASY)
    assert [len(series) for series in whole_series(contest, reversed(games))] == [2, 2, 2]
    assert [series[0].series for series in whole_series(contest, games[1:])] == [1, 2]
    with pytest.raises(ValueError, match="no series"):
        summary(whole_series(contest, games[:1]))


def test_the_running_mean_ends_at_the_mean() -> None:
    rng = random.Random(3)
    values = [rng.gauss(0, 5) for _ in range(200)]
    last = running(values)[-1]
    whole = bootstrapped(values)
    assert last.mean == pytest.approx(whole.mean)
    assert last.low == pytest.approx(whole.low, abs=0.15)
    assert last.high == pytest.approx(whole.high, abs=0.15)
