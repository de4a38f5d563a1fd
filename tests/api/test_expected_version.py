"""`expected_version`: every write at a table that has a body takes it, and is done on that version or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from app.api import openapi_document
from tests.api.cast import P_OUT, SHORT, Caller, House, refused


class Write(NamedTuple):
    who: str
    method: str
    path: str
    body: Callable[[House], dict[str, Any]]
    at: Callable[[House], str]
    """The table it is done at."""


def nothing(_house: House) -> dict[str, Any]:
    return {}


def waiting(house: House) -> str:
    return house.open_table(players=4)


def playing(house: House) -> str:
    return house.scripted(P_OUT, house_rules=SHORT)


WRITES = {
    "takeSeat": Write("bob", "POST", "seats", nothing, waiting),
    "seatBot": Write("ann", "PUT", "seats/1", lambda _: {"level": "easy"}, waiting),
    "movePlayer": Write("ann", "PUT", "seats/1/player", lambda house: {"player": house.ann.id}, waiting),
    "invitePlayer": Write("ann", "POST", "invitations", lambda house: {"player": house.eve.id}, waiting),
    "renewInvite": Write("ann", "POST", "invite", nothing, waiting),
    "makeMove": Write("ann", "POST", "moves", lambda _: {"action": "play", "tile": "55"}, playing),
    "setPremove": Write("bob", "PUT", "premove", lambda _: {"tile": "53"}, playing),
    "giveMoreTime": Write("bob", "POST", "more-time", nothing, playing),
    "askRematch": Write("ann", "POST", "rematch", nothing, lambda house: house.finished()),
}


def test_these_are_all_the_writes_at_a_table_that_have_a_body() -> None:
    document = openapi_document()
    schemas = document["components"]["schemas"]
    found = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if "{table_id}" in path and method in ("post", "put", "patch"):
                content = operation.get("requestBody", {"content": {}})["content"]
                names = [one["schema"]["$ref"].rpartition("/")[2] for one in content.values()]
                found[operation["operationId"]] = [
                    name for name in names if "expected_version" in schemas[name]["properties"]
                ]
    assert found.pop("askAnalysis") == [], "it changes nothing at the table"
    assert set(found) == set(WRITES)
    assert all(found.values())


@pytest.mark.parametrize("name", WRITES)
def test_a_write_is_done_on_the_version_it_is_for_or_not_at_all(house: House, name: str) -> None:
    write = WRITES[name]
    table = write.at(house)
    caller: Caller = getattr(house, write.who)
    version = house.ann.see(table)["version"]

    def ask(expected: int | None) -> TestResponse:
        body = {**write.body(house), "expected_version": expected}
        return caller.ask(write.method, f"/tables/{table}/{write.path}", json=body)

    for other in (version - 1, version + 1):
        problem = refused(ask(other), 409, "version_conflict")
        assert problem["params"] == {"expected": other, "version": version}
        assert problem["version"] == house.ann.see(table)["version"] == version
    assert ask(version).status_code in (200, 201)


def test_who_may_not_write_at_all_is_told_that_whatever_he_expects(house: House) -> None:
    expecting = {"expected_version": 1}
    table = playing(house)
    refused(house.bob.post(f"/tables/{waiting(house)}/invite", expecting), 403, "not_host")
    refused(house.eve.post(f"/tables/{house.running()}/more-time", expecting), 403, "not_seated")
    refused(house.ann.post(f"/tables/{table}/rematch", expecting), 409, "table_not_finished")
    refused(house.ann.post(f"/tables/{table}/more-time", expecting), 409, "version_conflict")
    refused(house.ann.post(f"/tables/{table}/more-time"), 409, "no_more_time")


def test_a_version_is_part_of_what_a_key_stands_for(house: House) -> None:
    table, key = playing(house), {"Idempotency-Key": "one"}
    version = house.bob.see(table)["version"]
    path = f"/tables/{table}/more-time"
    first = house.bob.post(path, {"expected_version": version}, headers=key)
    again = house.bob.post(path, {"expected_version": version}, headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.headers["Idempotent-Replayed"] == "true", "the record is looked at before the version"
    refused(house.bob.post(path, headers=key), 422, "idempotency_key_reused")
