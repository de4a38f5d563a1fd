"""What a bot does wrong is counted, told and mended; the game goes on."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import pytest
from msgspec.structs import replace

from app.api.schemas import moves
from app.arena.contest import Contest
from app.arena.umpire import CRASH, CUT_OFF, ILLEGAL, Clock, CutOff
from app.bots import medium
from app.bots.announcing import MOST_ANNOUNCED
from app.bots.named import Choose
from app.engine.moves import Move
from app.engine.views import SeatView
from tests.arena.casts import MEDIUM, games_of, ticking

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEST = Contest(games=2, seed=6)
CLAIM = Contest(ruleset="all-fives-claim", games=4, seed=6)


def after(number: int, wrong: Choose) -> Choose:
    """Medium, but for what it does on its first moves after so many tiles were laid."""

    def choose(view: SeatView, seed: int) -> Move:
        return wrong(view, seed) if len(view.history) == number else medium.choose(view, seed)

    return choose


def first(view: SeatView, seed: int) -> Move:
    return view.legal_moves[0]


def crashing(view: SeatView, seed: int) -> Move:
    raise RuntimeError("no idea\nat all")


def leaving(view: SeatView, seed: int) -> Move:
    raise SystemExit(3)


def interrupting(view: SeatView, seed: int) -> Move:
    raise KeyboardInterrupt


def giving_up(view: SeatView, seed: int) -> Move:
    raise GeneratorExit


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise SystemExit(4)


def unspeakable(view: SeatView, seed: int) -> Move:
    raise Unspeakable


def half_a_character(view: SeatView, seed: int) -> Move:
    raise RuntimeError("half of \ud83d")


def announcing(points: int) -> Choose:
    return lambda view, seed: replace(medium.choose(view, seed), announce=points)


def answering(answer: object) -> Choose:
    return lambda view, seed: cast("Move", answer)


WRONG: list[tuple[str, Choose, str]] = [
    (CRASH, crashing, "crash: RuntimeError: no idea at all"),
    (CRASH, leaving, "crash: SystemExit: 3"),
    (CRASH, interrupting, "crash: KeyboardInterrupt"),
    (CRASH, giving_up, "crash: GeneratorExit"),
    (CRASH, unspeakable, "text breaks"),
    (CRASH, half_a_character, "crash: RuntimeError: half of \\ud83d"),
    (ILLEGAL, answering(None), "illegal: NoneType is no Move"),
    (ILLEGAL, answering({"action": "play"}), "illegal: dict is no Move"),
    (ILLEGAL, answering(Move(action="pass")), "illegal: pass is not allowed (must_play"),
    (ILLEGAL, answering(Move(action="play")), "a play names its tile"),
    (ILLEGAL, answering(Move(action="play", tile="99", end="lead")), "play 99 on lead is not allowed (not_in_holding"),
    (ILLEGAL, answering(Move(action="play", tile=cast("Any", 7))), "is not allowed (no move: "),
    (ILLEGAL, answering(Move(action=cast("Any", "think"))), "think is not allowed (no move: "),
    (ILLEGAL, answering(Move(action="play", tile="\ud83d")), "play \\ud83d is not allowed ("),
    (ILLEGAL, answering(Move(action="play", tile=cast("Any", Unspeakable()))), "play is not allowed (no move: "),
    (ILLEGAL, announcing(-5), "is not allowed (no move: 0 to 1000 points can be announced, not -5"),
    (ILLEGAL, announcing(1001), "is not allowed (no move: 0 to 1000 points can be announced, not 1001"),
    (ILLEGAL, answering(Move(action="muggins")), "muggins is not allowed (no move: "),
]


@pytest.mark.parametrize(("fault", "wrong", "words"), WRONG)
def test_a_fault_is_counted_and_told_and_the_first_legal_move_made(fault: str, wrong: Choose, words: str) -> None:
    games = games_of(CONTEST, after(0, wrong), MEDIUM)
    assert [game.scores for game in games] == [game.scores for game in games_of(CONTEST, after(0, first), MEDIUM)]
    assert [game.scores for game in games] != [game.scores for game in games_of(CONTEST, MEDIUM, MEDIUM)]
    for game in games:
        mine, theirs = game.conduct
        assert mine.faults[fault] == sum(mine.faults.values()) > 0
        assert words in mine.notes[0]
        assert mine.notes[0].encode()
        assert re.match(r"hand \d+, seat [01]: ", mine.notes[0])
        assert game.marked
        assert not theirs.faulty


def test_points_are_announced_for_a_move_made_in_a_broken_bots_place() -> None:
    broken, plain = (games_of(CLAIM, one, MEDIUM) for one in (crashing, first))
    assert [game.scores for game in broken] == [game.scores for game in plain]
    assert any(sum(game.scores) for game in broken)


def test_a_move_that_is_cut_off_is_counted_and_the_first_legal_move_made() -> None:
    @contextmanager
    def at_once() -> Iterator[None]:
        yield
        raise CutOff

    @contextmanager
    def never() -> Iterator[None]:
        yield

    guards = iter([never, never, at_once])

    def guard(player: int) -> AbstractContextManager[None]:
        return next(guards, never)()

    clock = Clock(lambda: 0.0, lambda: 0.0, guard=guard)
    games = games_of(CONTEST, MEDIUM, MEDIUM, clock)
    assert [sum(one.faults[CUT_OFF] for one in game.conduct) for game in games] == [1, 0]
    assert [game.marked for game in games] == [True, False]
    asked = count()

    def third_is_first(view: SeatView, seed: int) -> Move:
        return first(view, seed) if next(asked) == 2 else medium.choose(view, seed)

    expected = [game.scores for game in games_of(CONTEST, third_is_first, third_is_first)]
    assert [game.scores for game in games] == expected
    assert expected != [game.scores for game in games_of(CONTEST, MEDIUM, MEDIUM)]


def test_announcing_as_much_as_the_api_takes_is_no_fault() -> None:
    assert MOST_ANNOUNCED == moves.MOST_ANNOUNCED
    for points in (0, MOST_ANNOUNCED):
        assert not any(game.marked for game in games_of(CLAIM, announcing(points), MEDIUM))


def test_nobody_is_shown_a_call_nor_may_make_one_for_calls_are_made_for_all() -> None:
    shown: list[Move] = []

    def silent(view: SeatView, seed: int) -> Move:
        shown.extend(view.legal_moves)
        return replace(medium.choose(view, seed), announce=0)

    games_of(CLAIM, silent, silent)
    assert {move.action for move in shown} >= {"play", "draw"}
    assert "muggins" not in {move.action for move in shown}
    for game in games_of(CLAIM, after(3, answering(Move(action="muggins"))), MEDIUM):
        assert game.conduct[0].faults[ILLEGAL] > 0


def test_a_slow_move_is_counted_and_stands() -> None:
    for step, slow in ((0.9, False), (1.1, True)):
        for game in games_of(CONTEST, MEDIUM, MEDIUM, ticking(step)):
            assert all(one.slow == (one.moves if slow else 0) for one in game.conduct)
            assert not game.marked
            assert all(second == pytest.approx(step) for one in game.conduct for second in one.seconds)


def test_only_moves_that_left_a_choice_are_timed() -> None:
    choices = 0

    def counting(view: SeatView, seed: int) -> Move:
        nonlocal choices
        choices += len(view.legal_moves) > 1
        return medium.choose(view, seed)

    games = games_of(CONTEST, counting, MEDIUM)
    assert sum(len(game.conduct[0].seconds) for game in games) == choices
    assert choices < sum(game.conduct[0].moves for game in games)
