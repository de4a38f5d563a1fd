"""Following a table: the log as a poll reads it, seats that change on the way, who is there, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import pytest

from app.tables.events import TableEvent
from app.tables.following import Presence, Signal, StillHere
from app.tables.ports import StoreUnavailable
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from tests.tables.room import QUICK, Room


def follow(room: Room, asker: Asker, table_id: str, after: int = 0) -> Iterator[Signal]:
    return room.tables.follow(asker, table_id, after=after).signals


def news(signals: Iterator[Signal]) -> list[Signal]:
    """Everything until there is nothing more to say for now."""
    return list(takewhile(lambda signal: not isinstance(signal, StillHere), signals))


def entries(signals: list[Signal]) -> list[TableEvent]:
    return [signal for signal in signals if not isinstance(signal, Presence | StillHere)]


def presence(signals: list[Signal]) -> list[tuple[int, bool]]:
    return [(signal.seat, signal.connected) for signal in signals if isinstance(signal, Presence)]


def polled(room: Room, asker: Asker, table_id: str) -> list[TableEvent]:
    return list(room.tables.events(asker, table_id, after=0, limit=1000, wait=0).events)


def invited(room: Room) -> tuple[str, str]:
    """A private table that Eve is asked to for half an hour, and her invitation."""
    table = room.open(players=4, visibility="private")
    return table, room.tables.invite(room.ann, table, room.eve.player_id or "", None).value.id


def _nearly_half_an_hour(room: Room, table: str) -> None:
    """The table is changed, so it stays open; a minute later Eve's half hour is over."""
    room.clock.advance(29 * 60)
    room.tables.seat_bot(room.ann, table, 1, "easy")


@pytest.fixture(autouse=True)
def _look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.tables.following.LOOK_EVERY", 0.02)
    monkeypatch.setattr("app.tables.following.STORE_AWAY", 0.0)


def test_what_comes_is_told_as_it_comes(room: Room) -> None:
    table = room.open()
    signals = follow(room, room.ann, table)
    assert entries(news(signals)) == polled(room, room.ann, table)
    room.tables.sit(room.bob, table, None, None, None)
    after = len(polled(room, room.ann, table))
    told = entries(news(signals))
    assert told[-1].seq == after
    assert told == polled(room, room.ann, table)[-len(told) :]


def test_a_spectator_who_sits_down_sees_his_own_tiles_from_then_on(room: Room) -> None:
    table = room.open()
    signals = follow(room, room.bob, table)
    seen = entries(news(signals))
    room.tables.sit(room.bob, table, None, None, None)
    seen += entries(news(signals))
    assert seen == polled(room, room.bob, table)
    (dealt,) = (entry for entry in seen if getattr(entry, "holdings", None))
    assert [holding is not None for holding in dealt.holdings] == [False, True]  # type: ignore[union-attr]


def test_who_leaves_a_private_table_is_told_no_more(room: Room) -> None:
    table = room.open(players=4, visibility="private")
    code = room.table(table).invite_code
    room.tables.sit(room.bob, table, None, code, None)
    signals = follow(room, room.bob, table)
    news(signals)
    room.tables.leave(room.bob, table, 1)
    assert list(signals) == [], "as for any stranger"
    with pytest.raises(Refusal, match="no such table"):
        follow(room, room.bob, table)


class TestInvited:
    """Who is only invited to a private table is told no more than a poll would tell him."""

    def test_who_declines_is_told_no_more(self, room: Room) -> None:
        table, invitation = invited(room)
        signals = follow(room, room.eve, table)
        news(signals)
        room.tables.decline(room.eve, invitation, "not_now", None)
        assert list(signals) == []

    def test_whose_time_is_up_is_told_no_more(self, room: Room) -> None:
        table, _ = invited(room)
        signals = follow(room, room.eve, table)
        news(signals)
        _nearly_half_an_hour(room, table)
        news(signals)
        room.clock.advance(61)
        assert list(signals) == []

    def test_what_was_written_after_his_time_is_not_told_before_the_next_look(self, room: Room) -> None:
        table, _ = invited(room)
        signals = follow(room, room.eve, table)
        news(signals)
        _nearly_half_an_hour(room, table)
        news(signals)
        room.clock.advance(61)
        room.tables.renew_invite(room.ann, table, None)
        assert list(signals) == []

    def test_who_is_asked_anew_goes_on_reading(self, room: Room) -> None:
        table, _ = invited(room)
        signals = follow(room, room.eve, table)
        news(signals)
        _nearly_half_an_hour(room, table)
        room.tables.invite(room.ann, table, room.eve.player_id or "", None)
        news(signals)
        room.clock.advance(61)
        assert news(signals) == []
        room.tables.renew_invite(room.ann, table, None)
        assert [entry.seq for entry in entries(news(signals))] == [room.table(table).version]

    def test_a_table_that_closes_ends_invitations(self, room: Room) -> None:
        table = room.open(players=4, visibility="private", sit=False)
        room.tables.invite(room.ann, table, room.eve.player_id or "", None)
        signals = follow(room, room.eve, table)
        news(signals)
        room.players.delete(room.ann)
        assert room.types(table)[-1] == "table_closed"
        assert list(signals) == []


def test_whose_seat_at_a_private_table_is_kept_no_longer_is_told_no_more(room: Room) -> None:
    old = room.practice("55 52 | 53 66", house_rules={"deal": {"2": 2}, "target": {"2": 10}})
    room.play(room.ann, old, "55")
    table = room.tables.rematch(room.ann, old, None).value.id
    signals = follow(room, room.bob, table)
    news(signals)
    room.clock.advance(121)
    room.run(table)
    assert list(signals) == []


def test_presence_follows_streams_and_polls(room: Room) -> None:
    table = room.open(room.bob)
    mine = follow(room, room.ann, table)
    assert presence(news(mine)) == [(0, True), (1, False)]
    assert presence(news(mine)) == []
    his = follow(room, room.bob, table)
    news(his)
    assert presence(news(mine)) == [(1, True)]
    his.close()  # type: ignore[attr-defined]
    room.clock.advance(16)
    assert presence(news(mine)) == [(1, False)]
    assert [seat.connected for seat in room.view(room.ann, table).seats] == [True, False]
    room.view(room.bob, table)
    assert presence(news(mine)) == [(1, True)]
    version = room.table(table).version
    assert [seat.connected for seat in room.view(room.ann, table).seats] == [True, True]
    assert room.table(table).version == version, "presence is no part of it"


def test_a_stream_keeps_its_player_connected(room: Room) -> None:
    table = room.open(room.bob)
    signals = follow(room, room.ann, table)
    for _ in range(5):
        news(signals)
        room.clock.advance(10)
    news(signals)
    room.clock.advance(10)
    assert [seat.connected for seat in room.view(room.bob, table).seats] == [True, True]


def test_a_spectator_is_nobody_s_presence(room: Room) -> None:
    table = room.open(room.bob)
    signals = follow(room, room.eve, table)
    news(signals)
    room.clock.advance(16)
    assert presence(news(signals)) == [] or room.store.load(table).seen == {}


def test_it_ends_a_minute_after_the_last_event(room: Room) -> None:
    table = room.practice("55 52 | 53 66", house_rules={"deal": {"2": 2}, "target": {"2": 10}})
    signals = follow(room, room.bob, table)
    room.play(room.ann, table, "55")
    assert entries(news(signals)) == polled(room, room.bob, table)
    room.clock.advance(59)
    assert entries(news(signals)) == []
    room.clock.advance(1)
    assert entries(list(signals)) == []
    late = room.tables.follow(room.bob, table, after=3)
    assert not late.nothing_left
    assert entries(list(late.signals)) == polled(room, room.bob, table)[3:]
    assert room.tables.follow(room.bob, table, after=room.table(table).version).nothing_left


def test_a_store_that_goes_away_is_waited_for(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table = room.open()
    signals = follow(room, room.ann, table)
    news(signals)
    read, times = room.store.events, iter(range(3))

    def failing(table_id: str, after: int, limit: int) -> object:
        if next(times, None) is not None:
            raise StoreUnavailable("away")
        return read(table_id, after, limit)

    monkeypatch.setattr(room.store, "events", failing)
    room.tables.sit(room.bob, table, None, None, None)
    seen = [entry for _ in range(5) for entry in entries(news(signals))]
    assert seen == polled(room, room.ann, table)[2:]


def test_a_store_that_knows_less_than_was_told_ends_it(room: Room) -> None:
    table = room.open(room.bob, clock=QUICK)
    signals = follow(room, room.ann, table)
    news(signals)
    older = room.store._tables[table]
    room.play(room.ann if room.view(room.ann, table).hand.turn == 0 else room.bob, table, _lead(room, table))  # type: ignore[union-attr]
    news(signals)
    room.store._tables[table] = older
    assert list(signals) == []


def _lead(room: Room, table: str) -> str:
    hand = room.view(room.ann, table).hand
    assert hand is not None
    own = room.view((room.ann, room.bob)[hand.turn or 0], table).you
    assert own is not None
    return own.legal_moves[0].tile or ""


def test_it_ends_when_the_process_stops_and_polls_are_answered(room: Room) -> None:
    table = room.open()
    signals = follow(room, room.ann, table)
    news(signals)
    room.store.stopping = True
    assert list(signals) == []
    page = room.tables.events(room.ann, table, after=room.table(table).version, limit=10, wait=25)
    assert page.events == ()
    view = room.tables.view(room.ann, table, newer_than=room.table(table).version, wait=25)
    assert view.version == room.table(table).version
