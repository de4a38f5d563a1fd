"""Looking: views, events by cursor, finished hands, records, lists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.engine.events import HandDealt
from app.tables.events import TableEvent
from app.tables.log import replay
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from app.tables.terms import Clock
from tests.tables.room import Room, bot

SPECTATOR = Asker()


def code_of(call, *arguments, **named) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(Refusal) as caught:
        call(*arguments, **named)
    return caught.value.code


class TestEvents:
    """One log, read by one cursor."""

    def test_pages_join_to_the_whole_log_without_gap_or_repeat(self, room: Room) -> None:
        table_id = room.open(players=2, sit=False, bots=(bot(0), bot(1)))
        room.later(table_id, 1000)
        after, seqs = 0, []
        while True:
            page = room.tables.events(SPECTATOR, table_id, after=after, limit=7, wait=0)
            if not page.events:
                break
            seqs += [event.seq for event in page.events]
            assert page.next_after == page.events[-1].seq
            after = page.next_after
        assert seqs == list(range(1, room.table(table_id).version + 1))
        assert (page.next_after, page.version) == (after, after)

    def test_tiles_dealt_while_the_log_is_read_are_shown_to_whoever_holds_them_then(self, room: Room) -> None:
        """Between the two reads Ann changes her seat and fills the last one: the seat she had is Bob's now."""
        table_id = room.open(room.bob, players=3, ruleset="all-fives-classic")
        read = room.store.events

        def read_late(table: str, after: int, limit: int) -> Sequence[TableEvent]:
            if room.table(table).status == "open":
                room.tables.move_player(room.ann, table, 1, str(room.ann.player_id))
                room.tables.seat_bot(room.ann, table, 2, "easy")
            return read(table, after, limit)

        room.store.events = read_late  # type: ignore[method-assign, assignment]
        page = room.tables.events(room.ann, table_id, after=0, limit=200, wait=0)
        assert room.table(table_id).status == "playing"
        assert page.next_after == page.version == 3
        then = room.tables.events(room.ann, table_id, after=page.next_after, limit=200, wait=0)
        dealt = next(event for event in then.events if isinstance(event, HandDealt))
        assert [held is not None for held in dealt.holdings] == [False, True, False]

    def test_a_cursor_ahead_of_the_table_is_refused(self, room: Room) -> None:
        table_id = room.open(players=2)
        ahead = room.table(table_id).version + 1
        assert code_of(room.tables.events, room.ann, table_id, after=ahead, limit=5, wait=0) == "cursor_ahead"
        assert code_of(room.tables.view, room.ann, table_id, newer_than=ahead) == "cursor_ahead"

    def test_waiting_ends_with_the_same_view_when_nothing_happens(self, room: Room) -> None:
        table_id = room.open(players=2)
        version = room.table(table_id).version
        assert room.tables.view(room.ann, table_id, newer_than=version, wait=0.05).version == version
        page = room.tables.events(room.ann, table_id, after=version, limit=5, wait=0.05)
        assert (page.events, page.next_after) == ((), version)


class TestWaitingForMyTurn:
    """`until=my_turn` waits for a legal move of one's own, or the end."""

    def test_it_is_there_at_once_on_ones_turn(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        view = room.tables.view(room.ann, table_id, newer_than=0, wait=5, until_my_turn=True)
        assert view.you is not None
        assert view.you.legal_moves

    def test_it_waits_out_the_others_turn(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        view = room.tables.view(room.bob, table_id, newer_than=0, wait=0.05, until_my_turn=True)
        assert view.you is not None
        assert not view.you.legal_moves

    def test_the_end_is_news_for_everyone(self, room: Room) -> None:
        table_id = room.practice("55 | 53", house_rules={"deal": {"2": 1}, "target": {"2": 10}})
        room.play(room.ann, table_id, "55")
        assert room.tables.view(room.bob, table_id, newer_than=0, wait=5, until_my_turn=True).status == "finished"


class TestHandsAndRecord:
    """A finished hand is open; a running one is nobody's."""

    def test_a_finished_hand_shows_every_tile_and_every_event(self, room: Room) -> None:
        table_id = room.practice("64 54 | 65 22", boneyard="11", clock=Clock(hand_break_seconds=0))
        assert code_of(room.tables.finished_hand, room.bob, table_id, 1) == "hand_not_finished"
        assert code_of(room.tables.finished_hand, room.bob, table_id, 2) == "not_found"
        room.play(room.ann, table_id, "64")
        room.play(room.bob, table_id, "65>64.left")
        room.play(room.ann, table_id, "54>65.right")
        hand = room.tables.finished_hand(room.bob, table_id, 1)
        assert hand.holdings == (("64", "54"), ("65", "22"))
        assert hand.boneyard[0] == "11"
        assert len({*hand.holdings[0], *hand.holdings[1], *hand.boneyard}) == 28
        assert {event.hand for event in hand.events} == {1}
        assert type(hand.events[0]).__name__ == "HandDealt"
        assert hand.result.scores

    def test_the_record_has_every_finished_hand_and_nothing_of_a_running_one(self, room: Room) -> None:
        table_id = room.open(players=2, sit=False, bots=(bot(0), bot(1)), clock=Clock(hand_break_seconds=0))
        while (room.table(table_id).last_hand is None) or (room.table(table_id).last_hand.hand or 0) < 2:  # type: ignore[union-attr]
            room.tables.advance(table_id, room.table(table_id).version, budget_turns=1)
        record = room.tables.record(SPECTATOR, table_id)
        assert [hand.number for hand in record.hands] == [1, 2]
        assert record.result is None
        assert {event.hand for hand in record.hands for event in hand.events} == {1, 2}
        room.later(table_id, 10_000)
        record = room.tables.record(SPECTATOR, table_id)
        assert record.result == room.table(table_id).result
        assert len(record.hands) == room.table(table_id).game.hand_number  # type: ignore[union-attr]

    def test_before_the_first_hand_ends_the_record_is_empty(self, room: Room) -> None:
        for table_id in (room.open(players=2), room.open(room.bob, players=2)):
            record = room.tables.record(room.ann, table_id)
            assert (record.hands, record.result) == ((), None)


class TestLists:
    """Lists are hints; each table is judged by its own state."""

    def lobby(self, room: Room, status: str | None = None, **filters: object) -> list[str]:
        page = room.tables.lobby(
            SPECTATOR,
            status=status,
            ruleset=filters.get("ruleset"),  # type: ignore[arg-type]
            players=filters.get("players"),  # type: ignore[arg-type]
            limit=50,
            cursor=None,
        )
        return [item.id for item in page.items]

    def test_each_filter_is_exact(self, room: Room) -> None:
        opened = room.open(players=2)
        four = room.open(players=4, ruleset="five-up")
        playing = room.open(room.bob, players=2)
        finished = room.open(players=2, sit=False, bots=(bot(0), bot(1)))
        room.later(finished, 1000)
        private = room.open(players=2, visibility="private")
        practice = room.practice("55 52 | 53 66")
        left = room.open(players=2)
        room.tables.leave(room.ann, left, 0)
        assert set(self.lobby(room)) == {opened, four}
        assert self.lobby(room, "playing") == [playing]
        assert self.lobby(room, "finished") == [finished]
        assert self.lobby(room, players=4) == [four]
        assert self.lobby(room, ruleset="five-up") == [four]
        everything = {*self.lobby(room), *self.lobby(room, "playing"), *self.lobby(room, "finished")}
        assert not everything & {private, practice, left}

    def test_an_open_table_whose_time_has_passed_is_not_listed_before_it_is_closed(self, room: Room) -> None:
        room.open(players=2)
        room.clock.advance(31 * 60)
        assert self.lobby(room) == []

    def test_my_tables_say_whose_turn_it_is(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66")
        mine = room.tables.of_player(room.ann, status="active", limit=50, cursor=None).items
        his = room.tables.of_player(room.bob, status=None, limit=50, cursor=None).items
        assert [(item.id, item.your_turn) for item in mine] == [(table_id, True)]
        assert [(item.id, item.your_turn) for item in his] == [(table_id, False)]

    def test_it_is_not_my_turn_while_a_stand_in_plays_for_me(self, room: Room) -> None:
        table_id = room.practice("55 52 61 | 53 66 20", clock=Clock(bot_pace_seconds=30))

        def told() -> tuple[bool, bool]:
            (item,) = room.tables.of_player(room.ann, status=None, limit=50, cursor=None).items
            you = room.view(room.ann, table_id).you
            assert you is not None
            return item.your_turn, bool(you.legal_moves)

        assert told() == (True, True)
        room.tables.leave(room.ann, table_id, 0)
        assert told() == (False, False)
        room.tables.sit(room.ann, table_id, None, None, None)
        assert told() == (True, True), "whoever comes back in time still has his turn"

    def test_a_cursor_that_is_none_of_ours_is_named(self, room: Room) -> None:
        for call in (
            lambda: room.tables.lobby(SPECTATOR, status=None, ruleset=None, players=None, limit=5, cursor="!"),
            lambda: room.tables.of_player(room.ann, status=None, limit=5, cursor="!"),
        ):
            assert code_of(call) == "invalid"


def test_presence_follows_the_polls_and_is_no_event(room: Room) -> None:
    table_id = room.practice("55 52 | 53 66")
    room.clock.advance(20)
    version = room.table(table_id).version
    seats = room.view(room.ann, table_id).seats
    assert [seat.connected for seat in seats] == [True, False]
    room.view(room.bob, table_id)
    assert [seat.connected for seat in room.view(room.ann, table_id).seats] == [True, True]
    room.clock.advance(16)
    assert [seat.connected for seat in room.view(room.bob, table_id).seats] == [False, True]
    assert room.table(table_id).version == version


def test_a_read_asks_for_overdue_work_at_most_once_a_second_and_does_none(room: Room) -> None:
    table_id = room.practice("55 52 | 53 66", clock=Clock(turn_seconds=1))
    room.clock.advance(2)
    room.queue.asked.clear()
    version = room.table(table_id).version
    for _ in range(5):
        room.view(room.bob, table_id)
    assert room.queue.asked == [(table_id, version)]
    assert room.table(table_id).version == version


def test_the_whole_log_makes_the_state(room: Room) -> None:
    table_id = room.open(players=4, sit=False, bots=tuple(bot(seat, "easy") for seat in range(4)))
    room.later(table_id, 3000)
    assert replay(room.log(table_id)) == room.table(table_id)
