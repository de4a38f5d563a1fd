"""A contest as a picture: how the mean difference settled, and how the differences are spread."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import floor, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.arena.match import Played
from app.arena.statistics import FEW, Summary, running
from app.cli.errors import CannotStartError
from app.cli.scoreboard import percent, signed, warning

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.typing import RcKeyType

KINDS = (".svg", ".png")
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 100_000)
MOST_BARS = 30
INK, FOR, AGAINST, FAINT = "#22313f", "#1f7a5c", "#b5533c", "#d9dee2"


def check_chart(file: Path) -> None:
    """Whether such a chart can be drawn, before hours are spent on the games. Raises: CannotStartError."""
    if file.suffix.lower() not in KINDS:
        raise CannotStartError(f"--chart {file}: the name of a chart ends in {' or '.join(KINDS)}")
    try:
        import_module("matplotlib")
    except ImportError:
        raise CannotStartError(
            "--chart needs matplotlib: pip install matplotlib, or the extra `chart` of this package"
        ) from None


def draw_chart(
    file: Path, title: str, names: tuple[str, str], series: Sequence[Sequence[Played]], found: Summary
) -> None:
    """Draw the chart of a contest into a file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    means = [sum(game.difference for game in games) / len(games) for games in series]
    # The same games make the same file: no date, no random ids.
    style: dict[RcKeyType, object] = {
        "svg.hashsalt": "allfives",
        "text.parse_math": False,
        "font.size": 9,
        "text.color": INK,
        "axes.edgecolor": FAINT,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(9.6, 4.2), layout="constrained")
        settled, spread = figure.subplots(1, 2, width_ratios=(3, 2))
        figure.suptitle(title, fontsize=11, fontweight="bold", x=0.01, ha="left")
        _settling(settled, names, means, found)
        _spread(spread, names, means, found)
        figure.savefig(file, dpi=160, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _settling(axes: Axes, names: tuple[str, str], means: Sequence[float], found: Summary) -> None:
    settling, mean = running(means), found.difference.mean
    numbers = range(1, len(means) + 1)
    color = FOR if mean >= 0 else AGAINST
    # In a long contest the first few would squeeze all the rest.
    shown = slice(min(FEW - 1, len(means) // FEW), None)
    axes.plot(numbers[shown], [estimate.mean for estimate in settling[shown]], color=color, linewidth=1.6)
    certain = slice(FEW - 1, None)
    axes.fill_between(
        numbers[certain],
        [estimate.low for estimate in settling[certain]],
        [estimate.high for estimate in settling[certain]],
        color=color,
        alpha=0.18,
        linewidth=0,
    )
    axes.plot(numbers[-1:], [mean], color=color, marker="o", markersize=4)
    if isfinite(found.difference.low):
        ends = [[mean - found.difference.low], [found.difference.high - mean]]
        axes.errorbar(numbers[-1:], [mean], ends, color=color, linewidth=1, capsize=3)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_title(f"{names[0]}: {signed(found.difference)} points a game", loc="left", fontsize=9)
    axes.set_xlabel("series played")
    axes.set_ylabel("mean point difference so far")
    axes.locator_params(axis="x", integer=True, min_n_ticks=1)
    _plain(axes)


def _spread(axes: Axes, names: tuple[str, str], means: Sequence[float], found: Summary) -> None:
    # Whole steps from 0, so that no bar holds series of both.
    step = next(step for step in STEPS if (max(means) - min(means)) / step <= MOST_BARS)
    edges = [step * place for place in range(floor(min(means) / step), floor(max(means) / step) + 2)]
    _, _, bars = axes.hist(means, edges, edgecolor="white", linewidth=0.6)
    for edge, bar in zip(edges, cast("BarContainer", bars), strict=False):
        bar.set_facecolor(FOR if edge >= 0 else AGAINST)
    axes.axvline(0, color=INK, linewidth=0.8)
    # The half is too narrow for both in one line.
    won = f"won {percent(found.share)}{warning(found)}".replace("; ", "\n")
    axes.set_title(won, loc="left", fontsize=9)
    axes.set_xlabel(f"point difference of a series ({names[0]} ahead: right)")
    axes.set_ylabel("series")
    axes.locator_params(axis="y", integer=True, min_n_ticks=1)
    _plain(axes)


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
