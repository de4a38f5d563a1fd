"""`Idempotency-Key`: one effect, one answer."""

from __future__ import annotations

import pytest

from app.tables.ports import StoreUnavailable
from tests.api.cast import P_OUT, SHORT, Caller, House, refused

KEY = {"Idempotency-Key": "one"}


@pytest.fixture
def table(house: House) -> str:
    return house.scripted(P_OUT, house_rules=SHORT)


def test_a_move_sent_twice_is_made_once(table: str, ann: Caller) -> None:
    first, again = ann.move(table, "55", headers=KEY), ann.move(table, "55", headers=KEY)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.get_json()["events"] == again.get_json()["events"]
    assert first.get_json()["version"] == again.get_json()["version"] == ann.see(table)["version"]


def test_the_order_of_fields_and_the_way_a_tile_is_written_make_no_difference(
    table: str, ann: Caller, bob: Caller
) -> None:
    ann.move(table, "55")
    path = f"/tables/{table}/moves"
    bob.post(path, data='{"action":"play","tile":"53","end":"55.left"}', content_type="application/json", headers=KEY)
    for same in (
        '{"end":"55.left","tile":"35","action":"play"}',
        '{"action":"play","tile":"53","end":"55.left","count":3,"points":0,"announce":null,"lengthwise":false}',
    ):
        answer = bob.post(path, data=same, content_type="application/json; charset=utf-8", headers=KEY)
        assert answer.headers["Idempotent-Replayed"] == "true", answer.text


def test_whole_numbers_are_written_without_a_fraction_however_they_were_sent(ann: Caller, bob: Caller) -> None:
    table, ticket = {"bots": [{"seat": 1, "level": "easy", "forgetfulness": 0.0}]}, {"fill_with_bots_after": 60.0}
    for path, more in (("/tables", table), ("/tickets", ticket)):
        key = {"Idempotency-Key": f"one of {path[1:]}".replace(" ", "-")}
        first = ann.post(path, {**more, "clock": {"turn_seconds": 60.0, "claim_seconds": 5}}, headers=key)
        again = ann.post(path, {**more, "clock": {"turn_seconds": 60, "claim_seconds": 5.0}}, headers=key)
        assert '"turn_seconds":60,' in first.text
        assert ".0" not in first.text.replace(str(first.get_json()["id"]), "")
        assert (again.headers["Idempotent-Replayed"], again.get_json()["id"]) == ("true", first.get_json()["id"])
    met = bob.post("/tickets", {"clock": {"turn_seconds": 60}}).get_json()
    assert met["table"], "60 and 60.0 are the same clock"


def test_the_key_with_another_body_is_refused_even_before_the_version(table: str, ann: Caller) -> None:
    ann.move(table, "55", headers=KEY)
    refused(ann.move(table, "52", headers=KEY), 422, "idempotency_key_reused")
    refused(ann.move(table, "55", headers=KEY, expected_version=1), 422, "idempotency_key_reused")


def test_a_key_of_an_opened_table_is_used_up_everywhere(table: str, ann: Caller) -> None:
    opened = ann.post("/tables", {}, headers=KEY)
    assert opened.status_code == 201
    refused(ann.post("/practice", {}, headers=KEY), 422, "idempotency_key_reused")
    refused(ann.post("/tables", {"players": 4}, headers=KEY), 422, "idempotency_key_reused")
    refused(ann.move(table, "55", headers=KEY), 422, "idempotency_key_reused")
    again = ann.post("/tables", {"players": 2}, headers=KEY)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json()["id"] == opened.get_json()["id"]


def test_a_key_of_a_move_is_refused_at_other_addresses(house: House, table: str, ann: Caller, bob: Caller) -> None:
    other = house.scripted(P_OUT, house_rules=SHORT)
    ann.move(table, "55", headers=KEY)
    before = ann.see(other)["version"]
    refused(ann.move(other, "55", headers=KEY), 422, "idempotency_key_reused")
    refused(ann.post("/tables", {}, headers=KEY), 422, "idempotency_key_reused")
    refused(ann.post("/practice", {}, headers=KEY), 422, "idempotency_key_reused")
    assert ann.see(other)["version"] == before
    assert ann.move(table, "55", headers=KEY).headers["Idempotent-Replayed"] == "true"
    assert bob.move(table, "53>55.left", headers=KEY).status_code == 200, "keys are each player's own"


def test_an_hour_later_a_key_of_a_move_is_known_at_its_table_only(house: House, table: str, ann: Caller) -> None:
    ann.move(table, "55", headers=KEY)
    house.room.clock.advance(3601)
    assert ann.post("/tables", {}, headers=KEY).status_code == 201
    assert ann.move(table, "55", headers=KEY).headers["Idempotent-Replayed"] == "true"


def test_a_refused_move_leaves_its_key_free_elsewhere(table: str, ann: Caller) -> None:
    refused(ann.move(table, "draw", headers=KEY), 409, "must_play")
    assert ann.post("/tables", {}, headers=KEY).status_code == 201


def test_after_a_refusal_the_key_is_free(table: str, ann: Caller) -> None:
    refused(ann.move(table, "draw", headers=KEY), 409, "must_play")
    assert ann.move(table, "55", headers=KEY).status_code == 200


def test_two_players_may_use_the_same_key(house: House, ann: Caller, bob: Caller) -> None:
    mine, his = ann.post("/tables", {}, headers=KEY), bob.post("/tables", {}, headers=KEY)
    assert mine.get_json()["id"] != his.get_json()["id"]


def test_sitting_down_twice_with_one_key_is_sitting_down_once(house: House, bob: Caller) -> None:
    table = house.open_table()
    first, again = (bob.post(f"/tables/{table}/seats", {}, headers=KEY) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", "a" * 256, "a b", "ä", "a\tb"])
def test_a_key_that_is_no_key_is_refused(table: str, ann: Caller, key: str) -> None:
    refused(ann.move(table, "55", headers={"Idempotency-Key": key}), 400, "malformed")


def test_without_a_token_a_key_is_not_looked_at(spectator: Caller) -> None:
    for _ in range(2):
        answer = spectator.post("/practice", {}, headers={"Idempotency-Key": "a b"})
        assert answer.status_code == 201
        assert "Idempotent-Replayed" not in answer.headers


def test_a_second_ask_for_a_rematch_uses_its_key_up(house: House, ann: Caller) -> None:
    table = house.finished()
    ann.post(f"/tables/{table}/rematch")
    again = [ann.post(f"/tables/{table}/rematch", headers=KEY) for _ in range(2)]
    assert [answer.status_code for answer in again] == [200, 200]
    assert again[1].headers["Idempotent-Replayed"] == "true"
    assert again[0].get_json() == again[1].get_json()
    refused(ann.post("/tables", {}, headers=KEY), 422, "idempotency_key_reused")


WITHOUT_A_TOKEN = {"/v1/players", "/v1/players/link"}
"""Asked by those who are nobody yet: a key would be nobody's."""


def test_what_takes_no_key_says_so(spectator: Caller) -> None:
    for path, operations in spectator.get("/openapi.json").get_json()["paths"].items():
        post = operations.get("post")
        if post is not None and path not in WITHOUT_A_TOKEN:
            takes_key = any("Idempotency-Key" in str(parameter) for parameter in post.get("parameters", []))
            assert takes_key != ("`Idempotency-Key` has no effect" in post.get("description", "")), path


def seeds(table: str, house: House) -> dict[str, str]:
    return dict(house.room.store.load(table).client_seeds)


class TestASeedAtOnesOwnSeat:
    """It is no entry of the log, and its key counts all the same."""

    def test_a_late_retry_does_not_undo_a_newer_seed(self, house: House, ann: Caller) -> None:
        table = house.running()
        first = ann.post(f"/tables/{table}/seats", {"client_seed": "old"}, headers=KEY)
        house.room.clock.advance(20)
        ann.post(f"/tables/{table}/seats", {"client_seed": "new"}, headers={"Idempotency-Key": "two"})
        again = ann.post(f"/tables/{table}/seats", {"client_seed": "old"}, headers=KEY)
        assert seeds(table, house) == {ann.id: "new"}
        assert again.headers["Idempotent-Replayed"] == "true"
        assert (again.status_code, again.get_json()) == (200, first.get_json())

    def test_the_first_answer_stays_what_it_was_however_the_game_goes_on(
        self, house: House, ann: Caller, bob: Caller
    ) -> None:
        table = house.scripted(P_OUT, house_rules=SHORT)
        first = ann.post(f"/tables/{table}/seats", {"client_seed": "mine"}, headers=KEY)
        ann.move(table, "55")
        for number in range(9):
            ann.post(f"/tables/{table}/seats", {"client_seed": str(number)}, headers={"Idempotency-Key": f"k{number}"})
        assert ann.post(f"/tables/{table}/seats", {"client_seed": "mine"}, headers=KEY).get_json() == first.get_json()

    def test_the_key_with_another_seed_or_elsewhere_is_refused(self, house: House, ann: Caller) -> None:
        table = house.running()
        ann.post(f"/tables/{table}/seats", {"client_seed": "old"}, headers=KEY)
        refused(ann.post(f"/tables/{table}/seats", {"client_seed": "new"}, headers=KEY), 422, "idempotency_key_reused")
        refused(ann.post("/tables", {}, headers=KEY), 422, "idempotency_key_reused")
        assert seeds(table, house) == {ann.id: "old"}

    def test_a_key_used_elsewhere_brings_no_seed(self, house: House, ann: Caller) -> None:
        table = house.running()
        ann.post("/tables", {}, headers=KEY)
        refused(ann.post(f"/tables/{table}/seats", {"client_seed": "s"}, headers=KEY), 422, "idempotency_key_reused")
        assert seeds(table, house) == {}

    def test_while_the_first_is_running_the_second_waits_and_finishes_it_if_it_died(
        self, house: House, ann: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = house.running()
        body = {"client_seed": "mine"}

        def dies(*_: object) -> None:
            raise StoreUnavailable

        with monkeypatch.context() as patch:
            patch.setattr(house.room.store, "set_client_seed", dies)
            refused(ann.post(f"/tables/{table}/seats", body, headers=KEY), 503, "store_unavailable")
        refused(ann.post(f"/tables/{table}/seats", body, headers=KEY), 409, "request_in_progress")
        house.room.clock.advance(11)
        assert ann.post(f"/tables/{table}/seats", body, headers=KEY).status_code == 200
        assert seeds(table, house) == {ann.id: "mine"}

    def test_without_a_key_the_last_seed_counts(self, house: House, ann: Caller) -> None:
        table = house.running()
        for seed in ("old", "new", "old"):
            assert "Idempotent-Replayed" not in ann.post(f"/tables/{table}/seats", {"client_seed": seed}).headers
        assert seeds(table, house) == {ann.id: "old"}
