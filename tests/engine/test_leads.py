"""Who leads (RULES.md, "RuleSet fields" and "Rule sets")."""

from __future__ import annotations

import pytest

from app.engine.actions import Deal, DealScripted
from app.engine.dealing import script
from app.engine.errors import InvalidRules
from app.engine.events import HandDealt
from app.engine.evolve import evolve
from app.engine.game import new_game, turn
from app.engine.legality import legal_moves
from app.engine.rules import rules_for
from app.engine.rulesets import resolve
from app.engine.tiles import NAMES
from app.engine.turns import decide
from tests.notation import Sitting, sit


def next_deal(sitting: Sitting, *, lot: int, order: tuple[str, ...] = tuple(NAMES)) -> HandDealt:
    (dealt,) = sitting.act(Deal(order=order, lot=lot))
    assert isinstance(dealt, HandDealt)
    return dealt


def first_deal(ruleset: str, *, lot: int = 1, **house_rules: object) -> HandDealt:
    (dealt,) = decide(evolve(None, new_game(ruleset, 2, None, house_rules)), Deal(order=tuple(NAMES), lot=lot))
    assert isinstance(dealt, HandDealt)
    return dealt


def test_the_lot_leads_the_first_hand() -> None:
    assert [(first_deal("all-fives", lot=lot).leader, first_deal("all-fives", lot=lot).lead_by) for lot in (0, 1)] == [
        (0, "lot"),
        (1, "lot"),
    ]


def test_the_deal_gives_seat_0_the_first_tiles_and_leaves_the_rest_in_drawing_order() -> None:
    dealt = first_deal("all-fives")
    assert dealt.holdings == (tuple(NAMES[:7]), tuple(NAMES[7:14]))
    assert dealt.boneyard_tiles == tuple(NAMES[14:])
    assert (dealt.tiles_each, dealt.boneyard, dealt.hand) == (7, 14, 1)


def test_the_highest_double_leads_whatever_the_lot_says() -> None:
    dealt = first_deal("all-fives-150", lot=0)
    assert (dealt.leader, dealt.lead_by) == (1, "highest_double")
    assert "33" in (dealt.holdings[1] or ())


def test_its_holder_must_lead_that_very_tile() -> None:
    sitting = sit("64 53 | 11 22", ruleset="all-fives-150")
    assert turn(sitting.game) == 1
    assert [(move.tile, move.end) for move in legal_moves(sitting.game, 1)] == [("22", "lead")]
    refusal = sitting.refusal("11")
    assert (refusal.code, refusal.params["tile"]) == ("must_lead", "22")
    sitting.plays("22")


def test_without_a_double_the_heaviest_tile_leads_and_of_equal_ones_the_higher_half() -> None:
    sitting = sit("54 20 | 63 10", ruleset="draw")
    assert sitting.log[-1].lead_by == "heaviest_tile"  # type: ignore[union-attr]
    assert [move.tile for move in legal_moves(sitting.game, 1)] == ["63"]


def test_the_lightest_deal_still_has_a_heaviest_tile() -> None:
    sitting = sit("10 | 20", ruleset="draw")
    assert [move.tile for move in legal_moves(sitting.game, 1)] == ["20"]


def test_double_blank_is_a_double_too() -> None:
    sitting = sit("65 64 | 00 10", ruleset="draw")
    assert [move.tile for move in legal_moves(sitting.game, 1)] == ["00"]


def test_who_went_out_leads_next_also_with_nothing_scored() -> None:
    sitting = sit("61 | 00", house_rules={"deal": {"2": 1}})
    sitting.plays("61")
    assert sitting.points() == []
    assert sitting.hand_end.winner == 0
    dealt = next_deal(sitting, lot=1)
    assert (dealt.leader, dealt.lead_by) == (0, "went_out")


def test_the_person_who_went_out_leads_not_the_partner() -> None:
    sitting = sit("00 | 11 | 65 | 33", leader=2, house_rules={"deal": {"4": 1}})
    sitting.plays("65")
    dealt = next_deal(sitting, lot=0)
    assert (dealt.leader, dealt.lead_by, dealt.hand) == (2, "went_out", 2)


def test_after_a_block_there_is_a_new_lot() -> None:
    sitting = sit("66 10 | 54 32", house_rules={"deal": {"2": 2}, "drawing": False})
    sitting.plays("66")
    assert sitting.hand_end.reason == "blocked"
    dealt = next_deal(sitting, lot=1)
    assert (dealt.leader, dealt.lead_by) == (1, "lot")


def test_the_highest_double_can_lead_later_hands_only() -> None:
    sitting = sit("61 | 00", house_rules={"deal": {"2": 1}, "next_lead": "highest_double"})
    assert [move.tile for move in legal_moves(sitting.game, 0)] == ["61"]
    sitting.plays("61")
    dealt = next_deal(sitting, lot=0, order=("64", "22", *(name for name in NAMES if name not in ("64", "22"))))
    assert (dealt.leader, dealt.lead_by) == (1, "highest_double")


def test_a_scripted_leader_leads_and_cannot_be_set_against_a_forced_lead() -> None:
    free = evolve(None, new_game("all-fives", 2))
    (dealt,) = decide(free, DealScripted(holdings=(("61",), ("00",)), boneyard=(), leader=1))
    assert isinstance(dealt, HandDealt)
    assert (dealt.leader, dealt.lead_by) == (1, "scripted")
    forced = evolve(None, new_game("draw", 2))
    with pytest.raises(ValueError, match="seat 1 must lead"):
        decide(forced, DealScripted(holdings=(("61",), ("00",)), boneyard=(), leader=0))


def test_a_deal_needs_28_different_tiles() -> None:
    game = evolve(None, new_game("all-fives", 2))
    for order in (NAMES[:27], (*NAMES[:27], "00"), (*NAMES, "00")):
        with pytest.raises(ValueError, match="28 different tiles"):
            decide(game, Deal(order=tuple(order), lot=0))


A = ["61", "66", "11", "62", "63", "21", "31"]
B = ["00", "22", "33", "44", "55", "20", "30"]


def problems(
    holdings: list[list[str]], boneyard: str = "", leader: int | None = 0, ruleset: str = "all-fives"
) -> list[str]:
    rules, seating = resolve(ruleset, 2, None, {})
    try:
        script(rules_for(rules, 2, seating), holdings, boneyard.split(), leader)
    except InvalidRules as refused:
        return [problem.path for problem in refused.problems]
    return []


def test_tiles_not_named_follow_in_the_boneyard() -> None:
    rules, seating = resolve("all-fives", 2, None, {})
    deal = script(rules_for(rules, 2, seating), [A, B], ["50", "04"], 0)
    assert deal.boneyard[:2] == ("50", "40")
    assert sorted([*A, *B, *deal.boneyard]) == sorted(NAMES)


@pytest.mark.parametrize(
    ("holdings", "boneyard", "leader", "paths"),
    [
        ([A, B], "50 40", 0, []),
        ([A, [*B[:6], "66"]], "", 0, ["/practice/holdings/1/6"]),
        ([A, [*B[:6], "77"]], "", 0, ["/practice/holdings/1/6"]),
        ([A, B[:6]], "", 0, ["/practice/holdings/1"]),
        ([A], "", 0, ["/practice/holdings"]),
        ([A, B], "50 61", 0, ["/practice/boneyard/1"]),
        ([A, B], "50 5", 0, ["/practice/boneyard/1"]),
        ([A, B], "", 2, ["/practice/leader"]),
    ],
)
def test_a_bad_practice_deal_is_named_where_it_is_wrong(
    holdings: list[list[str]], boneyard: str, leader: int | None, paths: list[str]
) -> None:
    assert problems(holdings, boneyard, leader) == paths


def test_a_practice_leader_against_a_forced_lead_is_refused() -> None:
    assert problems([A, B], leader=1, ruleset="all-fives-150") == ["/practice/leader"]
    assert problems([A, B], leader=0, ruleset="all-fives-150") == []
    assert problems([A, B], leader=None, ruleset="all-fives-150") == []
