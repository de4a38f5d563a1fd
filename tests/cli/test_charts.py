"""The chart of a contest, whether its series are many or few."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from app.arena.contest import Contest
from app.arena.statistics import FEW, summary, whole_series
from app.cli.charts import draw_chart
from tests.arena.casts import EASY, MEDIUM, games_of


def drawn(series: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Both halves of the chart of so many series, as they are when it is written."""
    figures: list[Figure] = []

    def lay_out(figure: Figure, *_: Any, **__: Any) -> None:
        figure.draw_without_rendering()
        figures.append(figure)

    monkeypatch.setattr(Figure, "savefig", lay_out)
    contest = Contest(games=2 * series)
    played = whole_series(contest, games_of(contest, MEDIUM, EASY))
    draw_chart(Path("chart.png"), "title", ("medium", "easy"), played, summary(played))
    axes: list[Any] = figures[0].axes
    return axes[0], axes[1]


def ticks(axis: Any) -> list[float]:
    low, high = sorted(axis.get_view_interval())
    return [tick for tick in axis.get_majorticklocs() if low <= tick <= high]


@pytest.mark.parametrize("series", [1, 2, 10, FEW - 1])
def test_few_series_are_drawn_from_the_first_on(series: int, monkeypatch: pytest.MonkeyPatch) -> None:
    settled, spread = drawn(series, monkeypatch)
    line, last = settled.lines[:2]
    assert list(line.get_xdata()) == list(range(1, series + 1))
    assert (list(last.get_xdata()), last.get_marker()) == ([series], "o")
    assert [len(path.vertices) for path in settled.collections[0].get_paths()] in ([], [0])
    assert len(settled.collections) == 1
    assert sum(bar.get_height() for bar in spread.patches) == series


@pytest.mark.parametrize("series", [1, 2, 3, 10])
def test_series_are_counted_in_whole_numbers(series: int, monkeypatch: pytest.MonkeyPatch) -> None:
    settled, spread = drawn(series, monkeypatch)
    for axis in (settled.xaxis, spread.yaxis):
        assert ticks(axis)
        assert all(tick == round(tick) for tick in ticks(axis))


def test_an_interval_is_drawn_once_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    settled, _ = drawn(2 * FEW, monkeypatch)
    assert settled.lines[0].get_xdata()[0] == 3
    band = settled.collections[0].get_paths()[0].vertices
    assert (band[:, 0].min(), band[:, 0].max()) == (FEW, 2 * FEW)
    (bar,) = settled.collections[1].get_segments()
    assert bar[0][1] < settled.lines[1].get_ydata()[0] < bar[1][1]
    assert all(isfinite(end) for end in bar[:, 1])
