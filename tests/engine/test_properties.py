"""What holds in every position of every rule set, with house rules too: on whole games of random play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.engine import turns
from app.engine.actions import Action, CloseClaim, Deal, Draw, Muggins, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.events import GameEvent, HandEnded, PointsScored, TilePlayed
from app.engine.evolve import evolve, replay
from app.engine.game import Game, Laid, phase, rules_of, side_of, turn
from app.engine.hand import Hand
from app.engine.layout import counted
from app.engine.legality import legal_moves, verify, verify_play
from app.engine.shown import shown_ends
from app.engine.tiles import NAMES, names_in
from tests.engine.deals import has_something_to_take, house_ruled, played, random_action, seeds, tables

games = st.one_of(tables.map(lambda table: (*table, {})), house_ruled())
"""Rule set, players, seating and house rules."""
Chosen = tuple[str, int, str | None, dict[str, Any]]

quickly = settings(max_examples=100, deadline=None)


@given(chosen=games, seed=seeds)
@quickly
def test_there_are_always_28_tiles(chosen: Chosen, seed: int) -> None:
    for sitting in played(*chosen, seed):
        hand = sitting.game.hand
        assert hand is not None
        held = [name for holding in hand.holdings for name in names_in(holding)]
        laid = [past.tile for past in sitting.game.past if isinstance(past, Laid)]
        assert sorted(held + laid + [NAMES[tile] for tile in hand.boneyard]) == sorted(NAMES)


@given(chosen=games, seed=seeds)
@quickly
def test_the_log_leads_to_the_state_also_as_json_and_as_bytes(chosen: Chosen, seed: int) -> None:
    from_json = msgspec.json.Decoder(GameEvent)
    from_bytes = msgspec.msgpack.Decoder(GameEvent)
    log: Sequence[GameEvent] = []
    game: Game | None = None
    for sitting in played(*chosen, seed):
        log, game = sitting.log, sitting.game
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(game), type=Game) == game
    assert replay(log) == game
    assert replay(from_json.decode(msgspec.json.encode(event)) for event in log) == game
    assert replay(from_bytes.decode(msgspec.msgpack.encode(event)) for event in log) == game


@given(table=tables, seed=seeds)
@settings(max_examples=20, deadline=None)
def test_stamps_change_nothing(table: tuple[str, int, str], seed: int) -> None:
    *_, last = played(*table, {}, seed)
    stamped = [replace(event, seq=seq, at=datetime(2026, 1, 1, tzinfo=UTC)) for seq, event in enumerate(last.log, 1)]
    assert replay(stamped) == last.game


@given(chosen=games, seed=seeds)
@quickly
def test_the_count_is_the_sum_of_its_parts(chosen: Chosen, seed: int) -> None:
    for sitting in played(*chosen, seed):
        assert sitting.game.hand is not None
        layout = sitting.game.hand.layout
        parts = [end.counts or 0 for end in shown_ends(layout)]
        assert layout.count == counted(layout) == sum(parts)
        if isinstance(sitting.log[-1], TilePlayed):
            assert sitting.log[-1].count in (layout.count, None)


@given(chosen=games, seed=seeds)
@quickly
def test_scores_move_only_by_points_scored(chosen: Chosen, seed: int) -> None:
    totals: list[int] = []
    read = 0
    for sitting in played(*chosen, seed):
        totals = totals or [0] * len(sitting.scores)
        for event in sitting.log[read:]:
            if isinstance(event, PointsScored):
                totals[event.side] += event.points
                assert event.score == totals[event.side]
                if event.reason == "play":
                    assert event.points > 0
        read = len(sitting.log)
        assert list(sitting.scores) == totals


@given(chosen=games, seed=seeds)
@quickly
def test_a_hands_account_agrees_with_itself_and_with_the_scores(chosen: Chosen, seed: int) -> None:
    *_, sitting = played(*chosen, seed)
    for place, event in enumerate(sitting.log):
        if not isinstance(event, HandEnded):
            continue
        following = [e for e in sitting.log[place : place + 6] if isinstance(e, PointsScored) and e.hand == event.hand]
        assert {e.side: e.points for e in following} == {s: p for s, p in enumerate(event.points) if p}
        assert all(e.score == event.scores[e.side] for e in following)
        assert sum(line.points for line in event.breakdown) == sum(event.points)
        assert [line.side for line in event.breakdown] == [
            side_of(sitting.game, seat) for seat in range(sitting.game.players)
        ]
        if event.reason == "target":
            assert not any(event.points)


@given(chosen=games, seed=seeds)
@quickly
def test_every_hand_and_every_game_ends(chosen: Chosen, seed: int) -> None:
    steps = 0
    hand = 0
    for sitting in played(*chosen, seed):
        steps = steps + 1 if sitting.game.hand_number == hand else 0
        hand = sitting.game.hand_number
        # 28 plays, each at most after a draw, a pass of every seat and a call of every seat.
        assert steps < 28 * 10
        someone = turn(sitting.game)
        if someone is not None:
            assert legal_moves(sitting.game, someone)
        elif phase(sitting.game) == "claim":
            turns.decide(sitting.game, CloseClaim())
    assert sitting.game.result is not None


def without_log(rules: Any, hand: Hand, action: Action) -> Hand | None:
    """The hand after the action as a search gets it."""
    match action:
        case Play():
            tile, end, lengthwise = verify_play(rules, hand, action)
            return turns.play(rules, hand, tile, end, lengthwise, announce=action.announce)
        case Draw():
            return turns.draw(rules, hand)
        case Pass():
            return turns.skip(rules, hand)
        case Muggins():
            return turns.call(rules, hand, action.seat)
        case CloseClaim():
            return turns.close_claim(rules, hand)
        case _:
            return None


@given(chosen=games, seed=seeds)
@quickly
def test_what_a_search_plays_is_what_the_events_lead_to(chosen: Chosen, seed: int) -> None:
    rng = random.Random(seed)
    for sitting in played(*chosen, seed):
        if sitting.game.over:
            break
        action = random_action(sitting.game, rng)
        if isinstance(action, Deal) or (isinstance(action, Muggins) and not has_something_to_take(sitting.game)):
            continue
        assert sitting.game.hand is not None
        searched = without_log(rules_of(sitting.game), sitting.game.hand, action)
        game = sitting.game
        for event in turns.decide(game, action):
            game = evolve(game, event)
        assert game.hand == searched


ENDS: tuple[str | None, ...] = (
    None,
    "lead",
    *(f"{tile}.{side}" for tile in NAMES for side in ("left", "right", "up", "down")),
)


def conceivable(players: int) -> Iterator[Action]:
    """Everything a seat could ask for, sensible or not."""
    for seat in range(players):
        yield Draw(seat=seat)
        yield Pass(seat=seat)
        yield Muggins(seat=seat)
        for tile in NAMES:
            for end in ENDS:
                yield Play(seat=seat, tile=tile, end=end)
                yield Play(seat=seat, tile=tile, end=end, lengthwise=True)


def accepted(game: Game, action: Action) -> bool:
    try:
        verify(game, action)
    except RuleViolation:
        return False
    return True


@given(chosen=games, seed=seeds, steps=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_the_legal_moves_are_exactly_what_the_judge_accepts(chosen: Chosen, seed: int, steps: int) -> None:
    game: Game | None = None
    for step, sitting in enumerate(played(*chosen, seed)):
        game = sitting.game
        if step == steps:
            break
    assert game is not None
    assert listed(game) == {asked(action) for action in conceivable(game.players) if accepted(game, action)}


def listed(game: Game) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for seat in range(game.players):
        for move in legal_moves(game, seat):
            if move.action == "muggins" and not has_something_to_take(game):
                continue  # listed all the same, so that the list does not tell a miss from a play worth nothing
            found.add((move.action, seat, move.tile, move.end, move.lengthwise))
            if move.end == "lead":
                found.add((move.action, seat, move.tile, None, move.lengthwise))
    return found


def asked(action: Action) -> tuple[object, ...]:
    match action:
        case Play():
            return "play", action.seat, action.tile, action.end, action.lengthwise
        case Draw() | Pass() | Muggins():
            return type(action).__name__.lower(), action.seat, None, None, False
        case _:
            raise AssertionError(action)


@given(table=tables, seed=seeds)
@settings(max_examples=30, deadline=None)
def test_a_previewed_play_comes_to_what_was_previewed(table: tuple[str, int, str], seed: int) -> None:
    for sitting in played(*table, {}, seed):
        seat = turn(sitting.game)
        if seat is None:
            continue
        for move in legal_moves(sitting.game, seat):
            if move.action != "play" or move.count is None:
                assert move.action != "play" or rules_of(sitting.game).claim
                continue
            action = Play(seat=seat, tile=move.tile or "", end=move.end, lengthwise=move.lengthwise)
            events = turns.decide(sitting.game, action)
            laid = next(event for event in events if isinstance(event, TilePlayed))
            scored = sum(event.points for event in events if isinstance(event, PointsScored) and event.reason == "play")
            assert (laid.count, scored) == (move.count, move.points)
