"""Records, proofs and seeds over HTTP: what is taken along can be checked, and `/me/records` brings all of it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from app.records.verify import verify
from app.tables.fair_deal import link_before
from app.tables.shapes import GameRecord
from app.tables.terms import Clock
from tests.api.cast import Caller, House, refused
from tests.records.plain_verifier import complaints
from tests.tables.room import bot


def finished_among_bots(house: House, caller: Caller) -> str:
    """A game of the caller's against a bot; he never moves, so it is played for him."""
    answer = caller.post(
        "/tables",
        {
            "bots": [{"seat": 1, "level": "easy"}],
            "clock": {"turn_seconds": 1, "hand_break_seconds": 0, "timeouts_before_takeover": 100},
            "client_seed": "mine | 1",
        },
    )
    table: str = answer.get_json()["id"]
    house.room.later(table, 10_000)
    return table


class TestProofs:
    def test_the_commitment_is_told_before_and_the_proof_opens_it(self, house: House, ann: Caller) -> None:
        table = finished_among_bots(house, ann)
        events = ann.get(f"/tables/{table}/events?limit=1000").get_json()["events"]
        created = events[0]
        dealt = [event for event in events if event["type"] == "hand_dealt"]
        ended = [event for event in events if event["type"] == "hand_ended"]
        assert dealt[0]["commitment"] == created["commitment"]
        assert {event["client_seeds"] for event in dealt} == {None}, "in the log they stay hidden"
        for deal, end in zip(dealt, ended, strict=True):
            assert link_before(end["proof"]["link"]) == deal["commitment"]
            assert end["proof"]["client_seeds"] == ["mine | 1", ""]
        hand = ann.get(f"/tables/{table}/hands/1").get_json()
        assert hand["proof"] == hand["result"]["proof"] == ended[0]["proof"]
        assert hand["events"][0]["client_seeds"] == ["mine | 1", ""]

    def test_the_view_tells_what_the_running_hand_is_committed_to(self, house: House, ann: Caller) -> None:
        table = house.running()
        hand = ann.see(table)["hand"]
        assert hand["commitment"] == ann.get(f"/tables/{table}/record").get_json()["commitment"]


class TestSeeds:
    def test_a_new_seed_at_ones_own_seat_is_200_and_without_one_it_is_refused_as_ever(
        self, house: House, ann: Caller
    ) -> None:
        table = house.running()
        version = ann.see(table)["version"]
        for body in ({"client_seed": "new"}, {"seat": 0, "client_seed": ""}, {"client_seed": "n" * 64}):
            answer = ann.post(f"/tables/{table}/seats", body)
            assert (answer.status_code, answer.get_json()["version"]) == (200, version)
        refused(ann.post(f"/tables/{table}/seats", {}), 409, "already_seated")
        refused(ann.post(f"/tables/{table}/seats", {"client_seed": None}), 409, "already_seated")
        refused(ann.post(f"/tables/{table}/seats", {"client_seed": "n" * 65}), 422, "invalid")

    def test_a_stranger_cannot_set_one(self, house: House, eve: Caller) -> None:
        table = house.running()
        refused(eve.post(f"/tables/{table}/seats", {"client_seed": "x"}), 409, "table_full")


class TestMyRecords:
    def lines(self, caller: Caller) -> list[dict[str, Any]]:
        answer = caller.get("/me/records")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("application/x-ndjson")
        assert answer.data.endswith(b"\n") or not answer.data
        return [json.loads(line) for line in answer.data.splitlines()]

    def test_every_finished_game_is_a_line_and_can_be_verified(self, house: House, ann: Caller) -> None:
        tables = [finished_among_bots(house, ann) for _ in range(3)]
        house.running()
        house.open_table()
        records = self.lines(ann)
        assert {record["table"] for record in records} == set(tables)
        for record in records:
            assert record == ann.get(f"/tables/{record['table']}/record").get_json()
            assert not complaints(record)
            assert not verify(msgspec.json.decode(json.dumps(record), type=GameRecord)).findings

    def test_there_are_more_than_one_page(self, house: House, ann: Caller) -> None:
        for _ in range(45):
            house.finished()
        assert len(self.lines(ann)) == 45

    def test_they_are_ones_own(self, house: House, ann: Caller, eve: Caller, spectator: Caller) -> None:
        finished_among_bots(house, ann)
        assert self.lines(eve) == []
        refused(spectator.get("/me/records"), 401, "unauthenticated")

    def test_a_record_is_read_hand_by_hand(self, house: House) -> None:
        """No more of the log than one hand is asked for at a time, so memory does not grow with the game."""
        room = house.room
        table = room.open(
            ruleset="muggins-british", players=4, sit=False, bots=tuple(bot(seat) for seat in range(4)),
            clock=Clock(hand_break_seconds=0),
        )  # fmt: skip
        room.later(table, 100_000)
        asked: list[int] = []
        events = room.store.events

        def counted(table_id: str, after: int, limit: int) -> Any:
            asked.append(limit)
            return events(table_id, after, limit)

        room.store.events = counted  # type: ignore[method-assign]
        record = room.tables.record(room.ann, table)
        assert len(record.hands) > 20
        assert max(asked) < 150
