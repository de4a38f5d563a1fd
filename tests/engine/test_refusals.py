"""Refusals (API.md's rule codes): each says what would be right, and nothing the asking seat may not know."""

from __future__ import annotations

import pytest

from app.engine.actions import Deal, Draw, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.evolve import evolve
from app.engine.game import new_game
from app.engine.tiles import NAMES
from app.engine.turns import decide
from tests.notation import Sitting, sit


def middle() -> Sitting:
    """Seat 0 is on turn; 55 is a spinner with one long side covered; open: 55.right, 50.right."""
    sitting = sit("55 52 64 66 10 | 50 53 60 33", "11 22")
    sitting.plays("55 50>55.left")
    return sitting


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("53>55.right", "not_in_holding", "You do not hold 53."),
        ("50>55.right", "not_in_holding", "You do not hold 50."),
        ("77", "not_in_holding", "'77' is no tile"),
        ("64>55.right", "does_not_fit", "64 has no 5, which 55.right shows; it fits none of the open ends."),
        ("10>55.right", "does_not_fit", "it fits 50.right"),
        ("66", "does_not_fit", "66 fits none of the open ends."),
        ("52>55.left", "end_closed", "55.left is not an open end; open now: 55.right, 50.right."),
        ("52>55.up", "end_closed", "55.up opens when both long sides of its spinner are covered"),
        ("52>lead.", "end_closed", "is not an open end"),
        ("52>31.left", "end_closed", "31.left is not an open end"),
        ("52", "end_required", "Name the end for 52: 55.right."),
        ("52>55.right~", "lengthwise_not_allowed", "No tile is laid lengthwise by these rules."),
        ("draw", "must_play", "You hold a tile that fits"),
        ("pass", "must_play", "You hold a tile that fits"),
        ("1!", "nothing_to_call", "no play to call"),
    ],
)
def test_a_refusal_has_its_code_and_says_what_would_be_right(words: str, code: str, says: str) -> None:
    refusal = middle().refusal(words)
    assert refusal.code == code
    assert says in str(refusal)


def test_the_offending_values_come_as_parameters() -> None:
    assert middle().refusal("10>55.right").params == {"tile": "10", "end": "55.right", "ends": ["50.right"]}
    assert middle().refusal("52>55.up").params == {"end": "55.up", "ends": ["55.right", "50.right"]}
    assert middle().refusal("52").params == {"tile": "52", "ends": ["55.right"]}


@pytest.mark.parametrize("words", ["50>55.right", "66>55.right", "99", "52>55.up", "draw", "pass"])
def test_out_of_turn_a_refusal_tells_only_whose_turn_it_is(words: str) -> None:
    refusal = middle().refusal(words, seat=1)
    assert (refusal.code, str(refusal), refusal.params) == ("not_your_turn", "It is seat 0's turn.", {"turn": 0})


def test_before_the_first_deal_nothing_can_be_played() -> None:
    game = evolve(None, new_game("all-fives", 2))
    for action in (Play(seat=0, tile="55"), Draw(seat=0), Pass(seat=1)):
        with pytest.raises(RuleViolation) as refused:
            decide(game, action)
        assert refused.value.code == "game_not_started"


def test_between_hands_nothing_can_be_played() -> None:
    sitting = sit("61 | 00", house_rules={"deal": {"2": 1}})
    sitting.plays("61")
    for words in ("00", "draw", "pass", "1!", "close"):
        assert sitting.why(words, seat=1) == "hand_over"


def test_a_hand_is_dealt_when_the_last_one_has_ended() -> None:
    with pytest.raises(RuleViolation) as refused:
        decide(middle().game, Deal(order=tuple(NAMES), lot=0))
    assert refused.value.code == "hand_not_finished"


def test_the_lead_goes_on_lead_and_needs_no_end() -> None:
    sitting = sit("55 52 | 50 53")
    assert sitting.why("55>55.left") == "end_closed"
    assert sitting.why("draw") == "must_play"
    assert sitting.why("pass") == "must_play"
    for end in (None, "lead"):
        decide(sitting.game, Play(seat=0, tile="55", end=end))


def test_later_tiles_do_not_go_on_lead() -> None:
    sitting = middle()
    with pytest.raises(RuleViolation) as refused:
        decide(sitting.game, Play(seat=0, tile="52", end="lead"))
    assert refused.value.code == "end_closed"


def test_lengthwise_is_for_the_first_double() -> None:
    ordinary = sit("64 65 | 55 44", ruleset="sniff").refusal("64~")
    assert (ordinary.code, str(ordinary)) == ("lengthwise_not_allowed", "Only a double is laid lengthwise, not 64.")
    later = sit("64 66 | 44 10", ruleset="sniff")
    later.plays("64 44>64~")
    assert later.why("66>64~") == "lengthwise_not_allowed"
    assert "one lies already" in str(later.refusal("66>64~"))


def test_a_seat_that_does_not_exist_is_never_on_turn() -> None:
    with pytest.raises(RuleViolation) as refused:
        decide(middle().game, Draw(seat=7))
    assert refused.value.code == "not_your_turn"
