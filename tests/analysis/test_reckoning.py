"""What moves cost: blunders, what was forced, exact and estimated, calls, pieces, and what a figure may depend on."""

from __future__ import annotations

from statistics import fmean, stdev

import msgspec
import pytest
from msgspec.structs import replace

from app.analysis.hands import moments
from app.analysis.reckoning import Done, carry_on, concluded
from app.analysis.shapes import HandAnalysis, MoveAnalysis
from app.bots.appraisal import Appraisal, Effort, Worth, appraise, error
from app.engine.game import Game
from app.engine.tiles import BIT, NAMES, parse_tile
from tests.analysis.hands import QUICK, analysed, deal, moments_of, small, to_the_end
from tests.engine.deals import TABLES, table_name
from tests.notation import Sitting
from tests.records import games

FULL = "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30"
BONEYARD = "50 40 32 64 10 41 42 43 51 52 53 54 60 65"


def move_of(analysis: HandAnalysis, number: int) -> MoveAnalysis:
    return analysis.moves[number - 1]


def over(sitting: Sitting, text: str) -> Sitting:
    """The hand after these words, which end it."""
    sitting.plays(text)
    assert sitting.game.hand is not None
    assert sitting.game.hand.over
    return sitting


def before_lead(holdings: str = FULL, **more: object) -> Game:
    return deal(holdings, BONEYARD, **more).game  # type: ignore[arg-type]


def chosen_among(appraisal: Appraisal | None) -> Appraisal:
    assert appraisal is not None
    return appraisal


class TestKnownHands:
    def test_a_blunder_costs_what_it_gave_away_and_the_best_play_nothing(self) -> None:
        """55 first: 10, then 50 on it 10 more, out with 9 spots left: 30. The other way round 5, 10 and 10."""
        good = analysed(over(deal("55 50 | 21 42"), "55 pass 50>55"))
        assert (move_of(good, 1).tile, move_of(good, 1).points, move_of(good, 1).cost) == ("55", 10, 0)
        bad = analysed(over(deal("55 50 | 21 42"), "50 pass 55>50.left"))
        move = move_of(bad, 1)
        assert [(one.tile, one.points, one.open, one.chosen) for one in move.alternatives] == [
            ("55", 10, 30, False),
            ("50", 5, 25, True),
        ]
        assert (move.method, move.cost, move.error) == ("exact", 5, None)
        seats = [(seat.choices, seat.exact, seat.cost, seat.exact_cost, seat.estimated_cost) for seat in bad.seats]
        assert seats == [(1, 1, 5, 5, 0), (0, 0, 0, 0, 0)]

    def test_missing_a_won_game_costs_the_game_besides(self) -> None:
        """At 240 of 250 the lead 55 wins. 31 lets Bob score 5, go out and take 10 for the 55."""
        analysis = analysed(over(deal("55 31 | 21 42", scores=(240, 0)), "31 21>31.right pass 42>21"))
        move = move_of(analysis, 1)
        told = [(one.tile, one.open, one.open_game) for one in move.alternatives]
        assert told == [("55", 10, 1), ("31", -15, 0)]
        assert analysis.game_worth == 300
        assert move.cost == 10 + 300 + 15

    def test_draws_passes_and_single_plays_are_forced_and_cost_nothing(self) -> None:
        analysis = analysed(over(deal("66 61 | 55 51", "52 63 11"), "66 draw 63>66 61>66"))
        told = [(move.move, move.action, move.forced, move.cost, move.method) for move in analysis.moves]
        assert told[1:] == [(2, "draw", True, 0, "exact"), (3, "play", True, 0, "exact"), (4, "play", True, 0, "exact")]
        assert all(move.alternatives == () and move.deals == 0 for move in analysis.moves[1:])

    def test_plays_alike_by_symmetry_are_one_choice(self) -> None:
        """The two sides of a lone double are the same: 50 on either is no choice."""
        move = move_of(analysed(over(deal("55 | 50 66"), "55")), 1)
        assert move.forced
        analysis = analysed(to_the_end(deal("55 21 33 | 50 66 43")))
        lone = next(move for move in analysis.moves if move.tile == "50")
        assert (lone.forced, lone.end) == (True, "55.left")

    def test_on_the_other_side_of_a_lone_double_it_is_the_same_choice(self) -> None:
        ends = []
        for end in ("55.left", "55.right"):
            sitting = deal("55 21 | 50 51")
            sitting.plays(f"55 50>{end}")
            ends.append(move_of(analysed(to_the_end(sitting)), 2))
        one, other = ends
        assert (one.end, other.end) == ("55.left", "55.right")
        assert one.cost == other.cost
        assert one.alternatives == other.alternatives

    def test_three_players_are_estimated(self) -> None:
        analysis = analysed(small(("five-up", 3, "solo"), 5, 13, seed=4))
        chosen = [move for move in analysis.moves if move.alternatives]
        assert chosen
        for move in chosen:
            assert (move.method, move.cost, move.error) == ("estimate", move.expected_cost, move.expected_error)
            assert move.deals > 0
            assert all(one.open is None and one.open_game is None for one in move.alternatives)
        assert all(seat.exact == 0 and seat.cost == seat.estimated_cost for seat in analysis.seats)

    def test_every_kind_of_table_can_be_analysed(self) -> None:
        tiny = Effort(batches=2, deals=2, playouts=100, positions=300)
        for ruleset, players, seating in TABLES:
            record = games.played_by_bots("any", ruleset, players, seating)
            hand = record.hands[-1]
            made = moments(hand, record.ruleset, players, record.seating)
            done = carry_on(made, (), tiny, piece=10**9)
            analysis = concluded(made, done)
            name = table_name((ruleset, players, seating))
            assert [move.move for move in analysis.moves] == list(range(1, len(made) + 1)), name
            for move in analysis.moves:
                assert move.cost >= 0, name
                assert move.forced or move.alternatives or move.action == "muggins", name
                assert sum(one.chosen for one in move.alternatives) == bool(move.alternatives), name
            assert sum(seat.cost for seat in analysis.seats) == pytest.approx(sum(move.cost for move in analysis.moves))


class TestClaims:
    def test_a_play_costs_what_it_is_worth_and_forgetting_its_points_nothing(self) -> None:
        """55 unannounced is the best play all the same; the call brings 10 and costs nothing."""
        sitting = deal("55 50 | 21 42", ruleset="all-fives-claim")
        sitting.plays("55 1!")
        analysis = analysed(to_the_end(sitting))
        play, call = analysis.moves[:2]
        assert (play.cost, play.points, play.method) == (0, 10, "exact")
        assert [one.open for one in play.alternatives] == [30, 25]
        assert (call.action, call.seat, call.points, call.cost, call.forced) == ("muggins", 1, 10, 0, False)

    def test_a_wrong_call_costs_what_it_took(self) -> None:
        sitting = deal("21 50 | 11 42", ruleset="all-fives-claim", house_rules={"wrong_call_costs": 5})
        sitting.plays("21 1!")
        call = analysed(to_the_end(sitting)).moves[1]
        assert (call.action, call.points, call.cost) == ("muggins", -5, 5)

    def test_the_score_a_missed_point_left_is_the_one_the_next_moves_begin_with(self) -> None:
        sitting = deal("55 50 | 21 42", ruleset="all-fives-claim")
        sitting.plays("55 1!")
        made = moments_of(to_the_end(sitting))
        assert [moment.before.scores for moment in made][:3] == [(0, 0), (0, 0), (0, 10)]


class TestEstimates:
    def test_exact_and_estimated_moves_are_told_apart_and_earlier_endings_are_not_tried(self) -> None:
        analysis = analysed(to_the_end(deal(FULL, BONEYARD)), Effort(batches=4, deals=4, playouts=400, positions=150))
        chosen = [move for move in analysis.moves if move.alternatives]
        methods = [move.method for move in chosen]
        assert set(methods) == {"estimate", "exact"}
        assert methods == sorted(methods), "all estimates come first"
        for move in chosen:
            exact = move.method == "exact"
            assert all((one.open is not None) == exact for one in move.alternatives)
            assert (move.error is None) == exact

    def test_what_could_be_known_depends_on_nothing_hidden(self) -> None:
        """Other tiles in the other hand and in the boneyard: the same expectation, another open worth."""
        one = before_lead(house_rules={"drawing": False})
        other = before_lead("61 66 11 62 63 21 31 | 50 40 32 64 10 41 42", house_rules={"drawing": False})
        assert other.hand is not None
        hidden = [tile for tile in map(parse_tile, NAMES) if not any(held & BIT[tile] for held in other.hand.holdings)]
        other = replace(other, hand=replace(other.hand, boneyard=tuple(hidden)))
        first, second = (chosen_among(appraise(game, 0, 1, QUICK)) for game in (one, other))
        assert first.expected == second.expected
        assert first.open != second.open
        assert first.open is not None

    def test_the_error_is_about_how_far_estimates_differ(self) -> None:
        effort = Effort(batches=6, deals=4, playouts=10_000, positions=0)
        game = before_lead()
        tries = [chosen_among(appraise(game, 0, seed, effort)).expected for seed in range(24)]
        for place in range(len(tries[0])):
            found = [one[place] for one in tries]
            spread = stdev([fmean(worth.samples) for worth in found])
            claimed = fmean([error(worth.samples) for worth in found])
            assert 0.5 < spread / claimed < 2

    def test_the_same_position_and_seed_give_the_same_figures_and_another_seed_others(self) -> None:
        game = before_lead()
        effort = replace(QUICK, positions=0)
        assert appraise(game, 0, 5, effort) == appraise(game, 0, 5, effort)
        assert appraise(game, 0, 5, effort) != appraise(game, 0, 6, effort)

    def test_a_seat_that_can_count_out_the_other_hand_knows_exactly(self) -> None:
        """All 28 tiles are dealt: what one does not hold the other does."""
        tiles = [NAMES[place * 11 % 28] for place in range(28)]
        sitting = to_the_end(deal(f"{' '.join(tiles[:14])} | {' '.join(tiles[14:])}"))
        analysis = analysed(sitting)
        known = [move for move in analysis.moves if move.alternatives and move.method == "exact"]
        assert len(known) > 3
        for move in known:
            assert (move.deals, move.expected_error, move.expected_cost) == (0, None, move.cost)
            assert all(
                (one.expected, one.error, one.game) == (one.open, None, one.open_game) for one in move.alternatives
            )

    def test_a_position_without_a_choice_is_not_appraised(self) -> None:
        assert appraise(deal("55 | 50 66").game, 0, 1, QUICK) is None

    def test_many_choices_get_fewer_deals_each(self) -> None:
        few = chosen_among(appraise(before_lead(), 0, 1, Effort(batches=2, deals=30, playouts=70, positions=0)))
        assert (len(few.choices), few.deals, few.effort) == (7, 10, 10 * 10 * 7)

    def test_points_of_three_are_against_the_average_of_the_others(self) -> None:
        """55 wins the game of seat 0 at once: 10 points, the game; nobody else gets anything."""
        game = deal("55 31 | 21 42 | 00 66", ruleset="five-up", scores=(59, 0, 0)).game
        worth = chosen_among(appraise(game, 0, 1, QUICK)).expected
        assert Worth(points=2.0, game=1.0, samples=(62.0,) * 4) in worth


class TestPieces:
    def test_in_pieces_it_comes_to_the_same_and_a_piece_can_be_kept_in_between(self) -> None:
        made = moments_of(to_the_end(deal(FULL, BONEYARD)))
        whole = carry_on(made, (), QUICK, piece=10**9)
        done: Done = ()
        pieces = 0
        while len(done) < len(made):
            kept = msgspec.msgpack.decode(msgspec.msgpack.encode(done), type=tuple[MoveAnalysis, ...])
            done = carry_on(made, kept, QUICK, piece=1)
            assert len(done) > len(kept)
            pieces += 1
        assert done == whole
        assert pieces > 3

    def test_each_hand_begins_with_the_scores_the_one_before_left(self) -> None:
        for ruleset in ("all-fives-claim", "muggins-british"):
            record = games.played_by_bots("scores", ruleset, 2)
            left: tuple[int, ...] = (0, 0)
            for hand in record.hands:
                made = moments(hand, record.ruleset, 2, "solo")
                assert made[0].before.scores == left
                assert made[0].before.hand_number == hand.number
                left = hand.result.scores
            assert len(record.hands) > 1
