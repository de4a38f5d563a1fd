"""A bot's move is played as it is, and the first legal one where it cannot be."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.bots.files import UnusableBot
from app.engine.moves import Move
from app.engine.views import SeatView, seat_view
from app.kit.bot import Bot, Decision, legal
from tests.notation import sit


def view(plays: str = "55", seat: int = 1, ruleset: str = "all-fives") -> SeatView:
    """Seat 0 has led 55; seat 1 holds 50, 53 and 66."""
    sitting = sit("55 52 | 50 53 66", "10 20", ruleset=ruleset)
    sitting.plays(plays)
    return seat_view(sitting.game, seat)


def decided(choose: Callable[[SeatView, int], Any], seen: SeatView | None = None) -> Decision:
    decision = Bot("test", choose, seed=1).decide(seen or view(), "T", 5)
    assert decision is not None
    return decision


def test_a_legal_move_is_played() -> None:
    decision = decided(lambda seen, _: seen.legal_moves[-1])
    assert decision.trouble is None
    assert (decision.move.tile, decision.move.end) == ("50", "55.right")


@pytest.mark.parametrize("tile", ["53", "35"])
def test_either_half_of_a_tile_may_come_first_and_counts_do_not_matter(tile: str) -> None:
    decision = decided(lambda *_: Move(action="play", tile=tile, end="55.left", count=99))
    assert (decision.trouble, decision.move.tile, decision.move.count) == (None, "53", 13)


def test_the_lead_needs_no_end() -> None:
    sitting = sit("55 52 | 50 53")
    move = legal(seat_view(sitting.game, 0), Move(action="play", tile="52"))
    assert move is not None
    assert move.end == "lead"


class Spiteful:
    """Whoever looks at it closely comes to grief."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    __bool__ = __eq__ = __hash__ = __str__  # type: ignore[assignment]


SPITEFUL: Any = Spiteful()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "it returned None, which is no Move"),
        ({"action": "play"}, "it returned {'action': 'play'}, which is no Move"),
        ("55\x1b[2J", r"it returned '55\x1b[2J', which is no Move"),
        (list(range(1000)), "it returned [0, 1, 2, 3, 4, 5, ...], which is no Move"),
        (Move(action="draw"), "draw is not allowed"),
        (Move(action="muggins"), "muggins is not allowed"),
        (Move(action="play"), "play is not allowed"),
        (Move(action="play", tile="66", end="55.left"), "play 66 on 55.left is not allowed"),
        (Move(action="play", tile="50", end="55.up"), "play 50 on 55.up is not allowed"),
        (
            Move(action="play", tile="50", end="55.left", lengthwise=True),
            "play 50 on 55.left lengthwise is not allowed",
        ),
        (Move(action="play", tile=50, end=[]), "play 50 on [] is not allowed"),  # type: ignore[arg-type]
        (
            Move(action="play", tile="50", end="55.left", announce="5"),  # type: ignore[arg-type]
            "play 50 on 55.left announcing 5 is not allowed",
        ),
        (
            Move(action="play", tile="50", end="55.left", announce=-5),
            "play 50 on 55.left announcing -5 is not allowed",
        ),
        (
            Move(action="play", tile="50", end="55.left", announce=1001),
            "play 50 on 55.left announcing 1001 is not allowed",
        ),
        (Move(action="play", tile="\ud8005"), "play \\ud8005 is not allowed"),
        (Move(action="play", tile="50", end=SPITEFUL), "play 50 on (its text breaks) is not allowed"),
        (
            Move(action="play", tile="50", end="55.left", lengthwise=SPITEFUL),
            "play 50 on 55.left lengthwise is not allowed",
        ),
        (Move(action=SPITEFUL), "(its text breaks) is not allowed"),
    ],
)
def test_an_illegal_answer_is_told_and_the_first_legal_move_played(answer: object, why: str) -> None:
    decision = decided(lambda *_: answer)
    assert (decision.trouble, decision.why) == ("illegal", why)
    assert decision.move == view().legal_moves[0]


def breaks(seen: SeatView, _: int) -> Move:
    raise LookupError(f"seat {seen.seat} is lost")


def gives_up(*_: object) -> Move:
    raise SystemExit(3)


def is_cancelled(*_: object) -> Move:
    raise asyncio.CancelledError("no time")


def is_interrupted(*_: object) -> Move:
    raise KeyboardInterrupt


def is_colourful(*_: object) -> Move:
    raise ValueError("\x1b[31mred\x1b[0m\x07 \x9b2J")


class Muddle(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def is_muddled(*_: object) -> Move:
    raise Muddle


def is_garbled(*_: object) -> Move:
    raise ValueError("half a \ud83d character")


@pytest.mark.parametrize(
    ("choose", "why"),
    [
        (breaks, "LookupError: seat 1 is lost"),
        (gives_up, "SystemExit: 3"),
        (is_cancelled, "CancelledError: no time"),
        (is_interrupted, "KeyboardInterrupt"),
        (is_colourful, r"ValueError: \x1b[31mred\x1b[0m\x07 \x9b2J"),
        (is_muddled, "Muddle: (its text breaks)"),
        (is_garbled, "ValueError: half a \\ud83d character"),
    ],
)
def test_a_crash_is_told_and_the_first_legal_move_played(choose: Callable[..., Move], why: str) -> None:
    decision = decided(choose)
    assert (decision.trouble, decision.why) == ("crash", why)
    assert decision.traceback is not None
    assert choose.__name__ in decision.traceback
    (decision.why or "").encode()
    decision.traceback.encode()
    assert decision.move == view().legal_moves[0]


def test_points_are_announced_for_a_bot_that_does_not_and_missed_ones_called() -> None:
    """On a claim table 55 is led without a word, and worth ten."""
    silent = view("55:10", ruleset="all-fives-claim")
    decision = decided(lambda seen, _: seen.legal_moves[2], silent)
    assert (decision.move.tile, decision.move.announce) == ("50", 10)
    own = decided(lambda *_: Move(action="play", tile="50", end="55.left", announce=0), silent)
    assert own.move.announce == 0
    missed = view("55", ruleset="all-fives-claim")
    assert decided(breaks, missed).move == Move(action="muggins")


def test_whatever_a_bot_is_offered_on_a_claim_table_it_may_play() -> None:
    """Seat 2 is on turn, and may call as well; calls are made in its place."""
    sitting = sit("65 52 | 51 53 | 40 41 | 66 60", ruleset="all-fives-claim")
    sitting.plays("65 51>65")
    seen = seat_view(sitting.game, 2)
    assert "muggins" in [move.action for move in seen.legal_moves]
    offered: list[SeatView] = []
    decided(lambda shown, _: offered.append(shown), seen)
    assert [move.action for move in offered[0].legal_moves] == ["play"]
    decision = decided(lambda shown, _: shown.legal_moves[-1], seen)
    assert (decision.trouble, decision.move.tile) == (None, "41")
    assert legal(seen, Move(action="muggins")) is None


def test_only_plays_are_announced() -> None:
    """The API takes no announcement with a draw."""
    sitting = sit("55 52 | 66 64", "10 20 30 40", ruleset="all-fives-claim")
    sitting.plays("55:10")
    decision = decided(lambda *_: Move(action="draw", announce=5), seat_view(sitting.game, 1))
    assert (decision.trouble, decision.move) == (None, Move(action="draw"))


def test_a_bot_is_not_asked_when_it_may_only_call_and_there_is_nothing_to_call() -> None:
    sitting = sit("65 52 | 51 53 | 40 41 | 66 60", ruleset="all-fives-claim")
    sitting.plays("65 51>65")
    seen = seat_view(sitting.game, 0)
    assert [move.action for move in seen.legal_moves] == ["muggins"]
    assert Bot("test", breaks, seed=1).decide(seen, "T", 5) is None


def test_the_same_seed_table_and_version_give_the_same_seed_and_others_do_not() -> None:
    def seed(own: int, table: str, version: int) -> int:
        decision = Bot("test", lambda seen, _: seen.legal_moves[0], seed=own).decide(view(), table, version)
        assert decision is not None
        return decision.seed

    assert seed(1, "T", 5) == seed(1, "T", 5)
    assert len({seed(1, "T", 5), seed(2, "T", 5), seed(1, "U", 5), seed(1, "T", 6)}) == 4


def test_one_question_at_a_time() -> None:
    inside: list[int] = []
    most: list[int] = []

    def slow(seen: SeatView, _: int) -> Move:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return seen.legal_moves[0]

    bot, seen = Bot("test", slow, seed=1), view()
    threads = [threading.Thread(target=bot.decide, args=(seen, "T", number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8


def test_a_level_or_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view):\n    return view.legal_moves[0]\n")
    assert Bot.named(str(file), seed=1).name == "mine"
    assert Bot.named("hard", seed=1).name == "hard"
    with pytest.raises(UnusableBot, match="hardest"):
        Bot.named("hardest", seed=1)
