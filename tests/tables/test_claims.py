"""Claim tables: announcing, missing, calling "Muggins!", and silence about everything that may not be known yet."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from app.bots.levels import HouseBots
from app.engine.events import TilePlayed
from app.tables.moments import bot_due, next_moment
from app.tables.refusals import Refusal
from app.tables.requests import MoveRequest
from app.tables.terms import Clock
from tests.tables.room import Room, bot

CLAIM: dict[str, Any] = {"ruleset": "all-fives-claim"}


def claim_table(room: Room, holdings: str = "55 52 61 | 53 66 20", **more: Any) -> str:
    return room.practice(holdings, **CLAIM, **more)


@pytest.mark.parametrize("announce", [None, 0, 5, 15])
def test_a_miss_scores_nothing_and_the_first_call_takes_the_points(room: Room, announce: int | None) -> None:
    table_id = claim_table(room)
    room.play(room.ann, table_id, "55", announce=announce)
    assert room.view(room.ann, table_id).scores == (0, 0)
    room.play(room.bob, table_id, "muggins")
    assert room.view(room.ann, table_id).scores == (0, 10)
    for asker in (room.bob, room.ann):
        with pytest.raises(Refusal) as refused:
            room.play(asker, table_id, "muggins")
        assert refused.value.code == "nothing_to_call"


def test_the_next_play_closes_the_window(room: Room) -> None:
    table_id = claim_table(room, "55 52 61 | 50 66 20")
    room.play(room.ann, table_id, "55")
    before = room.table(table_id).version
    room.play(room.bob, table_id, "50>55.left", announce=10)
    assert room.types(table_id, before)[0] == "claim_closed"
    assert room.view(room.bob, table_id).scores == (0, 10), "that is Bob's own count of 10, announced"
    with pytest.raises(Refusal):
        room.play(room.bob, table_id, "muggins")


def test_nothing_tells_a_miss_from_a_play_worth_nothing(room: Room) -> None:
    """Two tables alike but for what the lead was worth: everything B and a spectator get has the same shape."""
    seen = []
    for lead in ("55", "54"):
        table_id = claim_table(room, f"{lead} 61 10 | 53 66 20")
        after = room.table(table_id).version
        room.play(room.ann, table_id, lead)
        view = room.view(room.bob, table_id)
        assert view.hand is not None
        assert view.hand.layout.count is None
        assert {end.counts for end in view.hand.layout.ends} == {None}
        assert view.you is not None
        assert "muggins" in {move.action for move in view.you.legal_moves}
        assert {(move.count, move.points) for move in view.you.legal_moves} == {(None, None)}
        page = room.tables.events(room.bob, table_id, after=after, limit=50, wait=0)
        seen.append([(type(event).__name__, getattr(event, "deadline", None)) for event in page.events])
        played = page.events[0]
        assert isinstance(played, TilePlayed)
        assert (played.count, played.ends, played.announce) == (None, view.hand.layout.ends, None)
    assert seen[0] == seen[1]


def test_the_log_says_afterwards_what_was_missed(room: Room) -> None:
    table_id = claim_table(room)
    room.play(room.ann, table_id, "55")
    room.play(room.bob, table_id, "53>55.left")
    closed = [event for event in room.log(table_id) if type(event).__name__ == "ClaimClosed"]
    assert [(event.seat, event.count, event.missed, event.taken_by) for event in closed] == [(0, 10, 10, None)]  # type: ignore[union-attr]
    page = room.tables.events(room.bob, table_id, after=0, limit=200, wait=0)
    lead = next(event for event in page.events if type(event).__name__ == "TilePlayed")
    assert lead.count is None, "what was masked when it was written stays masked"  # type: ignore[union-attr]


class TestTheLastPlay:
    """After every play that ends a hand only calls are accepted, until the window closes."""

    def table(self, room: Room, **more: Any) -> str:
        return room.practice("64 | 65", house_rules={"deal": {"2": 1}}, **CLAIM, **more)

    @pytest.mark.parametrize("announce", [10, None])
    def test_the_window_opens_whether_points_were_missed_or_not(self, room: Room, announce: int | None) -> None:
        table_id = self.table(room)
        room.play(room.ann, table_id, "64", announce=announce)
        hand = room.view(room.bob, table_id).hand
        assert hand is not None
        assert (hand.phase, hand.turn, hand.deadline_ms) == ("claim", None, 5000)
        assert [m.action for m in room.view(room.bob, table_id).you.legal_moves] == ["muggins"]  # type: ignore[union-attr]

    def test_it_closes_at_its_deadline_and_then_the_hands_end_is_scored(self, room: Room) -> None:
        table_id = self.table(room)
        room.play(room.ann, table_id, "64")
        room.clock.advance(4.9)
        assert not room.run(table_id)
        before = room.table(table_id).version
        room.clock.advance(0.1)
        room.run(table_id)
        assert room.types(table_id, before)[:2] == ["claim_closed", "hand_ended"]
        assert room.view(room.bob, table_id).scores == (10, 0)

    def test_a_call_comes_first_and_ends_it(self, room: Room) -> None:
        table_id = self.table(room)
        room.play(room.ann, table_id, "64")
        room.play(room.bob, table_id, "muggins")
        assert room.view(room.bob, table_id).scores == (10, 10)
        assert room.view(room.bob, table_id).hand.phase == "over"  # type: ignore[union-attr]

    def test_a_late_call_meets_the_closed_window(self, room: Room) -> None:
        table_id = self.table(room, clock=Clock(claim_seconds=2))
        room.play(room.ann, table_id, "64")
        room.clock.advance(2)
        with pytest.raises(Refusal) as refused:
            room.play(room.bob, table_id, "muggins")
        assert refused.value.code == "hand_over"


class TestBots:
    """Bots announce rightly, forget as they are told to, and call no sooner than two seconds after a play."""

    def test_a_bot_calls_what_it_sees_after_two_seconds(self, room: Room) -> None:
        table_id = claim_table(room)
        room.tables.leave(room.bob, table_id, 1)
        room.play(room.ann, table_id, "55")
        room.clock.advance(1.9)
        room.run(table_id)
        assert room.view(room.ann, table_id).scores == (0, 0)
        room.clock.advance(0.1)
        before = room.table(table_id).version
        room.run(table_id)
        assert room.types(table_id, before)[:3] == ["claim_closed", "muggins_called", "points_scored"]
        assert room.view(room.ann, table_id).scores[1] >= 10

    def test_a_bot_that_sees_nothing_says_nothing_and_moves_at_the_same_moment(self, room: Room) -> None:
        table_id = claim_table(room, "54 61 10 | 53 66 20")
        room.tables.leave(room.bob, table_id, 1)
        room.play(room.ann, table_id, "54")
        room.clock.advance(1.9)
        assert not room.run(table_id)
        room.clock.advance(0.1)
        room.run(table_id)
        assert "muggins_called" not in room.types(table_id)
        assert "tile_played" in room.types(table_id)[-4:] or "tiles_drawn" in room.types(table_id)

    def test_a_forgetful_bot_misses_everything_and_a_perfect_one_nothing(self, room: Room) -> None:
        for forgetfulness in (0.0, 1.0):
            table_id = room.open(
                players=2, sit=False, bots=(bot(0, "medium", forgetfulness), bot(1, "medium", forgetfulness)), **CLAIM
            )
            room.later(table_id, 2000)
            log = room.log(table_id)
            missed = [event.missed for event in log if type(event).__name__ == "ClaimClosed"]  # type: ignore[union-attr]
            in_play = [e for e in log if type(e).__name__ == "PointsScored" and e.reason == "play"]  # type: ignore[union-attr]
            assert bool(any(missed)) == (forgetfulness == 1.0)
            assert bool(in_play) == (forgetfulness == 0.0)
            assert "muggins_called" not in room.types(table_id)

    def test_every_call_of_a_bot_takes_points(self, room: Room) -> None:
        table_id = room.open(
            players=4, sit=False, bots=tuple(bot(seat, "easy", 0.6) for seat in range(4)), **CLAIM,
            house_rules={"wrong_call_costs": 5},
        )  # fmt: skip
        room.later(table_id, 5000)
        calls = [event for event in room.log(table_id) if type(event).__name__ == "MugginsCalled"]
        assert calls
        assert all(call.points > 0 for call in calls)  # type: ignore[union-attr, operator]


THREE: dict[str, Any] = {
    "ruleset": "all-fives-claim",
    "players": 3,
    "seating": "solo",
    "house_rules": {"deal": {"3": 2}},
}


def three(room: Room, holdings: str, forgetfulness: float = 0.0, **more: Any) -> str:
    """Ann and Bob, and a bot at seat 2."""
    return room.practice(holdings, bots=(bot(2, forgetfulness=forgetfulness),), **{**THREE, **more})


class TestLookingAgain:
    def test_who_comes_and_goes_does_not_jog_a_bots_memory(self, room: Room) -> None:
        outcomes = set()
        for _ in range(40):
            table_id = three(room, "55 64 | 50 65 | 62 52", forgetfulness=0.5)
            room.play(room.ann, table_id, "55")
            room.later(table_id, 2.1)
            called = "muggins_called" in room.types(table_id)
            outcomes.add(called)
            for _ in range(4):
                room.tables.leave(room.ann, table_id, 0)
                room.run(table_id)
                room.tables.sit(room.ann, table_id, None, None, None)
                room.run(table_id)
            assert ("muggins_called" in room.types(table_id)) == called
        assert outcomes == {True, False}

    def test_reads_do_not_ask_for_it_for_ever(self, room: Room) -> None:
        table_id = three(room, "61 64 | 62 65 | 55 52")
        room.play(room.ann, table_id, "61")
        room.later(table_id, 1)
        assert not bot_due(room.table(table_id), HouseBots.think_seconds, room.clock.now)
        room.clock.advance(1)
        assert bot_due(room.table(table_id), HouseBots.think_seconds, room.clock.now)
        room.clock.advance(10)
        assert not bot_due(room.table(table_id), HouseBots.think_seconds, room.clock.now)

    @pytest.mark.parametrize("seconds", [7, 61])
    def test_a_turn_expires_in_time_with_no_worker_to_let_bots_look(self, room: Room, seconds: int) -> None:
        """The clock takes what is due and leaves out the bots; a taken entry comes again after two seconds."""
        table_id = three(room, "61 64 | 62 65 | 55 52", clock=Clock(turn_seconds=seconds))
        room.play(room.ann, table_id, "61")
        began = room.clock.now
        while "turn_timed_out" not in room.types(table_id):
            room.clock.advance(0.05)
            for taken, version in room.due.take(100):
                room.tables.advance(taken, version, bots=False)
        assert (room.clock.now - began).total_seconds() <= seconds + 0.1


def test_a_bot_leads_no_sooner_than_two_seconds_after_the_last_play(room: Room) -> None:
    """Nobody waits between the hands, and the first is blocked by Bob's draw right after Ann's lead."""
    rules = {"deal": {"3": 2}, "boneyard_keep": 21}
    seats = set()
    while 2 not in seats:
        table_id = three(
            room, "00 11 | 22 33 | 44 55", boneyard="66", house_rules=rules, clock=Clock(hand_break_seconds=0)
        )
        room.play(room.ann, table_id, "00")
        played = room.clock.now
        room.clock.advance(0.3)
        room.play(room.bob, table_id, "draw")
        moment = next_moment(room.table(table_id), HouseBots.think_seconds)
        assert moment is not None
        seats.add(moment.seat)
        if moment.seat == 2:
            assert (moment.why, moment.at - played) == ("bot", timedelta(seconds=2))


def test_an_expired_turn_closes_the_window_first(room: Room) -> None:
    table_id = claim_table(room, clock=Clock(turn_seconds=10))
    room.play(room.ann, table_id, "55")
    before = room.table(table_id).version
    room.later(table_id, 10)
    assert room.types(table_id, before)[:3] == ["claim_closed", "turn_timed_out", "tile_played"]


def test_two_callers_at_once_exactly_one_takes_the_points(room: Room) -> None:
    """The second judges again on the new state and finds nothing left."""
    table_id = room.practice(
        "55 52 | 53 66 | 20 30 | 11 22", "", 0, room.bob, room.cat, room.dan, **CLAIM, house_rules={"deal": {"4": 2}}
    )
    room.play(room.ann, table_id, "55")
    room.tables.act(room.bob, table_id, MoveRequest(action="muggins"), None)
    with pytest.raises(Refusal) as refused:
        room.tables.act(room.dan, table_id, MoveRequest(action="muggins"), None)
    assert refused.value.code == "nothing_to_call"
    assert room.view(room.cat, table_id).scores == (0, 10)


def test_a_partner_may_not_call(room: Room) -> None:
    table_id = room.practice(
        "55 52 | 53 66 | 20 30 | 11 22", "", 0, room.bob, room.cat, room.dan, **CLAIM, house_rules={"deal": {"4": 2}}
    )
    room.play(room.ann, table_id, "55")
    with pytest.raises(Refusal):
        room.play(room.cat, table_id, "muggins")
    assert b"muggins" not in msgspec.json.encode(room.view(room.cat, table_id).you)
