"""The claim variant (RULES.md): announced points, “Muggins!”, windows, and what must not be told."""

from __future__ import annotations

import pytest

from app.engine.actions import EndGame
from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
)
from app.engine.game import phase, turn
from app.engine.legality import legal_moves
from app.engine.views import layout_view, seat_view
from tests.notation import Sitting, sit

PAIRS = "55 10 | 50 64 | 66 51 | 61 65"


def claim_table(holdings: str = "55 10 20 | 50 64 66", boneyard: str = "", **more: object) -> Sitting:
    return sit(holdings, boneyard, ruleset="all-fives-claim", **more)  # type: ignore[arg-type]


def kinds(sitting: Sitting, words: str) -> list[type]:
    return [type(event) for event in sitting.plays(words)]


def callers(sitting: Sitting) -> list[int]:
    return [
        seat
        for seat in range(sitting.game.players)
        if any(move.action == "muggins" for move in legal_moves(sitting.game, seat))
    ]


def test_exactly_announced_points_are_scored_and_shown() -> None:
    sitting = claim_table()
    played, scored = sitting.plays("55:10")
    assert isinstance(played, TilePlayed)
    assert (played.announce, played.count) == (10, 10)
    assert isinstance(scored, PointsScored)
    assert sitting.scores == (10, 0)
    assert layout_view(sitting.game).count == 10
    assert callers(sitting) == []
    assert sitting.why("1!") == "nothing_to_call"


@pytest.mark.parametrize("words", ["55", "55:5", "55:15", "55:-10", "55:0"])
def test_missing_or_wrong_announcements_score_nothing_and_an_opponent_takes_the_full_points(words: str) -> None:
    sitting = claim_table()
    assert kinds(sitting, words) == [TilePlayed, ClaimOpened]
    assert sitting.scores == (0, 0)
    assert kinds(sitting, "1!") == [ClaimClosed, MugginsCalled, PointsScored]
    assert sitting.scores == (0, 10)
    assert sitting.why("1!") == "nothing_to_call"
    assert sitting.why("0!") == "nothing_to_call"
    assert turn(sitting.game) == 1


def test_what_was_announced_is_public_and_nothing_is_null() -> None:
    for words, announced in [("55:15", 15), ("55:0", None), ("55", None)]:
        played = claim_table().plays(words)[0]
        assert isinstance(played, TilePlayed)
        assert played.announce == announced


def test_a_wrong_announcement_on_a_worthless_play_costs_nothing() -> None:
    sitting = claim_table("61 10 | 60 64")
    assert kinds(sitting, "61:5") == [TilePlayed, ClaimOpened]
    assert kinds(sitting, "60>61.left") == [ClaimClosed, TilePlayed, ClaimOpened]
    assert sitting.scores == (0, 0)


@pytest.mark.parametrize(("lead", "worth"), [("55", 10), ("61", 0), ("61:5", 0), ("00", 0)])
def test_a_miss_and_a_play_worth_nothing_look_the_same(lead: str, worth: int) -> None:
    """No count, no ends, no legal move and no refusal before a call tells the one from the other."""
    sitting = claim_table("55 61 00 | 50 64 66")
    events = sitting.plays(lead)
    assert [type(event) for event in events] == [TilePlayed, ClaimOpened]
    played = events[0]
    assert isinstance(played, TilePlayed)
    view = layout_view(sitting.game)
    assert (played.count, played.ends) == (None, view.ends)
    assert view.count is None
    assert {end.counts for end in view.ends} == {None}
    assert callers(sitting) == [1]
    assert sitting.game.hand is not None
    assert sitting.game.hand.window is not None
    assert sitting.game.hand.window.missed == worth
    assert not hasattr(seat_view(sitting.game, 1).window, "missed")


def test_the_closing_makes_count_and_miss_public_and_comes_first() -> None:
    sitting = claim_table()
    sitting.plays("55")
    closed, *rest = sitting.plays("50>55.left:10")
    assert isinstance(closed, ClaimClosed)
    assert (closed.seat, closed.count, closed.missed, closed.taken_by) == (0, 10, 10, None)
    assert sum(end.counts or 0 for end in closed.ends) == 10
    assert [type(event) for event in rest] == [TilePlayed, PointsScored]
    assert layout_view(sitting.game).count == 10


def test_a_call_names_who_took_the_points() -> None:
    sitting = claim_table()
    sitting.plays("55")
    closed, called, scored = sitting.plays("1!")
    assert isinstance(closed, ClaimClosed)
    assert (closed.missed, closed.taken_by) == (10, 1)
    assert isinstance(called, MugginsCalled)
    assert (called.seat, called.points) == (1, 10)
    assert isinstance(scored, PointsScored)
    assert (scored.side, scored.seat, scored.reason) == (1, 1, "muggins")


def test_a_draw_and_a_pass_close_the_window_too() -> None:
    sitting = claim_table("66 61 60 | 54 32 20", "11 62")
    sitting.plays("66")
    assert kinds(sitting, "draw") == [ClaimClosed, TilesDrawn]
    assert sitting.why("1!") == "nothing_to_call"
    passing = claim_table("66 61 60 | 54 32 20", "11")
    passing.plays("66")
    assert kinds(passing, "draw") == [ClaimClosed, TilesDrawn]
    passing.plays("pass")
    assert turn(passing.game) == 0


def test_partners_do_not_call_and_the_first_opponent_takes_all() -> None:
    sitting = claim_table(PAIRS)
    sitting.plays("55")
    assert callers(sitting) == [1, 3]
    assert sitting.why("2!") == "nothing_to_call"
    assert sitting.why("0!") == "nothing_to_call"
    sitting.plays("3!")
    assert sitting.scores == (0, 10)
    assert sitting.why("1!") == "nothing_to_call"


def test_the_seat_on_turn_may_call_and_then_play() -> None:
    sitting = claim_table()
    sitting.plays("55")
    assert [move.action for move in legal_moves(sitting.game, 1)] == ["play", "play", "muggins"]
    sitting.plays("1! 50>55.left:10")
    assert sitting.scores == (0, 20)


def test_legal_plays_carry_no_count_and_no_points() -> None:
    sitting = claim_table()
    assert {(move.count, move.points) for move in legal_moves(sitting.game, 0)} == {(None, None)}


def test_a_call_with_nothing_to_take_is_refused_and_changes_nothing() -> None:
    sitting = claim_table("61 10 | 60 64")
    sitting.plays("61")
    assert sitting.why("1!") == "nothing_to_call"
    assert callers(sitting) == [1]


def test_a_wrong_call_costs_where_that_is_set_and_each_seat_calls_once() -> None:
    sitting = claim_table("61 10 | 60 64 | 11 22 | 33 44", house_rules={"wrong_call_costs": 5})
    sitting.plays("61")
    called, scored = sitting.plays("1!")
    assert isinstance(called, MugginsCalled)
    assert called.points == -5
    assert isinstance(scored, PointsScored)
    assert sitting.scores == (0, -5)
    assert sitting.why("1!") == "already_called"
    assert callers(sitting) == [3]
    sitting.plays("3!")
    assert sitting.scores == (0, -10)
    assert layout_view(sitting.game).count is None
    assert seat_view(sitting.game, 0).window.called == (1, 3)  # type: ignore[union-attr]


def test_after_the_last_play_only_calls_are_accepted() -> None:
    sitting = claim_table("64 | 65 20")
    assert kinds(sitting, "64") == [TilePlayed, ClaimOpened]
    assert phase(sitting.game) == "claim"
    assert turn(sitting.game) is None
    assert sitting.why("65>64.left", seat=1) == "hand_over"
    assert sitting.why("draw", seat=1) == "hand_over"
    assert callers(sitting) == [1]
    assert kinds(sitting, "1!") == [ClaimClosed, MugginsCalled, PointsScored, HandEnded, PointsScored]
    assert sitting.scores == (15, 10)


def test_the_window_after_the_last_play_runs_out() -> None:
    sitting = claim_table("64 | 65 20")
    sitting.plays("64")
    closed, ended, _ = sitting.plays("close")
    assert isinstance(closed, ClaimClosed)
    assert (closed.missed, closed.taken_by) == (10, None)
    assert isinstance(ended, HandEnded)
    assert sitting.scores == (15, 0)


@pytest.mark.parametrize("lead", ["64:10", "61", "64"])
def test_every_last_play_waits_whether_points_were_missed_or_not(lead: str) -> None:
    sitting = claim_table(f"{lead[:2]} | 65 20")
    assert kinds(sitting, lead)[-1] is ClaimOpened
    assert phase(sitting.game) == "claim"
    assert layout_view(sitting.game).count == (10 if ":" in lead else None)
    assert callers(sitting) == [1]
    sitting.plays("close")
    assert phase(sitting.game) == "over"


def test_a_last_play_that_blocks_waits_too() -> None:
    sitting = claim_table("66 10 | 54 32", house_rules={"drawing": False})
    sitting.plays("66")
    assert phase(sitting.game) == "claim"
    sitting.plays("close")
    assert sitting.hand_end.reason == "blocked"


def test_a_draw_that_ends_the_hand_does_not_wait() -> None:
    sitting = claim_table("66 10 | 54 32", "11")
    sitting.plays("66")
    assert kinds(sitting, "draw") == [ClaimClosed, TilesDrawn, HandEnded, PointsScored]


def test_points_that_reach_the_target_do_not_wait() -> None:
    sitting = claim_table("64 | 65 20", house_rules={"target_points": 10})
    assert kinds(sitting, "64:10") == [TilePlayed, PointsScored, HandEnded, GameEnded]


def test_called_points_can_reach_the_target_and_the_hands_end_is_not_added() -> None:
    sitting = claim_table("64 | 65 20", house_rules={"target_points": 10})
    sitting.plays("64")
    assert kinds(sitting, "1!") == [ClaimClosed, MugginsCalled, PointsScored, HandEnded, GameEnded]
    assert sitting.hand_end.reason == "target"
    assert sitting.scores == (0, 10)


def test_a_wrong_call_does_not_close_the_last_window() -> None:
    sitting = claim_table("61 | 65 20", house_rules={"wrong_call_costs": 5})
    sitting.plays("61 1!")
    assert phase(sitting.game) == "claim"
    assert callers(sitting) == []
    sitting.plays("close")
    assert sitting.scores == (15, -5)


def test_hand_end_points_need_no_announcement() -> None:
    sitting = claim_table("61 | 65 20")
    sitting.plays("61 close")
    assert sitting.scores == (15, 0)


def test_only_a_last_window_can_run_out() -> None:
    sitting = claim_table()
    assert sitting.why("close") == "nothing_to_call"
    sitting.plays("55")
    assert sitting.why("close") == "nothing_to_call"


def test_a_game_that_is_stopped_closes_the_window_first() -> None:
    sitting = claim_table()
    sitting.plays("55")
    assert [type(event) for event in sitting.act(EndGame(reason="abandoned"))] == [ClaimClosed, GameEnded]


def test_nobody_calls_at_other_tables() -> None:
    sitting = sit("55 10 | 50 64")
    sitting.plays("55:5")
    assert sitting.scores == (10, 0)
    assert sitting.why("1!") == "nothing_to_call"
    assert sitting.game.past[-1].announce is None  # type: ignore[union-attr]
