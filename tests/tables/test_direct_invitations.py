"""Asking one player to come: he may look and sit until he answers or the time is up."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from app.tables.direct_invitations import WAITING_AT_MOST
from app.tables.events import InvitationDeclined, PlayerInvited, TableEvent
from app.tables.requests import Asker
from tests.tables.room import Room, key
from tests.tables.test_seats import refusal


def invite(room: Room, table_id: str, asker: Asker, by: Asker | None = None) -> str:
    return room.tables.invite(by or room.ann, table_id, asker.player_id or "", None).value.id


def test_whoever_is_invited_may_look_at_a_private_table_and_accepting_seats_him(room: Room) -> None:
    table_id = room.open(players=2, visibility="private")
    assert refusal(room.tables.view, room.eve, table_id) == "not_found"
    invitation = invite(room, table_id, room.eve)
    assert room.view(room.eve, table_id).you is None
    (found,) = room.tables.invitations(room.eve).items
    assert (found.id, found.table, found.inviter.name, found.player.name) == (invitation, table_id, "Ann", "Eve")
    assert room.tables.accept(room.eve, invitation, None).value.status == "playing"
    assert room.tables.invitations(room.eve).items == ()
    room.log(table_id)


def test_the_feed_is_told_once(room: Room) -> None:
    table_id = room.open(players=2)
    for _ in range(2):
        room.tables.invite(room.ann, table_id, room.eve.player_id or "", key())
    told = [entry.notice for entry in room.store.feeds.read(room.eve.player_id or "", 0, 9)]
    assert [(one.type, one.table, one.version, one.seat) for one in told] == [("invited", table_id, 3, None)]


def test_sitting_down_by_oneself_answers_too(room: Room) -> None:
    table_id = room.open(players=4, visibility="private")
    invitation = invite(room, table_id, room.eve)
    room.tables.sit(room.eve, table_id, 2, None, None)
    assert refusal(room.tables.accept, room.eve, invitation, None) == "not_found"
    assert room.table(table_id).invited == ()


def test_declining_tells_the_table_why_and_ends_the_right_to_look(room: Room) -> None:
    table_id = room.open(room.bob, players=4)
    private = room.open(players=2, visibility="private")
    for there in (table_id, private):
        room.tables.decline(room.eve, invite(room, there, room.eve), "too_fast", None)
    assert refusal(room.tables.view, room.eve, private) == "not_found"
    assert room.tables.invitations(room.eve).items == ()
    told, untold = ("too_fast", room.eve.player_id, room.ann.player_id), (None, None, None)
    for viewer, seen in ((room.ann, told), (room.eve, told), (room.bob, untold), (Asker(), untold)):
        events = room.tables.events(viewer, table_id, after=0, limit=99, wait=0).events
        (invited,) = [event for event in events if isinstance(event, PlayerInvited)]
        (declined,) = [event for event in events if isinstance(event, InvitationDeclined)]
        assert (declined.reason, declined.player_id, declined.inviter) == seen
        assert (invited.player_id, invited.inviter) == seen[1:]
    room.log(table_id)


def test_what_a_log_once_told_a_viewer_it_tells_him_for_ever(room: Room) -> None:
    """Whoever sits down, moves, leaves or becomes host: every entry stays what it was to him."""
    table_id = room.open(room.bob, players=4)
    viewers = (room.ann, room.bob, room.eve, room.cat, Asker())
    told: dict[str | None, list[TableEvent]] = {viewer.player_id: [] for viewer in viewers}

    def everybody_reads() -> None:
        for viewer in viewers:
            now = room.tables.events(viewer, table_id, after=0, limit=99, wait=0).events
            signals = room.tables.follow(viewer, table_id, after=0).signals
            assert list(islice(signals, len(now))) == list(now), "a stream tells what a poll tells"
            before = told[viewer.player_id]
            assert list(now[: len(before)]) == before, f"it was otherwise to {viewer.name}"
            told[viewer.player_id] = list(now)

    steps: tuple[Callable[[], object], ...] = (
        lambda: invite(room, table_id, room.eve),
        lambda: invite(room, table_id, room.cat, by=room.bob),
        lambda: room.tables.decline(room.cat, room.tables.invitations(room.cat).items[0].id, "not_now", None),
        lambda: invite(room, table_id, room.cat),
        lambda: room.tables.sit(room.eve, table_id, None, None, None),
        lambda: room.tables.sit(room.eve, table_id, 3, None, None),
        lambda: room.tables.leave(room.ann, table_id, 0),
        lambda: room.tables.sit(room.cat, table_id, 0, None, None),
        lambda: room.tables.sit(room.ann, table_id, None, None, None),
        lambda: room.later(table_id, 200),
    )
    for step in steps:
        step()
        everybody_reads()
    assert room.table(table_id).status == "playing"


def test_there_is_no_free_text(room: Room) -> None:
    invitation = invite(room, room.open(players=2), room.eve)
    assert refusal(room.tables.decline, room.eve, invitation, "you cheat", None) == "invalid"


def test_an_invitation_ends_by_itself(room: Room) -> None:
    table_id = room.open(players=4, visibility="private")
    invitation = invite(room, table_id, room.eve)
    room.clock.advance(29 * 60)
    room.tables.sit(room.bob, table_id, None, room.table(table_id).invite_code, None)
    room.clock.advance(60)
    assert room.table(table_id).status == "open"
    assert refusal(room.tables.accept, room.eve, invitation, None) == "not_found"
    assert refusal(room.tables.view, room.eve, table_id) == "not_found"
    assert room.tables.invitations(room.eve).items == ()


def test_it_keeps_no_seat_and_ends_with_the_opening(room: Room) -> None:
    table_id = room.open(players=2)
    invitation = invite(room, table_id, room.eve)
    room.tables.sit(room.bob, table_id, None, None, None)
    assert refusal(room.tables.accept, room.eve, invitation, None) == "not_found"
    kept = room.open(players=2)
    invitation = invite(room, kept, room.eve)
    room.tables.leave(room.ann, kept, 0)
    assert refusal(room.tables.accept, room.eve, invitation, None) == "not_found"


def test_who_may_ask_and_who_may_be_asked(room: Room) -> None:
    table_id = room.open(room.bob, players=4)
    eve, bob = room.eve.player_id or "", room.bob.player_id or ""
    assert refusal(room.tables.invite, room.eve, table_id, eve, None) == "not_seated"
    assert refusal(room.tables.invite, Asker(), table_id, eve, None) == "unauthenticated"
    assert refusal(room.tables.invite, room.ann, table_id, bob, None) == "already_seated"
    assert refusal(room.tables.invite, room.ann, table_id, "nobody", None) == "invalid"
    assert refusal(room.tables.invite, room.ann, room.open(room.bob, players=2), eve, None) == "table_not_open"
    assert invite(room, table_id, room.eve, by=room.bob)


def test_nobody_else_answers(room: Room) -> None:
    invitation = invite(room, room.open(players=2), room.eve)
    assert refusal(room.tables.accept, room.cat, invitation, None) == "not_found"
    assert refusal(room.tables.decline, room.cat, invitation, "not_now", None) == "not_found"
    assert refusal(room.tables.invitation, room.cat, invitation) == "not_found"
    assert room.tables.invitation(room.ann, invitation) == room.tables.invitation(room.eve, invitation)


def test_asking_again_starts_anew_and_ends_the_earlier_one(room: Room) -> None:
    table_id = room.open(players=2)
    first, second = invite(room, table_id, room.eve), invite(room, table_id, room.eve)
    assert refusal(room.tables.accept, room.eve, first, None) == "not_found"
    assert room.tables.accept(room.eve, second, None).value.status == "playing"


def test_there_is_a_limit_for_a_table_and_for_a_player(room: Room) -> None:
    table_id = room.open(players=2)
    for number in range(WAITING_AT_MOST):
        invite(room, table_id, room.newcomer(f"Guest {number}"))
    assert refusal(room.tables.invite, room.ann, table_id, room.eve.player_id, None) == "invalid"
    for _ in range(40):
        invite(room, room.open(players=2), room.eve)
    assert refusal(room.tables.invite, room.ann, room.open(players=2), room.eve.player_id, None) == "rate_limited"


def test_the_same_key_is_one_answer(room: Room) -> None:
    table_id = room.open(players=4)
    invitation = invite(room, table_id, room.eve)
    first = room.tables.accept(room.eve, invitation, key())
    again = room.tables.accept(room.eve, invitation, key())
    assert again.replayed
    assert again.value == first.value
    declined = invite(room, table_id, room.cat)
    room.tables.decline(room.cat, declined, "not_now", key())
    assert room.tables.decline(room.cat, declined, "not_now", key()).replayed
