"""Deals of hidden tiles agree with everything that is public, and likely ones come more often."""

from __future__ import annotations

from itertools import islice

import pytest

from app.bots.chance import Dice
from app.bots.deals import Dealer, Hidden
from app.bots.known import Known, known
from app.engine.game import Laid
from app.engine.tiles import ALL_TILES, BIT, NO_TILES, parse_tile, tile_set
from app.engine.views import SeatView, seat_view
from tests.bots.positions import has_choice, some_way_into_a_hand
from tests.engine.deals import TABLES, table_name
from tests.notation import sit

DEALS = 30
UNDEALT = "65 52 62 22 44 54 41 20 00 40 50 10 66 60"


def deals(view: SeatView, number: int, seed: int = 1) -> tuple[Known, list[Hidden]]:
    now = known(view)
    return now, list(islice(Dealer(view, now, Dice(seed, 3)).likely(), number))


def share_with(view: SeatView, seat: int, tile: str, number: int = 300) -> float:
    """In how many of the deals a seat holds a tile."""
    _, found = deals(view, number)
    return sum(bool(hidden.holdings[seat] & BIT[parse_tile(tile)]) for hidden in found) / number


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_every_hidden_tile_lies_in_one_place_that_it_can_lie_in(table: tuple[str, int, str]) -> None:
    for seed in range(5):
        view = has_choice(some_way_into_a_hand(table, seed)[2].game)
        assert view is not None
        now, found = deals(view, DEALS)
        for hidden in found:
            boneyard = tile_set(hidden.boneyard)
            assert len(hidden.boneyard) == boneyard.bit_count() == view.boneyard
            assert hidden.holdings[view.seat] == now.holding
            together = boneyard
            for seat, held in enumerate(hidden.holdings):
                assert held.bit_count() == view.tiles_left[seat]
                assert not held & now.cannot_hold[seat]
                assert not held & together
                together |= held
            assert together | (ALL_TILES ^ now.unseen ^ now.holding) == ALL_TILES


def test_deals_differ_and_come_again_with_the_same_seed() -> None:
    view = seat_view(sit("64 63 61 53 32 21 11 | 55 51 43 42 33 31 30", UNDEALT, leader=0).game, 0)
    assert deals(view, 40)[1] == deals(view, 40)[1]
    assert deals(view, 40)[1] != deals(view, 40, seed=2)[1]
    assert len({hidden.holdings for hidden in deals(view, 40)[1]}) > 20


def test_nothing_played_yet_makes_every_tile_as_likely_as_the_others() -> None:
    """7 of 21 unseen tiles: every third deal has each of them, give or take."""
    view = seat_view(
        sit("64 63 61 53 32 21 11 | 55 51 43 42 33 31 30", "65 52 62 22 44 54 41 20 00 40 50 10 66 60", leader=0).game,
        0,
    )
    shares = [share_with(view, 1, tile) for tile in ("55", "65", "10", "00")]
    assert all(0.2 < share < 0.47 for share in shares)


def test_what_was_drawn_later_may_fit_what_a_seat_lacked_before() -> None:
    """Seat 1 had no 6 and drew two: the first of them is no 6, the second is the one it laid."""
    sitting = sit("66 63 61 53 32 21 11 | 55 51 43 42 33 31 30", "50 65 52 62 22 44 54 41 20 00 40 10 64 60", leader=0)
    sitting.plays("66 draw 65>66.left 53>65")
    view = seat_view(sitting.game, 0)
    assert view.lacks[1] == (6,)
    assert share_with(view, 1, "64") == share_with(view, 1, "60") == 0


def test_who_passes_up_points_most_likely_could_not_make_them() -> None:
    """After `64` only `61` scores. Whoever lays `42` instead has most likely no `61`; `60` is as likely as before."""
    sitting = sit("64 63 66 53 32 21 11 | 60 51 43 42 33 31 30", "65 52 62 22 44 54 41 20 00 40 50 10 55 61", leader=0)
    sitting.plays("64")
    before = share_with(seat_view(sitting.game, 0), 1, "61")
    sitting.plays("42>64.right")
    after = seat_view(sitting.game, 0)
    assert 0.2 < before < 0.47
    assert share_with(after, 1, "61") < 0.12
    assert 0.15 < share_with(after, 1, "60") < 0.45


@pytest.mark.parametrize(("level", "greedy"), [("medium", True), ("hard", False)])
def test_how_an_opponent_plays_tells_what_kind_he_is(level: str, greedy: bool) -> None:
    """Over a few hands of four tiles laid and more; a partner is never taken for greedy."""
    shares = []
    for seed in range(60):
        view = has_choice(some_way_into_a_hand(("all-fives", 2, "solo"), 100 + seed, level)[2].game)
        assert view is not None
        if sum(isinstance(event, Laid) for event in view.history if event.seat != view.seat) >= 4:
            shares.append(sum(hidden.greedy > 0 for hidden in deals(view, 20)[1]) / 20)
    assert len(shares) >= 10
    assert (sum(shares) / len(shares) > 0.5) == greedy


def test_a_partner_is_never_taken_for_greedy() -> None:
    view = has_choice(some_way_into_a_hand(("all-fives", 4, "pairs"), 5)[2].game)
    assert view is not None
    assert all(
        not hidden.greedy >> seat & 1 for hidden in deals(view, 40)[1] for seat in (view.seat, view.partner or 0)
    )


def test_all_tiles_known_leave_one_deal() -> None:
    holdings = "66 65 64 63 62 61 60 55 54 53 52 51 50 44 | 43 42 41 40 33 32 31 30 22 21 20 11 10 00"
    view = seat_view(sit(holdings, house_rules={"tiles_each": 14}).game, 0)
    now, found = deals(view, 5)
    assert {hidden.holdings for hidden in found} == {(now.holding, now.unseen)}
    assert {hidden.boneyard for hidden in found} == {()}
    assert NO_TILES not in {hidden.holdings[1] for hidden in found}
