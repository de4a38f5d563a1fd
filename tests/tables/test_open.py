"""Opening a table: its rules are resolved, the caller and the bots sit, a full table starts by itself."""

from __future__ import annotations

import pytest

from app.engine.errors import InvalidRules
from app.engine.events import HandDealt
from app.tables.refusals import Refusal
from app.tables.requests import Asker, OpenPractice, OpenTable
from app.tables.terms import PracticeDeal
from tests.tables.room import Room, bot, key


def test_the_caller_sits_at_seat_0_and_is_host(room: Room) -> None:
    view = room.view(room.ann, room.open(players=2))
    assert view.status == "open"
    assert view.seats[0].occupant.player_id == view.host == room.ann.player_id
    assert view.seats[0].occupant.name == "Ann"
    assert view.seats[1].occupant.kind == "open"


def test_a_full_table_starts_deals_and_starts_the_turn_in_the_step_of_the_last_seat(room: Room) -> None:
    table_id = room.open(players=2)
    before = room.table(table_id).version
    room.tables.sit(room.bob, table_id, None, None, None)
    assert room.types(table_id, before) == ["seat_taken", "game_started", "hand_dealt", "turn_started"]


def test_a_table_of_bots_only_plays_to_its_end_and_is_not_abandoned(room: Room) -> None:
    table_id = room.open(players=2, sit=False, bots=(bot(0, "easy"), bot(1)))
    room.later(table_id, 100_000)
    assert room.view(room.eve, table_id).result is not None
    assert room.table(table_id).result.reason == "target"  # type: ignore[union-attr]


def test_a_spectator_cannot_open_a_table(room: Room) -> None:
    with pytest.raises(Refusal) as refused:
        room.tables.open(Asker(), OpenTable(), None)
    assert refused.value.code == "unauthenticated"


@pytest.mark.parametrize(
    ("bots", "path"),
    [
        ((bot(0),), "/bots/0/seat"),
        ((bot(2),), "/bots/0/seat"),
        ((bot(1), bot(1)), "/bots/1/seat"),
        ((bot(1, "genius"),), "/bots/0/level"),
    ],
)
def test_bots_that_cannot_sit_are_named(room: Room, bots: tuple[object, ...], path: str) -> None:
    with pytest.raises(Refusal) as refused:
        room.open(players=2, bots=bots)
    assert [problem.path for problem in refused.value.errors] == [path]


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ({"must_play": False}, "/house_rules/must_play"),
        ({"deal": {"2": 15}}, "/house_rules/deal"),
        ({"scoring": "none", "points_unit": 5}, "/house_rules/points_unit"),
        ({"target": {"2": 0}}, "/house_rules/target"),
    ],
)
def test_house_rules_that_cannot_be_played_are_named(room: Room, rules: dict[str, object], path: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        room.open(players=2, house_rules=rules)
    assert any(problem.path.startswith(path) for problem in refused.value.problems)


def test_house_rules_are_echoed_and_resolved(room: Room) -> None:
    view = room.view(room.ann, room.open(players=2, house_rules={"boneyard_keep": 2, "target_points": 100}))
    assert view.ruleset.house_rules == {"boneyard_keep": 2, "target_points": 100}
    assert (view.rules.boneyard_keep, view.target) == (2, 100)


def test_the_same_key_opens_one_table_and_gives_the_first_answer_again(room: Room) -> None:
    first = room.tables.open(room.ann, OpenTable(), key())
    room.tables.sit(room.bob, first.value.id, None, None, None)
    room.clock.advance(5)
    again = room.tables.open(room.ann, OpenTable(), key())
    assert again.replayed
    assert again.value == first.value


def test_the_same_key_for_another_body_is_refused(room: Room) -> None:
    room.tables.open(room.ann, OpenTable(), key())
    with pytest.raises(Refusal) as refused:
        room.tables.open(room.ann, OpenTable(players=4), key(digest="other"))
    assert refused.value.code == "idempotency_key_reused"


def test_a_request_that_died_half_way_is_finished_under_its_id(room: Room) -> None:
    room.register.reserve(room.ann.player_id or "", "k", "d", "chosen")
    with pytest.raises(Refusal) as refused:
        room.tables.open(room.ann, OpenTable(), key())
    assert refused.value.code == "request_in_progress"
    room.clock.advance(11)
    assert room.tables.open(room.ann, OpenTable(), key()).value.id == "chosen"
    assert room.tables.open(room.ann, OpenTable(), key()).replayed


def test_a_request_that_died_after_the_table_was_made_finds_it(room: Room) -> None:
    made = room.tables.open(room.ann, OpenTable(), None).value
    room.register.reserve(room.ann.player_id or "", "k", "d", made.id)
    room.clock.advance(11)
    assert room.tables.open(room.ann, OpenTable(), key()).value.id == made.id


def test_a_refused_opening_leaves_its_key_free(room: Room) -> None:
    with pytest.raises(Refusal):
        room.tables.open(room.ann, OpenTable(bots=(bot(0),)), key())
    assert not room.tables.open(room.ann, OpenTable(), key()).replayed


class TestPractice:
    """Scripted first deals."""

    def test_practice_is_private_marked_and_dealt_at_once(self, room: Room) -> None:
        view = room.tables.practice(room.ann, OpenPractice(players=4, ruleset="all-fives"), None).value
        assert (view.status, view.visibility, view.practice) == ("playing", "private", True)
        assert (
            room.tables.lobby(room.eve, status="playing", ruleset=None, players=None, limit=50, cursor=None).items == ()
        )

    def test_the_script_is_what_is_dealt(self, room: Room) -> None:
        table_id = room.practice("55 52 | 53 66", boneyard="11 22")
        view = room.view(room.bob, table_id)
        assert view.you is not None
        assert view.you.holding == ("66", "53")
        hand = room.table(table_id).game.hand  # type: ignore[union-attr]
        assert hand is not None
        assert len(hand.boneyard) == 24

    def test_tiles_not_named_follow_in_the_boneyard(self, room: Room) -> None:
        dealt = [e for e in room.log(room.practice("55 52 | 53 66", boneyard="11 22")) if isinstance(e, HandDealt)]
        boneyard = dealt[0].boneyard_tiles or ()
        assert boneyard[:2] == ("11", "22")
        assert len(set(boneyard)) == 24

    @pytest.mark.parametrize(
        ("holdings", "boneyard", "path"),
        [
            ((("00", "00"), ("11", "22")), (), "/practice/holdings"),
            ((("77", "00"), ("11", "22")), (), "/practice/holdings"),
            ((("00", "01"), ("11",)), (), "/practice/holdings/1"),
            ((("00", "55"),), (), "/practice/holdings"),
            ((("00", "55"), ("11", "22")), ("00",), "/practice/boneyard"),
            ((("00", "55"), ("11", "22")), ("33", "33"), "/practice/boneyard"),
        ],
    )
    def test_a_deal_that_cannot_be_is_named(
        self, room: Room, holdings: tuple[tuple[str, ...], ...], boneyard: tuple[str, ...], path: str
    ) -> None:
        deal = PracticeDeal(holdings=holdings, boneyard=boneyard, leader=0)
        with pytest.raises(InvalidRules) as refused:
            room.open(players=2, house_rules={"tiles_each": 2}, practice=deal)
        assert refused.value.problems[0].path.startswith(path)

    def test_twenty_seven_tiles_are_a_slip(self, room: Room) -> None:
        with pytest.raises(Refusal) as refused:
            room.practice(
                "61 66 11 62 63 21 31 | 00 22 33 44 55 20 30", boneyard="50 40 32 64 10 41 42 43 51 52 53 54 60"
            )
        assert refused.value.errors[0].path == "/practice/boneyard"
        assert "65" in refused.value.detail

    def test_a_leader_against_a_forced_lead_is_refused(self, room: Room) -> None:
        with pytest.raises(InvalidRules) as refused:
            room.practice("64 53 | 11 22", leader=0, ruleset="all-fives-150")
        assert [problem.path for problem in refused.value.problems] == ["/practice/leader"]
