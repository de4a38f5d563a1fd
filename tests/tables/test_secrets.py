"""Non-interference: other hidden tiles, and nothing that a viewer gets differs by a byte."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from app.tables import fair_deal
from app.tables.chance import SystemChance
from app.tables.refusals import Refusal
from app.tables.requests import Asker, MoveRequest
from tests.tables.room import Room, bot


class Twice:
    """Chance that gives two rooms the same ids and secrets."""

    def __init__(self) -> None:
        self._ids = itertools.count()

    def order(self) -> tuple[str, ...]:
        return SystemChance().order()

    def secret(self) -> str:
        return "0" * 64

    def table_id(self) -> str:
        return f"table-{next(self._ids)}"

    def invite_code(self) -> str:
        return "CODE"


def room_with(order: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> Room:
    """A room whose deals are this order, though its secrets, and so its commitments, are everybody's."""
    room = Room()
    room.tables._chance = Twice()
    monkeypatch.setattr(fair_deal, "shuffled", lambda *_: fair_deal.Shuffled(order, 0))
    return room


def everything_seen(room: Room, asker: Asker, table_id: str, names: dict[str, str]) -> bytes:
    """All that this viewer can get: view, events, lists, record, and every refusal."""
    got: list[object] = [room.view(asker, table_id)]
    got.append(room.tables.events(asker, table_id, after=0, limit=500, wait=0))
    got.append(room.tables.record(asker, table_id))
    got.append(room.tables.lobby(asker, status="playing", ruleset=None, players=None, limit=9, cursor=None))
    if asker.player_id is not None:
        got.append(room.tables.of_player(asker, status=None, limit=9, cursor=None))
    ends = ["lead", *(end.end for end in (room.view(asker, table_id).hand.layout.ends))]  # type: ignore[union-attr]
    tried: list[tuple[str, str | None, str | None]] = [
        ("draw", None, None),
        ("pass", None, None),
        ("muggins", None, None),
    ]
    tried += [("play", f"{high}{low}", end) for high in range(7) for low in range(high + 1) for end in [*ends, "x"]]
    you = room.view(asker, table_id).you
    legal = {(m.action, m.tile, m.end) for m in you.legal_moves} if you else set()
    for action, tile, end in tried:
        if (action, tile, end) in legal:
            continue
        try:
            room.tables.act(asker, table_id, MoveRequest(action=action, tile=tile, end=end), None)
        except Refusal as refusal:
            got.append((refusal.code, refusal.detail, refusal.params, refusal.version, refusal.legal_moves))
        else:
            raise AssertionError(f"{action} {tile} {end} was accepted but not listed")
    try:
        room.tables.finished_hand(asker, table_id, 1)
    except Refusal as refusal:
        got.append((refusal.code, refusal.detail))
    text = msgspec.json.encode(got).decode()
    for player_id, name in names.items():
        text = text.replace(player_id, name)
    return text.encode()


def names_of(room: Room) -> dict[str, str]:
    cast = {"Ann": room.ann, "Bob": room.bob, "Cat": room.cat, "Dan": room.dan, "Eve": room.eve}
    return {asker.player_id or "": name for name, asker in cast.items()}


@pytest.mark.parametrize("ruleset", ["all-fives", "all-fives-claim"])
@pytest.mark.parametrize("viewer", ["seat 0", "spectator"])
def test_a_viewer_gets_the_same_bytes_whatever_the_tiles_he_may_not_know(
    ruleset: str, viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 0 holds and plays the same; seat 1's tiles and the boneyard are exchanged."""
    order = SystemChance().order()
    mine, rest = order[:7], order[7:]
    swapped = (*mine, *reversed(rest))
    seen = []
    for deal in ((*mine, *rest), swapped):
        room = room_with(deal, monkeypatch)
        table_id = room.open(room.bob, players=2, ruleset=ruleset)
        room.play(room.ann, table_id, mine[0])
        asker = room.ann if viewer == "seat 0" else Asker()
        seen.append(everything_seen(room, asker, table_id, names_of(room)))
    assert seen[0] == seen[1]


def test_a_draw_tells_the_others_how_many_tiles_and_nothing_else() -> None:
    """Bob draws four tiles in both rooms; which ones differ except the last, which he still hides."""
    seen = []
    for drawn in ("50 40 32 64", "54 53 42 63"):
        room = Room()
        room.tables._chance = Twice()
        table_id = room.practice("61 66 11 62 | 00 22 33 55", boneyard=f"{drawn} 10", leader=0)
        room.play(room.ann, table_id, "61")
        room.play(room.bob, table_id, "draw")
        seen.append(everything_seen(room, room.ann, table_id, names_of(room)))
    assert seen[0] == seen[1]


def test_the_spectator_and_the_partner_see_no_tile_of_a_running_hand() -> None:
    """In pairs the partner's tiles are as hidden as anybody's."""
    room = Room()
    table_id = room.open(room.bob, room.cat, room.dan, players=4)
    for asker in (Asker(), room.cat):
        page = room.tables.events(asker, table_id, after=0, limit=200, wait=0)
        dealt = next(event for event in page.events if type(event).__name__ == "HandDealt")
        own = room.table(table_id).seat_of(asker.player_id)
        assert [seat for seat, held in enumerate(dealt.holdings) if held is not None] == ([own] if own else [])  # type: ignore[union-attr]
        assert dealt.boneyard_tiles is None  # type: ignore[union-attr]
        started = next(event for event in page.events if type(event).__name__ == "TurnStarted")
        assert (started.legal_moves is not None) == (started.seat == own)  # type: ignore[union-attr]


def test_the_tables_own_secrets_are_never_in_what_anybody_reads() -> None:
    room = Room()
    table_id = room.open(players=2, sit=False, visibility="private", bots=(bot(0), bot(1)))
    room.later(table_id, 1000)
    table = room.table(table_id)
    read = [
        room.view(room.ann, table_id),
        room.tables.events(room.ann, table_id, after=0, limit=5000, wait=0),
        room.tables.record(room.ann, table_id),
        room.tables.finished_hand(room.ann, table_id, 1),
    ]
    text = msgspec.json.encode(read).decode()
    assert table.secret not in text
    assert (table.invite_code or "?") not in msgspec.json.encode(read[1:]).decode()
