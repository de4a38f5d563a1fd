"""Hundreds of streams while others play; `tests/bench/bench_streams.py` opens two thousand and tells the figures."""

from __future__ import annotations

import pytest

from tests.bench.bench_streams import measure

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def test_four_hundred_streams_miss_nothing_while_others_play() -> None:
    figures = measure(400)
    assert (figures["events missing or twice"], figures["refused"]) == (0, 0)
    assert figures["moves a second"] > 1
    assert figures["events at streams a second"] > 20
    assert figures["KiB a stream"] < 200
