"""A turn (RULES.md, "A turn"): playing, drawing, passing, and a block seen at once."""

from __future__ import annotations

from app.engine.events import HandEnded, TilePlayed, TilesDrawn, TurnPassed
from app.engine.game import phase, turn
from app.engine.legality import legal_moves
from tests.notation import Sitting, sit

P_DRAW = (
    "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30",
    "50 40 32 64 10 41 42 43 51 52 53 54 60 65",
)
P_BLOCK = (
    "66 50 51 52 53 54 55 | 00 11 22 33 44 10 20",
    "21 30 31 32 40 41 42 43 60 61 62 63 64 65",
)


def offered(sitting: Sitting, seat: int) -> list[str]:
    return [move.action if move.tile is None else f"{move.tile}>{move.end}" for move in legal_moves(sitting.game, seat)]


def drawn(sitting: Sitting) -> TilesDrawn:
    return next(event for event in reversed(sitting.log) if isinstance(event, TilesDrawn))


def test_a_draw_takes_tiles_until_one_fits_as_one_action() -> None:
    sitting = sit(*P_DRAW)
    sitting.plays("66")
    assert offered(sitting, 1) == ["draw"]
    sitting.plays("draw")
    assert (drawn(sitting).number, drawn(sitting).tiles, drawn(sitting).boneyard) == (4, ("50", "40", "32", "64"), 10)


def test_a_drawn_tile_that_fits_is_played_in_the_same_turn_at_an_end_of_choice() -> None:
    sitting = sit(*P_DRAW)
    sitting.plays("66 draw")
    assert turn(sitting.game) == 1
    assert offered(sitting, 1) == ["64>66.left", "64>66.right"]
    assert sitting.why("draw") == "must_play_drawn_tile"
    assert sitting.why("50>66.left") == "must_play_drawn_tile"
    sitting.plays("64>66.right")
    assert turn(sitting.game) == 0


def test_who_holds_a_tile_that_fits_neither_draws_nor_passes() -> None:
    sitting = sit("55 10 | 50 66", "11 22")
    sitting.plays("55")
    assert offered(sitting, 1) == ["50>55.left", "50>55.right"]
    assert sitting.why("draw") == "must_play"
    assert sitting.why("pass") == "must_play"


def test_a_pass_needs_an_empty_boneyard() -> None:
    sitting = sit("66 10 60 | 54 32", "11 22")
    sitting.plays("66")
    assert sitting.why("pass") == "must_draw"
    sitting.plays("draw")
    assert (drawn(sitting).number, drawn(sitting).boneyard) == (2, 0)
    assert offered(sitting, 1) == ["pass"]
    assert sitting.why("draw") == "nothing_to_draw"
    assert [type(event) for event in sitting.plays("pass")] == [TurnPassed]
    assert turn(sitting.game) == 0


def test_kept_tiles_stay_in_the_boneyard() -> None:
    sitting = sit("66 10 60 | 54 32", "11 22 61 62", house_rules={"boneyard_keep": 2})
    sitting.plays("66 draw")
    assert (drawn(sitting).number, drawn(sitting).boneyard) == (2, 2)
    assert sitting.refusal("draw").code == "nothing_to_draw"
    assert "2" in str(sitting.refusal("draw"))
    assert offered(sitting, 1) == ["pass"]


def test_without_drawing_a_seat_passes_beside_a_full_boneyard() -> None:
    sitting = sit("66 60 | 54 32", "61 62", ruleset="block")
    sitting.plays("66")
    assert offered(sitting, 1) == ["pass"]
    assert sitting.why("draw") == "nothing_to_draw"


def test_a_block_is_seen_at_once_without_a_round_of_passes() -> None:
    sitting = sit(*P_BLOCK, ruleset="block", house_rules={"first_lead": "lot"})
    events = sitting.plays("66")
    assert [event.reason for event in events if isinstance(event, HandEnded)] == ["blocked"]
    assert not any(isinstance(event, TurnPassed) for event in sitting.log)
    assert phase(sitting.game) == "over"
    assert turn(sitting.game) is None


def test_the_mover_too_can_keep_a_hand_from_being_blocked() -> None:
    sitting = sit("66 60 | 54 32", ruleset="block")
    sitting.plays("66")
    assert phase(sitting.game) == "playing"
    sitting.plays("pass")
    assert turn(sitting.game) == 0


def test_a_block_is_seen_right_after_a_last_draw() -> None:
    sitting = sit("66 10 | 54 32", "11 22")
    sitting.plays("66")
    assert phase(sitting.game) == "playing"
    events = sitting.plays("draw")
    assert [type(event) for event in events][:2] == [TilesDrawn, HandEnded]
    assert sitting.hand_end.reason == "blocked"
    assert sitting.hand_end.seat == 0


def test_a_block_is_seen_when_only_the_kept_tiles_are_left() -> None:
    sitting = sit("66 10 | 54 32", "11 60", house_rules={"boneyard_keep": 1})
    sitting.plays("66 draw")
    assert sitting.hand_end.reason == "blocked"
    assert sitting.hand_end.boneyard == ("60",)


def test_dead_ends_with_tiles_left_are_no_block_and_the_next_player_draws_them_all() -> None:
    sitting = sit("66 10 61 | 54 32", "11 22 33")
    sitting.plays("66")
    assert phase(sitting.game) == "playing"
    assert offered(sitting, 1) == ["draw"]
    sitting.plays("draw pass")
    assert drawn(sitting).number == 3
    assert turn(sitting.game) == 0


def test_a_drawn_last_tile_that_fits_is_played() -> None:
    sitting = sit("66 10 | 54 32", "11 60")
    sitting.plays("66 draw")
    assert phase(sitting.game) == "playing"
    assert offered(sitting, 1) == ["60>66.left", "60>66.right"]


def test_the_turn_goes_clockwise_or_the_other_way() -> None:
    holdings = "66 60 | 61 22 | 62 44 | 63 33"
    clockwise = sit(holdings, house_rules={"deal": {"4": 2}})
    clockwise.plays("66")
    assert turn(clockwise.game) == 1
    other_way = sit(holdings, ruleset="all-fives-latin")
    other_way.plays("66")
    assert turn(other_way.game) == 3


def test_a_player_with_two_fitting_ends_chooses() -> None:
    sitting = sit("65 10 | 60 50 22")
    sitting.plays("65")
    assert offered(sitting, 1) == ["60>65.left", "50>65.right"]


def test_only_the_layer_of_the_first_double_chooses_how_it_lies() -> None:
    sitting = sit("64 66 22 | 44 60 42", ruleset="sniff", leader=0)
    sitting.plays("64")
    lengthwise = [(move.tile, move.lengthwise, move.points) for move in legal_moves(sitting.game, 1)]
    assert lengthwise == [("60", False, 0), ("44", False, 0), ("44", True, 10), ("42", False, 0)]
    sitting.plays("44>64~")
    assert sitting.scores == (10, 10)
    assert all(not move.lengthwise for move in legal_moves(sitting.game, 0))
    assert sitting.why("66>64~") == "lengthwise_not_allowed"


def test_tiles_may_be_named_either_way_round() -> None:
    sitting = sit("64 10 | 65 66")
    sitting.plays("46")
    (laid, *_) = sitting.plays("56>64.left")
    assert isinstance(laid, TilePlayed)
    assert (laid.tile, laid.end) == ("65", "64.left")
