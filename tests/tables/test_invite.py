"""Invite codes: who has one may look and sit; the host's new one ends the old; guessing is slow."""

from __future__ import annotations

import pytest

from app.tables.chance import SystemChance
from app.tables.guesses import INVITE_GUESSES
from app.tables.ports import StoreUnavailable
from app.tables.refusals import Refusal
from app.tables.requests import Asker
from tests.tables.room import Room, key
from tests.tables.test_seats import refusal


def code_of(room: Room, table_id: str) -> str:
    return room.table(table_id).invite_code or ""


def test_a_code_shows_its_table_and_rules_before_anybody_sits(room: Room) -> None:
    table_id = room.open(players=2, visibility="private", house_rules={"target_points": 55})
    code = code_of(room, table_id)
    for asker in (room.eve, Asker()):
        view = room.tables.invited_to(asker, f" {code[:5].lower()}-{code[5:]}")
        assert (view.id, view.target, view.you) == (table_id, 55, None)
    assert refusal(room.tables.view, room.eve, table_id) == "not_found", "looking is not being invited"
    assert room.tables.sit(room.eve, table_id, None, code, None).value.status == "playing"


def test_a_code_nobody_has_is_not_found(room: Room) -> None:
    assert refusal(room.tables.invited_to, room.eve, "ABCDEFGHJK") == "not_found"
    assert refusal(room.tables.invited_to, room.eve, "") == "not_found"


def test_the_hosts_new_code_ends_the_old_one(room: Room) -> None:
    table_id = room.open(players=2, visibility="private")
    old = code_of(room, table_id)
    new = room.tables.renew_invite(room.ann, table_id, None).value.invite_code or ""
    assert new != old
    assert refusal(room.tables.invited_to, room.eve, old) == "not_found"
    assert refusal(room.tables.sit, room.eve, table_id, None, old, None) == "not_found"
    assert room.tables.invited_to(room.eve, new).id == table_id
    assert room.tables.sit(room.eve, table_id, None, new, None).value.status == "playing"
    room.log(table_id)


def test_a_public_table_may_have_a_code_too(room: Room) -> None:
    table_id = room.open(players=2)
    assert room.view(room.ann, table_id).invite_code is None
    code = room.tables.renew_invite(room.ann, table_id, None).value.invite_code or ""
    assert room.tables.invited_to(Asker(), code).id == table_id


def test_only_the_host_makes_a_code_and_only_while_the_table_is_open(room: Room) -> None:
    table_id = room.open(room.bob, players=2)
    assert refusal(room.tables.renew_invite, room.bob, table_id, None) == "not_host"
    assert refusal(room.tables.renew_invite, Asker(), table_id, None) == "unauthenticated"
    assert refusal(room.tables.renew_invite, room.ann, table_id, None) == "table_not_open"
    private = room.open(players=2, visibility="private")
    assert refusal(room.tables.renew_invite, room.eve, private, None) == "not_found"
    room.tables.leave(room.ann, private, 0)
    assert refusal(room.tables.renew_invite, room.ann, private, None) == "table_not_open"


def test_the_same_key_makes_one_code(room: Room) -> None:
    table_id = room.open(players=2, visibility="private")
    first = room.tables.renew_invite(room.ann, table_id, key())
    again = room.tables.renew_invite(room.ann, table_id, key())
    assert again.replayed
    assert again.value.invite_code == first.value.invite_code == code_of(room, table_id)


def test_no_code_is_ever_in_what_readers_of_the_log_get(room: Room) -> None:
    table_id = room.open(players=2, visibility="private")
    room.tables.renew_invite(room.ann, table_id, None)
    page = room.tables.events(room.ann, table_id, after=0, limit=99, wait=0)
    assert code_of(room, table_id) not in str(page)


def test_whoever_is_wrong_too_often_has_to_wait_and_others_do_not(room: Room) -> None:
    table_id = room.open(players=4, visibility="private")
    code = code_of(room, table_id)
    for _ in range(INVITE_GUESSES.at_most // 2):
        assert refusal(room.tables.invited_to, room.eve, "WRONG") == "not_found"
        assert refusal(room.tables.sit, room.eve, "nowhere", None, "WRONG", None) == "not_found"
    for call, arguments in (
        (room.tables.invited_to, (room.eve, code)),
        (room.tables.sit, (room.eve, table_id, None, code, None)),
        (room.tables.sit, (room.eve, "nowhere", None, "WRONG", None)),
    ):
        with pytest.raises(Refusal) as refused:
            call(*arguments)
        assert refused.value.code == "rate_limited"
        assert refused.value.params == {"retry_after": INVITE_GUESSES.seconds}
    assert room.tables.invited_to(room.bob, code).id == table_id
    room.clock.advance(INVITE_GUESSES.seconds)
    assert room.tables.invited_to(room.eve, code).id == table_id


def test_guesses_without_a_token_are_counted_by_address(room: Room) -> None:
    here, there = Asker(address="192.0.2.1"), Asker(address="192.0.2.2")
    for _ in range(INVITE_GUESSES.at_most):
        assert refusal(room.tables.invited_to, here, "WRONG") == "not_found"
    assert refusal(room.tables.invited_to, here, "WRONG") == "rate_limited"
    assert refusal(room.tables.invited_to, there, "WRONG") == "not_found"


def test_who_is_right_is_not_counted(room: Room) -> None:
    code = code_of(room, room.open(players=2, visibility="private"))
    for _ in range(INVITE_GUESSES.at_most + 5):
        room.tables.invited_to(room.eve, code)


def test_who_is_right_is_not_counted_whatever_else_is_in_the_way(room: Room) -> None:
    table_id = room.open(players=2, visibility="private")
    code = code_of(room, table_id)
    room.tables.sit(room.bob, table_id, None, code, None)
    for _ in range(INVITE_GUESSES.at_most + 5):
        assert refusal(room.tables.sit, room.eve, table_id, None, code, None) == "table_full"
        assert refusal(room.tables.sit, room.bob, table_id, None, code, None) == "already_seated"


def test_a_store_out_of_reach_is_nobodys_wrong_guess(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_reach(*_: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(room.store, "invited", out_of_reach)
        for _ in range(INVITE_GUESSES.at_most + 5):
            with pytest.raises(StoreUnavailable):
                room.tables.invited_to(room.eve, "WRONG")
    assert refusal(room.tables.invited_to, room.eve, "WRONG") == "not_found"


def test_a_seat_taken_by_code_is_answered_though_the_guess_cannot_be_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_reach(*_: object) -> None:
        raise StoreUnavailable

    table_id = room.open(players=2, visibility="private")
    monkeypatch.setattr(room.attempts, "give_back", out_of_reach)
    assert room.tables.sit(room.bob, table_id, None, code_of(room, table_id), None).value.status == "playing"


def test_who_is_sent_away_for_his_address_has_used_up_nothing_of_his_own(room: Room) -> None:
    crowd = Asker(address="192.0.2.1")
    for _ in range(INVITE_GUESSES.at_most):
        assert refusal(room.tables.invited_to, crowd, "WRONG") == "not_found"
    eve = Asker(player_id=room.eve.player_id, address=crowd.address)
    for _ in range(INVITE_GUESSES.at_most):
        assert refusal(room.tables.invited_to, eve, "WRONG") == "rate_limited"
    assert refusal(room.tables.invited_to, room.eve, "WRONG") == "not_found"


def test_two_thousand_codes_have_no_order_no_repeats_and_come_from_a_large_space() -> None:
    chance = SystemChance()
    codes = [chance.invite_code() for _ in range(2000)]
    assert len(set(codes)) == 2000
    assert codes != sorted(codes)
    letters = {letter for code in codes for letter in code}
    length = {len(code) for code in codes}
    assert len(letters) ** min(length) >= 2**40


class TestMoving:
    """The host makes up the pairs while the table is open."""

    def test_the_host_moves_a_player_to_an_empty_seat_or_exchanges_two(self, room: Room) -> None:
        table_id = room.open(room.bob, room.cat, players=4)
        bob = room.bob.player_id or ""
        view = room.tables.move_player(room.ann, table_id, 3, bob)
        assert [seat.occupant.name for seat in view.seats] == ["Ann", None, "Cat", "Bob"]
        view = room.tables.move_player(room.ann, table_id, 0, bob)
        assert [seat.occupant.name for seat in view.seats] == ["Bob", None, "Cat", "Ann"]
        assert view.host == room.ann.player_id
        version = view.version
        assert room.tables.move_player(room.ann, table_id, 0, bob).version == version
        room.log(table_id)

    def test_nobody_else_may_and_only_those_who_sit_are_moved(self, room: Room) -> None:
        table_id = room.open(room.bob, players=4)
        ann, bob, eve = (asker.player_id or "" for asker in (room.ann, room.bob, room.eve))
        assert refusal(room.tables.move_player, room.bob, table_id, 2, bob) == "not_host"
        assert refusal(room.tables.move_player, room.ann, table_id, 2, eve) == "invalid"
        assert refusal(room.tables.move_player, room.ann, table_id, 4, bob) == "invalid"
        running = room.open(room.bob, players=2)
        assert refusal(room.tables.move_player, room.ann, running, 1, ann) == "table_not_open"
