"""A game's log has every event once and in order, also after the process was killed in the middle of a line."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.moves import Move
from app.engine.views import SeatView, seat_view
from app.kit.bot import Decision
from app.kit.gamelog import GameLog, Troubles, own_folder
from tests.notation import sit


def events(*seqs: int, deals: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return [{"seq": seq, "type": "hand_dealt" if seq in deals else "turn_passed", "seat": 0} for seq in seqs]


def lines(log: GameLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.path.read_text().splitlines()]


def test_events_that_come_twice_are_written_once(tmp_path: Path) -> None:
    with closing(GameLog(tmp_path, "T")) as log:
        log.add(events(1, 2, 3))
        log.add(events(2, 3, 4))
    assert [line["event"]["seq"] for line in lines(log)] == [1, 2, 3, 4]
    assert log.last == 4


def test_the_events_since_the_last_deal_are_at_hand(tmp_path: Path) -> None:
    with closing(GameLog(tmp_path, "T")) as log:
        log.add(events(1, 2))
        assert [event["seq"] for event in log.since_deal] == [1, 2]
        log.add(events(3, 4, 5, 6, deals=(3, 5)))
    assert [event["seq"] for event in log.since_deal] == [5, 6]


def test_it_is_taken_up_where_it_was_cut_off(tmp_path: Path) -> None:
    with closing(GameLog(tmp_path, "T")) as log:
        assert log.is_new
        log.add(events(1, 2, 3, deals=(2,)))
        log.decided(3, Decision(move=Move(action="draw"), seconds=0.1, seed=7))
    with log.path.open("ab") as file:
        file.write(b'{"event":{"seq":4,"ty')
    with closing(GameLog(tmp_path, "T")) as again:
        assert (again.is_new, again.last, [event["seq"] for event in again.since_deal]) == (False, 3, [2, 3])
        again.add(events(3, 4))
    assert [line["event"]["seq"] for line in lines(again) if "event" in line] == [1, 2, 3, 4]
    assert [line["decision"]["version"] for line in lines(again) if "decision" in line] == [3]


def test_it_is_begun_anew_where_the_server_has_forgotten_and_what_was_lost_is_put_aside(tmp_path: Path) -> None:
    with closing(GameLog(tmp_path, "T")) as log:
        log.add(events(1, 2, 3, deals=(2,)))
        log.begin_anew()
        assert (log.is_new, log.last, log.since_deal) == (True, 0, [])
        log.add(events(1, 2, deals=(1,)))
        assert not log.is_new
    assert [line["event"]["seq"] for line in lines(log)] == [1, 2]
    assert len((tmp_path / "T.lost").read_text().splitlines()) == 3


def test_nothing_is_written_once_it_is_closed(tmp_path: Path) -> None:
    log = GameLog(tmp_path, "T")
    log.add(events(1))
    log.close()
    log.add(events(2))
    log.begin_anew()
    assert [line["event"]["seq"] for line in lines(log)] == [1]


def test_each_player_has_a_folder_of_his_own_for_one_process_at_a_time(tmp_path: Path) -> None:
    with own_folder(tmp_path, "P1") as one, own_folder(tmp_path, "P2") as other:
        assert one.is_dir()
        assert other.is_dir()
        assert one != other
        with pytest.raises(BlockingIOError), own_folder(tmp_path, "P1"):
            pass
    with own_folder(tmp_path, "P1") as again:
        assert again == one


def test_a_trouble_holds_the_view_so_that_the_bot_can_be_asked_again(tmp_path: Path) -> None:
    sitting = sit("55 52 | 50 53 66", "10 20", ruleset="all-fives")
    sitting.plays("55")
    view = seat_view(sitting.game, 1)
    decision = Decision(
        move=view.legal_moves[0], seconds=0.1, seed=7, trouble="crash", why="ValueError: no", traceback="line 3"
    )
    troubles = Troubles(tmp_path)
    troubles.add("T", 9, view, decision)
    (line,) = (json.loads(line) for line in troubles.path.read_text().splitlines())
    assert {name: line[name] for name in ("table", "version", "trouble", "why", "traceback", "seed")} == {
        "table": "T",
        "version": 9,
        "trouble": "crash",
        "why": "ValueError: no",
        "traceback": "line 3",
        "seed": 7,
    }
    assert msgspec.convert(line["view"], SeatView) == view
