"""POST /v1/me/link-code and /v1/players/link: a second device."""

from __future__ import annotations

from werkzeug.test import TestResponse

from app.tables.guesses import INVITE_GUESSES, LINK_GUESSES
from tests.api.cast import Caller, House, refused


def code_of(caller: Caller) -> str:
    answer = caller.post("/me/link-code")
    assert answer.status_code == 201
    assert set(answer.get_json()) == {"code", "expires_at"}
    return str(answer.get_json()["code"])


def test_the_code_lets_another_device_in_once(house: House, ann: Caller, spectator: Caller) -> None:
    code = code_of(ann)
    typed = f" {code[:5].lower()}-{code[5:].lower()} "
    linked = spectator.post("/players/link", {"code": typed, "label": "phone"})
    assert linked.status_code == 201
    assert linked.get_json()["player"]["id"] == ann.id
    phone = Caller(house.client, linked.get_json()["token"])
    assert phone.get("/me").get_json()["id"] == ann.id
    assert {token["label"] for token in ann.get("/me/tokens").get_json()["items"]} == {None, "phone"}
    refused(spectator.post("/players/link", {"code": code}), 404, "not_found")


def test_a_newer_code_ends_the_older_and_time_ends_both(house: House, ann: Caller, spectator: Caller) -> None:
    first, second = code_of(ann), code_of(ann)
    assert first != second
    refused(spectator.post("/players/link", {"code": first}), 404, "not_found")
    house.room.clock.advance(600)
    refused(spectator.post("/players/link", {"code": second}), 404, "not_found")


def test_answers_with_a_code_or_a_token_are_never_given_again(ann: Caller, spectator: Caller) -> None:
    key = {"Idempotency-Key": "one"}
    codes = [ann.post("/me/link-code", headers=key) for _ in range(2)]
    assert codes[0].get_json()["code"] != codes[1].get_json()["code"]
    assert not any("Idempotent-Replayed" in answer.headers for answer in codes)
    code = codes[1].get_json()["code"]
    assert spectator.post("/players/link", {"code": code}, headers=key).status_code == 201
    refused(spectator.post("/players/link", {"code": code}, headers=key), 404, "not_found")


def test_a_code_is_not_lost_where_there_is_no_room_for_a_token(house: House, ann: Caller, spectator: Caller) -> None:
    made = [ann.post("/me/tokens", {}).get_json()["id"] for _ in range(19)]
    code = code_of(ann)
    refused(spectator.post("/players/link", {"code": code}), 422, "invalid")
    ann.ask("DELETE", f"/me/tokens/{made[0]}")
    assert spectator.post("/players/link", {"code": code}).status_code == 201


def test_guessing_is_limited_for_all_codes_alike(house: House, ann: Caller, spectator: Caller) -> None:
    for number in range(30):
        refused(spectator.post("/players/link", {"code": f"WRONG{number}"}), 404, "not_found")
    for code in ("WRONG", code_of(ann)):
        answer = spectator.post("/players/link", {"code": code})
        refused(answer, 429, "rate_limited")
        assert 0 < int(answer.headers["Retry-After"]) <= 600
    house.room.clock.advance(600)
    assert spectator.post("/players/link", {"code": code_of(ann)}).status_code == 201


def test_a_right_code_is_not_counted_where_there_is_no_room_for_a_token(ann: Caller, spectator: Caller) -> None:
    for _ in range(19):
        ann.post("/me/tokens", {})
    code = code_of(ann)
    for _ in range(LINK_GUESSES.at_most + 5):
        refused(spectator.post("/players/link", {"code": code}), 422, "invalid")


def test_guesses_of_one_household_are_counted_together_whatever_its_addresses(spectator: Caller) -> None:
    def guess_from(address: str) -> TestResponse:
        return spectator.post("/players/link", {"code": "WRONG"}, environ_base={"REMOTE_ADDR": address})

    for number in range(30):
        refused(guess_from(f"2001:db8::{number:x}"), 404, "not_found")
    refused(guess_from("2001:db8::ffff:ffff:ffff:ffff"), 429, "rate_limited")
    refused(guess_from("2001:db8:0:1::1"), 404, "not_found")


def test_guesses_with_a_token_are_counted_by_household_as_well(house: House, ann: Caller) -> None:
    for _ in range(INVITE_GUESSES.at_most):
        house.room.attempts.take("invite", "address 2001:db8::", INVITE_GUESSES.at_most, INVITE_GUESSES.seconds)
    there, elsewhere = ({"REMOTE_ADDR": address} for address in ("2001:db8::7", "2001:db8:0:1::7"))
    refused(ann.get("/invites/WRONG", environ_base=there), 429, "rate_limited")
    refused(ann.get("/invites/WRONG", environ_base=elsewhere), 404, "not_found")


def test_whoever_is_deleted_cannot_be_linked(ann: Caller, spectator: Caller) -> None:
    code = code_of(ann)
    ann.ask("DELETE", "/me")
    refused(spectator.post("/players/link", {"code": code}), 404, "not_found")
