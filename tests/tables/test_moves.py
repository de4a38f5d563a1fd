"""Moves: the order of checks, versions, receipts, and what a refusal may say."""

from __future__ import annotations

from typing import Any

import pytest

from app.tables.refusals import Refusal
from app.tables.requests import Asker, MoveRequest
from app.tables.shapes import MoveAnswer
from tests.tables.room import Room, key

DRAW: dict[str, Any] = {
    "holdings": "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30",
    "boneyard": "50 40 32 64 10 41 42 43 51 52 53 54 60 65",
}


def refused(room: Room, asker: Asker, table_id: str, move: str, **more: Any) -> Refusal:
    before = room.table(table_id)
    with pytest.raises(Refusal) as caught:
        room.play(asker, table_id, move, **more)
    assert room.table(table_id) == before, "a refused request changes nothing"
    return caught.value


def test_a_move_answers_with_its_events_and_the_table_after_them(room: Room) -> None:
    table_id = room.practice("55 52 | 53 66")
    answer = room.play(room.ann, table_id, "55")
    assert [type(event).__name__ for event in answer.events] == ["TilePlayed", "PointsScored", "TurnStarted"]
    assert answer.version == answer.table.version == answer.events[-1].seq
    assert answer.table.scores == (10, 0)


class TestTheOrderOfChecks:
    """401, 404, not_seated, table status, hand_over, not_your_turn, then the rules."""

    def test_without_a_token_nothing_is_told_of_the_table(self, room: Room) -> None:
        with pytest.raises(Refusal) as caught:
            room.play(Asker(), "no-such-table", "draw")
        assert caught.value.code == "unauthenticated"

    def test_an_unknown_and_a_strangers_private_table_are_alike(self, room: Room) -> None:
        private = room.practice("55 52 | 53 66")
        for table_id in ("no-such-table", private):
            with pytest.raises(Refusal) as caught:
                room.play(room.eve, table_id, "draw")
            assert (caught.value.code, caught.value.version, caught.value.legal_moves) == ("not_found", None, None)

    def test_not_seated_comes_before_the_tables_status(self, room: Room) -> None:
        assert refused(room, room.eve, room.open(players=2), "draw").code == "not_seated"

    def test_the_status_comes_before_the_rules(self, room: Room) -> None:
        assert refused(room, room.ann, room.open(players=2), "draw").code == "game_not_started"
        over = room.practice("55 | 53", house_rules={"deal": {"2": 1}, "target": {"2": 10}})
        room.play(room.ann, over, "55")
        for move in ("draw", "pass", "muggins", "53>55.left"):
            assert refused(room, room.bob, over, move).code == "table_finished"

    def test_between_hands_everything_is_over(self, room: Room) -> None:
        table_id = room.practice("64 | 65")
        room.play(room.ann, table_id, "64")
        assert refused(room, room.bob, table_id, "65>64.left").code == "hand_over"

    def test_out_of_turn_only_whose_turn_it_is_is_told(self, room: Room) -> None:
        table_id = room.practice(**DRAW)
        room.play(room.ann, table_id, "61")
        refusals = [refused(room, room.ann, table_id, move) for move in ("draw", "pass", "66>61.left", "00>lead")]
        assert {refusal.code for refusal in refusals} == {"not_your_turn"}
        assert len({(refusal.detail, str(refusal.params)) for refusal in refusals}) == 1
        assert {refusal.legal_moves for refusal in refusals} == {None}

    def test_on_turn_a_refusal_brings_ones_own_legal_moves(self, room: Room) -> None:
        table_id = room.practice(**DRAW)
        room.play(room.ann, table_id, "61")
        refusal = refused(room, room.bob, table_id, "pass")
        assert refusal.code == "must_draw"
        assert [move.action for move in refusal.legal_moves or ()] == ["draw"]
        assert refusal.version == room.table(table_id).version


class TestVersions:
    """`expected_version` is an optimistic lock."""

    def test_the_right_version_is_accepted(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        room.play(room.ann, table_id, "55", expected_version=room.table(table_id).version)

    def test_any_other_is_a_conflict_that_tells_the_version(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        version = room.table(table_id).version
        refusal = refused(room, room.ann, table_id, "55", expected_version=version - 1)
        assert (refusal.code, refusal.version) == ("version_conflict", version)
        assert refusal.legal_moves == room.view(room.ann, table_id).you.legal_moves  # type: ignore[union-attr]

    def test_out_of_turn_only_whose_turn_it_is_is_told_whatever_was_expected(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        for move in ("53", "00", "draw", "pass"):
            for expected in (1, room.table(table_id).version, 99):
                refusal = refused(room, room.bob, table_id, move, expected_version=expected)
                assert (refusal.code, refusal.params, refusal.legal_moves) == ("not_your_turn", {"turn": 0}, None)

    def test_a_last_tile_that_waits_for_calls_comes_before_the_version(self, room: Room) -> None:
        table_id = room.practice("64 | 65", ruleset="all-fives-claim", house_rules={"deal": {"2": 1}})
        room.play(room.ann, table_id, "64")
        assert refused(room, room.bob, table_id, "65>64.left", expected_version=1).code == "hand_over"

    @pytest.mark.parametrize("move", ["draw", "00", "53>lead", "muggins"])
    def test_the_version_comes_before_the_rules(self, room: Room, move: str) -> None:
        table_id = room.practice("55 52 | 53 66")
        assert refused(room, room.ann, table_id, move, expected_version=1).code == "version_conflict"
        assert refused(room, room.ann, table_id, move).code != "version_conflict"


class TestReceipts:
    """The same key and body give the first answer again."""

    def play(self, room: Room, table_id: str, value: str = "k", digest: str = "d") -> tuple[MoveAnswer, bool]:
        move = MoveRequest(action="play", tile="55", end="lead")
        answer = room.tables.act(room.ann, table_id, move, key(value, digest))
        return answer.value, answer.replayed

    def test_a_replay_is_the_first_answer_even_when_the_game_has_gone_on(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        first, replayed = self.play(room, table_id)
        assert not replayed
        room.clock.advance(7)
        room.play(room.bob, table_id, "53>55.left")
        version = room.table(table_id).version
        again, replayed = self.play(room, table_id)
        assert replayed
        assert again == first
        assert room.table(table_id).version == version

    def test_the_receipt_is_looked_at_before_the_version(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        version = room.table(table_id).version
        first = room.play(room.ann, table_id, "55", key(), expected_version=version)
        assert room.play(room.ann, table_id, "55", key(), expected_version=version) == first

    def test_another_body_under_the_same_key_is_refused(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        self.play(room, table_id)
        with pytest.raises(Refusal) as caught:
            self.play(room, table_id, digest="other")
        assert caught.value.code == "idempotency_key_reused"

    def test_a_key_is_its_players_own(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        self.play(room, table_id)
        answer = room.tables.act(room.bob, table_id, MoveRequest(action="play", tile="53", end="55.left"), key())
        assert not answer.replayed

    def test_refusals_are_not_kept(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        with pytest.raises(Refusal):
            room.tables.act(room.ann, table_id, MoveRequest(action="draw"), key(digest="draw"))
        assert not self.play(room, table_id, digest="play")[1]

    def test_the_last_eight_of_a_seat_are_kept(self, room: Room) -> None:
        table_id = room.open(room.bob, players=2)
        askers = [room.ann, room.bob]
        for number in range(40):
            table = room.table(table_id)
            turn = next(seat for seat in (0, 1) if room.view(askers[seat], table_id).you.legal_moves)  # type: ignore[union-attr]
            move = room.view(askers[turn], table_id).you.legal_moves[0]  # type: ignore[union-attr]
            request = MoveRequest(action=move.action, tile=move.tile, end=move.end)
            room.tables.act(askers[turn], table_id, request, key(str(number)))
            if room.table(table_id).next_hand_at:
                room.later(table_id, 4)
            assert room.table(table_id).version > table.version
        receipts = room.store.load(table_id).receipts
        assert {asker.player_id: 8 for asker in askers} == {
            asker.player_id: sum(receipt.player_id == asker.player_id for receipt in receipts) for asker in askers
        }
        assert "39" in {receipt.key for receipt in receipts}


def test_a_write_that_raced_is_judged_again_on_the_new_state(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob's second draw has been judged when his first is written: it meets the state after it."""
    table_id = room.practice(**DRAW)
    room.play(room.ann, table_id, "61")
    commit = room.store.commit
    raced: list[bool] = []

    def commit_after_another(step):  # type: ignore[no-untyped-def]
        if not raced:
            raced.append(True)
            room.play(room.bob, table_id, "draw")
        return commit(step)

    monkeypatch.setattr(room.store, "commit", commit_after_another)
    with pytest.raises(Refusal) as caught:
        room.play(room.bob, table_id, "draw")
    assert caught.value.code == "must_play_drawn_tile"
    drawn = [event for event in room.log(table_id) if type(event).__name__ == "TilesDrawn"]
    assert [event.number for event in drawn] == [4]  # type: ignore[union-attr]
    assert len(room.table(table_id).game.hand.boneyard) == 10  # type: ignore[union-attr]
