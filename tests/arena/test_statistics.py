"""What the games prove: shares, differences, and intervals that hold what they promise."""

from __future__ import annotations

import random

import pytest

from app.arena import statistics
from app.arena.contest import Contest
from app.arena.statistics import MOST_DRAWN, RESAMPLES, bootstrapped, running, summary, whole_series
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


def test_a_series_counts_once_however_many_games_it_has() -> None:
    """Games with the same deals are not independent: the interval comes from the series, not from the games."""
    contest = Contest(games=40)
    found = summary(whole_series(contest, games_of(contest, MEDIUM, MEDIUM)))
    assert (found.share.low, found.share.mean, found.share.high) == (0.5, 0.5, 0.5)
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
