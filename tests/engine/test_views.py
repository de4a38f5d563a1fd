"""What is seen of a game: the layout as API.md shows it, and everything one seat may know."""

from __future__ import annotations

import msgspec
import pytest

from app.engine.evolve import evolve, replay
from app.engine.game import Drew, Laid, new_game, phase, turn
from app.engine.moves import Move
from app.engine.tiles import names_in
from app.engine.views import layout_seen, layout_view, points_on_table, preview, seat_view
from tests.engine.deals import TABLES, played, table_name
from tests.engine.test_turns import P_DRAW
from tests.notation import sit


def test_the_layout_after_a_lead_is_the_one_of_the_api_document() -> None:
    sitting = sit("55 52 | 50 53")
    sitting.plays("55")
    assert msgspec.json.decode(msgspec.json.encode(layout_view(sitting.game))) == {
        "tiles": [
            {
                "tile": "55",
                "seat": 0,
                "end": "lead",
                "left": 5,
                "right": 5,
                "spinner": True,
                "lengthwise": False,
            }
        ],
        "ends": [
            {"end": "55.left", "tile": "55", "number": 5, "kind": "long", "open": True, "counts": 5},
            {"end": "55.right", "tile": "55", "number": 5, "kind": "long", "open": True, "counts": 5},
            {"end": "55.up", "tile": "55", "number": 5, "kind": "short", "open": False, "counts": 0},
            {"end": "55.down", "tile": "55", "number": 5, "kind": "short", "open": False, "counts": 0},
        ],
        "count": 10,
    }


def test_before_the_lead_there_is_no_end_and_no_count() -> None:
    view = layout_view(sit("55 52 | 50 53").game)
    assert (view.tiles, view.ends, view.count) == ((), (), 0)


def test_before_the_first_deal_a_seat_sees_an_empty_table() -> None:
    game = evolve(None, new_game("all-fives", 4))
    view = seat_view(game, 3)
    assert (view.side, view.partner, view.holding, view.legal_moves) == (1, 1, (), ())
    assert (view.phase, view.turn, view.scores, view.target) == (None, None, (0, 0), 200)
    assert (phase(game), turn(game)) == (None, None)


def test_a_seat_sees_its_holding_high_tiles_first_and_how_many_the_others_hold() -> None:
    view = seat_view(sit("50 64 22 | 31 41 | 60", "33 11", ruleset="all-fives-classic").game, 0)
    assert view.holding == ("64", "50", "22")
    assert view.tiles_left == (3, 2, 1)
    assert view.boneyard == 2


def test_a_seat_sees_what_everybody_did() -> None:
    sitting = sit(*P_DRAW)
    sitting.plays("66 draw 64>66.left")
    first, second, third = seat_view(sitting.game, 0).history
    assert first == Laid(0, "66", "lead", 6, 6, False, True, None)
    assert second == Drew(1, 4)
    assert third == Laid(1, "64", "66.left", 6, 4, False, False, None)


def test_there_is_no_such_seat() -> None:
    with pytest.raises(ValueError, match="seats go from 0 to 1"):
        seat_view(sit("55 | 50").game, 2)


def lacks(words: str, holdings: str, boneyard: str, seat: int, **more: object) -> tuple[int, ...]:
    sitting = sit(holdings, boneyard, **more)  # type: ignore[arg-type]
    sitting.plays(words)
    return seat_view(sitting.game, 0).lacks[seat]


def test_a_pass_proves_what_a_seat_does_not_hold() -> None:
    assert lacks("65 pass", "65 60 62 | 44 33", "", 1, house_rules={"drawing": False}) == (5, 6)


def test_a_second_pass_adds_to_what_the_first_proved() -> None:
    words = "65 pass 60>65.left pass"
    assert lacks(words, "65 60 62 10 | 44 33", "", 1, house_rules={"drawing": False}) == (0, 5, 6)


def test_a_drawn_tile_that_fits_proves_nothing_until_it_is_played() -> None:
    holdings, boneyard = "66 61 62 | 00 22 33", "50 40 32 64 10"
    assert lacks("66 draw", holdings, boneyard, 1) == ()
    assert lacks("66 draw 64>66.left", holdings, boneyard, 1) == (6,)


def test_the_last_tile_of_the_boneyard_proves_nothing_until_its_drawer_passes() -> None:
    """Nobody else can see whether it fits."""
    assert lacks("66 draw", "66 61 62 | 00 22 33", "50 40", 1) == ()
    assert lacks("66 draw", "66 61 62 | 00 22 33", "50 60", 1) == ()
    assert lacks("66 draw pass", "66 61 62 | 00 22 33", "50 40", 1) == (6,)


def test_drawn_tiles_undo_what_was_proved_of_other_numbers() -> None:
    sitting = sit("66 63 62 51 | 44 22", "60 55 11 32")
    sitting.plays("66 draw 60>66.left")
    assert seat_view(sitting.game, 0).lacks[1] == (6,)
    sitting.plays("63>66.right draw")
    assert seat_view(sitting.game, 0).lacks[1] == ()
    sitting.plays("32>63.right")
    assert seat_view(sitting.game, 0).lacks[1] == (0, 3, 6)


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_no_seat_ever_holds_what_it_is_proved_to_lack(table: tuple[str, int, str]) -> None:
    proved = 0
    for seed in range(2):
        for sitting in played(*table, {}, seed):
            for seat, numbers in enumerate(seat_view(sitting.game, 0).lacks):
                assert sitting.game.hand is not None
                held = names_in(sitting.game.hand.holdings[seat])
                assert not any(str(number) in tile for tile in held for number in numbers)
                proved += len(numbers)
    assert proved


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_a_player_who_counts_the_table_sees_what_the_engine_knows(table: tuple[str, int, str]) -> None:
    """`layout_seen` lays the tiles again; on claim tables that is how a bot counts what it is not shown."""
    for sitting in played(*table, {}, 7):
        hand = sitting.game.hand
        assert hand is not None
        view = seat_view(sitting.game, 0)
        seen = layout_seen(view)
        assert sorted(seen.ends) == sorted(hand.layout.ends)
        assert seen.count == hand.layout.count
        if hand.window is not None and hand.window.hidden:
            assert points_on_table(view) == hand.window.missed


def test_a_preview_counts_a_play_also_where_legal_moves_do_not() -> None:
    sitting = sit("55 52 | 50 53", ruleset="all-fives-claim")
    assert preview(seat_view(sitting.game, 0), Move(action="play", tile="55", end="lead")) == (10, 10)
    sitting.plays("55:10")
    view = seat_view(sitting.game, 1)
    assert [preview(view, move) for move in view.legal_moves] == [(13, 0), (13, 0), (10, 10), (10, 10)]
    with pytest.raises(ValueError, match="no play on an open end"):
        preview(view, Move(action="draw"))
    with pytest.raises(ValueError, match="no play on an open end"):
        preview(view, Move(action="play", tile="50", end="55.up"))


def test_a_log_begins_with_the_games_start() -> None:
    sitting = sit("55 52 | 50 53")
    sitting.plays("55")
    with pytest.raises(ValueError, match="begins with game_started"):
        evolve(None, sitting.log[-1])
    with pytest.raises(ValueError, match="at least game_started"):
        replay([])
    with pytest.raises(ValueError, match="comes before the first deal"):
        replay([sitting.log[0], sitting.log[-1]])
    with pytest.raises(ValueError, match="is not open"):
        replay([*sitting.log[:2], *sitting.log[2:], sitting.log[2]])
