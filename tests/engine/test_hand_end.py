"""End of hand, end of game (RULES.md): who wins, what it brings, and when nothing is added any more."""

from __future__ import annotations

import pytest

from app.engine.actions import Deal, EndGame
from app.engine.errors import RuleViolation
from app.engine.events import GameEnded, HandEnded, PointsScored
from app.engine.game import phase, turn
from app.engine.rules import rules_for
from app.engine.rulesets import RULE_SETS, resolve
from app.engine.scoring import places, settle
from app.engine.tiles import NAMES, parse_tiles
from tests.engine.test_turns import P_BLOCK
from tests.notation import Sitting, sit

P_OUT = "55 52 | 53 66"


def play_out(house_rules: dict[str, object]) -> Sitting:
    sitting = sit(P_OUT, house_rules={"deal": {"2": 2}, **house_rules})
    for word in ("55", "53>55.left", "52>55.right"):
        if not sitting.game.over:
            sitting.plays(word)
    return sitting


def test_going_out_scores_the_last_move_first_and_then_the_hands_end() -> None:
    sitting = play_out({})
    scored = [(e.points, e.reason, e.score) for e in sitting.log if isinstance(e, PointsScored)]
    assert scored == [(10, "play", 10), (5, "play", 15), (10, "hand_end", 25)]
    assert sitting.hand_end.breakdown[1].spots == 12
    assert sitting.hand_end.points == (10, 0)


def test_points_that_reach_the_target_end_the_game_before_the_hands_end_is_added() -> None:
    sitting = play_out({"target": {"2": 15}})
    assert sitting.scores == (15, 0)
    assert sitting.hand_end.reason == "target"
    assert sitting.hand_end.points == (0, 0)
    assert isinstance(sitting.log[-1], GameEnded)
    assert sitting.log[-1].reason == "target"


def test_the_lead_can_end_the_game() -> None:
    sitting = play_out({"target": {"2": 10}})
    assert sitting.scores == (10, 0)
    assert [type(event) for event in sitting.log[-2:]] == [HandEnded, GameEnded]
    assert sitting.game.result is not None
    assert (sitting.game.result.winner, sitting.game.result.places) == (0, (1, 2))
    assert turn(sitting.game) is None
    assert phase(sitting.game) == "over"


@pytest.mark.parametrize("words", ["draw", "pass", "53", "1!", "close"])
def test_nothing_can_be_done_after_the_end(words: str) -> None:
    sitting = play_out({"target": {"2": 10}})
    assert sitting.why(words, seat=1) == "table_finished"
    with pytest.raises(RuleViolation) as refused:
        sitting.act(Deal(order=tuple(NAMES), lot=0))
    assert refused.value.code == "table_finished"


def test_one_point_short_of_the_target_the_game_goes_on() -> None:
    sitting = play_out({"target": {"2": 26}})
    assert sitting.scores == (25, 0)
    assert not sitting.game.over


def test_hand_end_points_can_reach_the_target() -> None:
    sitting = play_out({"target": {"2": 25}})
    assert sitting.hand_end.reason == "went_out"
    assert sitting.game.result is not None
    assert sitting.game.result.reason == "target"


def test_a_blocked_hand_gives_the_winner_exactly_the_others_spots() -> None:
    sitting = sit(*P_BLOCK, ruleset="block")
    sitting.plays("66")
    assert (sitting.hand_end.winner, sitting.hand_end.points, sitting.scores) == (1, (0, 45), (0, 45))


def test_a_blocked_hand_of_all_fives_rounds_them() -> None:
    sitting = sit(*P_BLOCK, house_rules={"drawing": False})
    sitting.plays("66")
    assert (sitting.hand_end.winner, sitting.hand_end.points, sitting.scores) == (1, (0, 45), (0, 45))


def test_points_of_a_pair_go_to_the_pair() -> None:
    sitting = sit("55 66 | 53 11 | 52 00 | 22 33", house_rules={"deal": {"4": 2}})
    running = []
    for word in ("55", "53>55.left", "52>55.right"):
        sitting.plays(word)
        running.append(sitting.scores)
    assert running == [(10, 0), (10, 0), (15, 0)]
    last = sitting.log[-1]
    assert isinstance(last, PointsScored)
    assert (last.seat, last.side) == (2, 0)


def test_a_partners_tiles_bring_the_winners_nothing() -> None:
    sitting = sit("00 | 11 | 65 | 33", leader=2, house_rules={"deal": {"4": 1}})
    sitting.plays("65")
    assert sitting.hand_end.seat == 2
    assert (sitting.hand_end.winner, sitting.hand_end.points) == (0, (10, 0))
    assert [(line.seat, line.spots, line.points) for line in sitting.hand_end.breakdown] == [
        (0, 0, 0),
        (1, 2, 0),
        (2, 0, 0),
        (3, 6, 10),
    ]


def test_a_tie_at_the_last_hand_is_a_draw() -> None:
    sitting = sit("00 | 11", house_rules={"deal": {"2": 1}, "max_hands": 1})
    sitting.plays("00")
    assert sitting.scores == (0, 0)
    assert sitting.hand_end.winner == 0
    assert sitting.game.result is not None
    assert (sitting.game.result.winner, sitting.game.result.reason) == (None, "max_hands")
    assert sitting.game.result.places == (1, 1)


def test_the_highest_score_wins_when_the_hands_are_used_up() -> None:
    sitting = sit("55 | 11", house_rules={"deal": {"2": 1}, "max_hands": 1})
    sitting.plays("55")
    assert sitting.game.result is not None
    assert (sitting.game.result.winner, sitting.game.result.places) == (0, (1, 2))


def test_own_spots_are_subtracted_below_zero_and_a_partners_too() -> None:
    sitting = sit("64 | 65 11 | 66 33 | 20 10", ruleset="muggins-british", seating="pairs")
    sitting.plays("64")
    assert sitting.hand_end.winner == 0
    assert sitting.hand_end.points == (-20, -20)
    assert sitting.scores == (-10, -20)
    assert [(e.side, e.seat, e.points) for e in sitting.log if isinstance(e, PointsScored)] == [
        (0, 0, 10),
        (0, None, -20),
        (1, None, -20),
    ]


def test_own_spots_are_subtracted_after_a_tied_block_too() -> None:
    sitting = sit("66 31 | 40 | 22 00", ruleset="muggins-british")
    sitting.plays("66")
    assert sitting.hand_end.reason == "blocked"
    assert sitting.hand_end.winner is None
    assert sitting.hand_end.points == (-5, -5, -5)


HOLDINGS_LEFT = [
    ("opponents' total, rounded once", {}, "| 20 | 10", 0, (5, 0, 0)),
    ("each opponent rounded first", {"hand_end": "each_opponent"}, "| 20 | 10", 0, (0, 0, 0)),
    ("exact spots", {"round_to": 1}, "| 20 | 10", 0, (3, 0, 0)),
    ("own spots", {"hand_end": "own_subtracted", "max_hands": 9}, "| 62 | 10", 0, (0, -10, 0)),
    ("one point per five", {"points_unit": 5}, "| 62 | 65", 0, (4, 0, 0)),
    ("each opponent per five", {"points_unit": 5, "hand_end": "each_opponent"}, "| 62 | 65", 0, (4, 0, 0)),
    ("blocked: own spots are not taken off", {}, "21 | 11 | 66", None, (0, 15, 0)),
    ("blocked and tied: nobody", {}, "20 | 11 | 66", None, (0, 0, 0)),
    ("blocked and tied: fewer tiles", {"block_tie": "fewer_tiles"}, "10 00 30 | 40 | 66", None, (0, 15, 0)),
    ("blocked and tied in tiles as well", {"block_tie": "fewer_tiles"}, "20 | 11 | 66", None, (0, 0, 0)),
    ("the two highest may be equal", {}, "11 | 65 | 54 20", None, (20, 0, 0)),
]


@pytest.mark.parametrize(
    ("house_rules", "left", "out", "points"), [row[1:] for row in HOLDINGS_LEFT], ids=[row[0] for row in HOLDINGS_LEFT]
)
def test_the_hands_end_brings(
    house_rules: dict[str, object], left: str, out: int | None, points: tuple[int, ...]
) -> None:
    rules, seating = resolve("all-fives-classic", 3, None, house_rules)
    account = settle(rules_for(rules, 3, seating), [parse_tiles(part.split()) for part in left.split("|")], out)
    assert account.points == points


def test_partners_spots_and_tiles_are_added_in_a_block() -> None:
    rules = rules_for(RULE_SETS["all-fives"], 4, "pairs")
    held = [parse_tiles(names.split()) for names in ("10", "20", "64", "30")]
    account = settle(rules, held, None)
    assert (account.winner, account.points) == (1, (0, 10))


def test_a_rounded_total_is_shared_out_line_by_line() -> None:
    rules = rules_for(RULE_SETS["all-fives-classic"], 3, "solo")
    account = settle(rules, [parse_tiles(names.split()) for names in ("", "20", "10")], 0)
    assert account.brought == (0, 0, 5)


def test_equal_scores_share_a_place() -> None:
    assert places([40, 95, 40, 10]) == (2, 1, 2, 4)


@pytest.mark.parametrize(
    ("scores", "present", "winner", "ranked"),
    [
        ((10, 60), (0,), 0, (1, 2)),
        ((10, 60), (1,), 1, (2, 1)),
        ((10, 60), (), None, (2, 1)),
        ((30, 30), (0, 1), None, (1, 1)),
        ((10, 60), (0, 1), 1, (2, 1)),
    ],
)
def test_a_forfeited_game_goes_to_the_best_of_those_who_stayed(
    scores: tuple[int, ...], present: tuple[int, ...], winner: int | None, ranked: tuple[int, ...]
) -> None:
    sitting = sit("61 | 00", scores=scores, house_rules={"deal": {"2": 1}})
    (ended,) = sitting.act(EndGame(reason="forfeit", present=present))
    assert isinstance(ended, GameEnded)
    assert (ended.winner, ended.places, ended.reason) == (winner, ranked, "forfeit")
    assert sitting.game.over


def test_an_abandoned_game_has_no_winner() -> None:
    sitting = sit("61 | 00", scores=(10, 60))
    (ended,) = sitting.act(EndGame(reason="abandoned"))
    assert isinstance(ended, GameEnded)
    assert (ended.winner, ended.scores) == (None, (10, 60))
    assert turn(sitting.game) is None


def test_no_game_is_longer_than_a_thousand_hands() -> None:
    rules, seating = resolve("all-fives", 2, None, {})
    assert rules.max_hands is None
    assert rules_for(rules, 2, seating).max_hands == 1000
