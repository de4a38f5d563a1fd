"""GET /v1/tables/{id}: who sees what, waiting, and ETags."""

from __future__ import annotations

from threading import Timer
from typing import Any

import pytest

from app.api.document import GUIDE
from app.api.etags import MAY_HAVE_MOVED
from tests.api.cast import P_DRAW, P_OUT, SHORT, Caller, House, refused


def test_a_seat_sees_its_own_tiles_and_a_spectator_sees_none(
    house: House, ann: Caller, bob: Caller, eve: Caller
) -> None:
    table = house.running()
    mine, his, strangers = ann.see(table), bob.see(table), eve.see(table)
    assert len(mine["you"]["holding"]) == len(his["you"]["holding"]) == 7
    assert not set(mine["you"]["holding"]) & set(his["you"]["holding"])
    assert strangers["you"] is None
    assert [seat["tiles"] for seat in strangers["seats"]] == [7, 7]


def test_only_whoever_is_on_turn_has_legal_moves(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    assert {move["tile"] for move in ann.see(table)["you"]["legal_moves"]} == {"55", "52"}
    assert bob.see(table)["you"]["legal_moves"] == []


def test_private_tables_and_unknown_ones_are_the_same_404(
    house: House, ann: Caller, eve: Caller, spectator: Caller
) -> None:
    private = house.open_table(visibility="private")
    for caller in (eve, spectator):
        for path in ("", "/events", "/hands/1", "/record"):
            known, unknown = (caller.get(f"/tables/{table}{path}") for table in (private, "A" * len(private)))
            refused(known, 404, "not_found")
            told = [
                {
                    field: value
                    for field, value in answer.get_json(force=True).items()
                    if field not in ("instance", "request_id")
                }
                for answer in (known, unknown)
            ]
            assert told[0] == told[1]
            assert set(known.headers.keys()) == set(unknown.headers.keys())
    assert ann.see(private)["invite_code"]


def test_newer_than_answers_at_once_when_there_is_news_and_else_after_the_wait(house: House, ann: Caller) -> None:
    table = house.open_table()
    version = ann.see(table)["version"]
    assert ann.get(f"/tables/{table}?newer_than={version - 1}&wait=25").get_json()["version"] == version
    assert ann.get(f"/tables/{table}?newer_than={version}&wait=0.05").get_json()["version"] == version
    assert ann.get(f"/tables/{table}?newer_than={version}").get_json()["version"] == version


def test_my_turn_can_be_waited_for_without_a_version(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    assert ann.get(f"/tables/{table}?until=my_turn&wait=25").get_json()["you"]["legal_moves"]
    assert bob.get(f"/tables/{table}?until=my_turn&wait=0.05").get_json()["you"]["legal_moves"] == []


@pytest.mark.parametrize(
    "query",
    [
        "wait=26",
        "wait=-1",
        "wait=nan",
        "wait=inf",
        "wait=1e2",
        "wait=1e999",
        "wait=+1",
        "wait=0x1",
        "newer_than=-1",
        "newer_than=x",
        "until=lunch",
    ],
)
def test_waits_that_cannot_be_are_refused(house: House, ann: Caller, query: str) -> None:
    refused(ann.get(f"/tables/{house.open_table()}?{query}"), 422, "invalid")


def test_a_version_from_the_future_is_refused(house: House, ann: Caller) -> None:
    refused(ann.get(f"/tables/{house.open_table()}?newer_than=999999&wait=25"), 409, "cursor_ahead")


def test_the_etag_is_the_version_and_the_viewer(house: House, ann: Caller, spectator: Caller) -> None:
    table = house.open_table()
    answer = ann.get(f"/tables/{table}")
    etag = answer.headers["ETag"]
    assert etag == f'W/"{answer.get_json()["version"]}-{ann.id}"'
    unchanged = ann.get(f"/tables/{table}", headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert unchanged.headers["ETag"] == etag
    assert unchanged.headers["Cache-Control"] == "private, no-store"
    for others in (
        spectator.get(f"/tables/{table}", headers={"If-None-Match": etag}),
        house.bob.post(f"/tables/{table}/seats"),
    ):
        assert others.status_code == 200
    assert ann.get(f"/tables/{table}", headers={"If-None-Match": etag}).status_code == 200


def test_what_a_304_may_hide_is_told(house: House, ann: Caller, bob: Caller) -> None:
    running = house.scripted(P_DRAW, clock={"turn_seconds": 10, "bank_seconds": 20})
    kept = ann.post(f"/tables/{house.finished()}/rematch").get_json()["id"]
    bob.see(running)
    before = [ann.see(table) for table in (running, kept)]
    tags = [ann.get(f"/tables/{table}").headers["ETag"] for table in (running, kept)]
    house.room.clock.advance(16)
    for caller in (ann, bob):
        assert caller.ask("PATCH", "/me", json={"name": "Zed"}).status_code == 200
    for table, tag in zip((running, kept), tags, strict=True):
        assert ann.get(f"/tables/{table}", headers={"If-None-Match": tag}).status_code == 304
    after = [ann.see(table) for table in (running, kept)]
    assert {field for pair in zip(before, after, strict=True) for field in _differing(*pair)} == set(MAY_HAVE_MOVED)
    (told,) = [part for part in GUIDE.read_text(encoding="utf-8").split("\n\n") if "`If-None-Match` with 304" in part]
    assert not [field for field in MAY_HAVE_MOVED if f"`{field}`" not in told]


def _differing(one: Any, other: Any, name: str = "") -> set[str]:
    """Names of the fields, however deep, that two views of a table do not share."""
    match one, other:
        case dict(), dict():
            assert one.keys() == other.keys()
            return {found for field in one for found in _differing(one[field], other[field], field)}
        case list(), list():
            return {found for pair in zip(one, other, strict=True) for found in _differing(*pair, name)}
    return set() if one == other else {name}


def test_an_etag_for_a_table_one_may_not_see_is_still_404(house: House, eve: Caller) -> None:
    table = house.open_table(visibility="private")
    for etag in ('W/"1-spectator"', f'W/"2-{eve.id}"', "*"):
        refused(eve.get(f"/tables/{table}", headers={"If-None-Match": etag}), 404, "not_found")


def test_a_long_poll_with_an_etag_waits_first_and_then_says_unchanged(house: House, ann: Caller) -> None:
    table = house.open_table()
    answer = ann.get(f"/tables/{table}")
    version, etag = answer.get_json()["version"], answer.headers["ETag"]
    path = f"/tables/{table}?newer_than={version}&wait=0.05"
    assert ann.get(path, headers={"If-None-Match": etag}).status_code == 304


def test_waiting_for_ones_turn_with_an_etag_waits_like_waiting_without(house: House, ann: Caller, bob: Caller) -> None:
    table = house.scripted(P_OUT, house_rules=SHORT)
    path, etag = f"/tables/{table}?until=my_turn", bob.get(f"/tables/{table}").headers["ETag"]
    assert bob.get(f"{path}&wait=0.05", headers={"If-None-Match": etag}).status_code == 304
    move = Timer(0.3, lambda: ann.move(table, "55"))
    move.start()
    answer = bob.get(f"{path}&wait=25", headers={"If-None-Match": etag})
    move.join()
    assert answer.status_code == 200, "he was called when he could do something"
    assert answer.get_json()["you"]["legal_moves"]
    on_turn = {"If-None-Match": answer.headers["ETag"]}
    assert bob.get(f"{path}&wait=25", headers=on_turn).status_code == 304, "his turn, and he knows it"


def test_nothing_that_one_seat_gets_depends_on_what_another_holds() -> None:
    """Two deals that differ only in Bob's tiles and the boneyard are the same to Ann, byte for byte."""
    mine, his = P_DRAW["holdings"]
    boneyard = P_DRAW["boneyard"]
    other = {"holdings": [mine, boneyard[:7]], "boneyard": [*his, *boneyard[7:]], "leader": 0}
    assert _what_ann_gets(P_DRAW) == _what_ann_gets(other)


def _what_ann_gets(deal: dict[str, Any]) -> list[str]:
    """Answers as text, headers and all, without what is new in every house: ids, codes, the commitment."""
    house = House()
    table = house.scripted(deal)
    answers = [
        house.ann.get(f"/tables/{table}"),
        house.ann.get(f"/tables/{table}/events"),
        house.ann.move(table, "00"),
        house.ann.move(table, "61>55.left"),
        house.ann.get(f"/tables/{table}/record"),
        house.ann.move(table, "61"),
        house.ann.move(table, "66"),
    ]
    committed = house.ann.get(f"/tables/{table}/record").get_json()["commitment"]
    new = (table, house.ann.id, house.bob.id, house.ann.see(table)["invite_code"], committed)
    texts = []
    for answer in answers:
        request_id = answer.headers.pop("X-Request-Id")
        answer.headers.pop("X-Server-Time")
        text = f"{answer.status} {answer.headers} {answer.text}"
        for name in (*new, request_id):
            text = text.replace(str(name), "…")
        texts.append(text)
    return texts
