"""A Python client generated from the document plays a game, reads refusals, and survives a newer server."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.whole.service import Service

pytestmark = pytest.mark.slow

PAGE: dict[str, Any] = {
    "events": [
        {
            "seq": 1,
            "type": "seat_taken",
            "at": "2026-01-01T12:00:00Z",
            "hand": None,
            "seat": 0,
            "occupant": {
                "kind": "house_bot",
                "player_id": None,
                "name": None,
                "level": "grandmaster",
                "forgetfulness": 0.0,
                "mood": "cheerful",
            },
            "weather": "fine",
        }
    ],
    "next_after": 1,
    "version": 1,
    "etc": [1, 2],
}
"""What a newer server may send: fields and a level that this client has never heard of."""
NEW_TYPE = {"seq": 2, "type": "cake_served", "at": "2026-01-01T12:00:00Z", "hand": None, "slices": 4}


@pytest.fixture
def typed(python_clients: Path) -> Callable[[str], ModuleType]:
    return lambda name: importlib.import_module(f"all_fives_typed.{name}")


def test_the_generated_client_plays_a_whole_game(typed: Callable[[str], Any], service: Service) -> None:
    package, models = typed("client"), typed("models")
    with package.Client(base_url=service.url) as stranger:
        newcomer = typed("api.players.create_player").sync(client=stranger, body=models.NewPlayer(name="Ana"))
    with package.AuthenticatedClient(base_url=service.url, token=newcomer.token) as client:
        table = typed("api.tables.open_table").sync(
            client=client,
            body=models.NewTable(
                house_rules=models.HouseRules(target_points=40),
                clock=models.ClockRequest(hand_break_seconds=0),
                bots=[models.BotSeat(seat=1, level="easy")],
            ),
            idempotency_key="open",
        )
        assert isinstance(table, models.TableView)
        assert table.ruleset.house_rules["target_points"] == 40
        table = _played_to_the_end(typed, client, table.id)
        assert max(table.result.scores) >= 40
        page = typed("api.events.list_events").sync(client=client, table_id=table.id, limit=1000)
        assert isinstance(page.events[-1], models.GameEnded)
        assert [event.seq for event in page.events] == list(range(1, table.version + 1))
        record = typed("api.hands.get_record").sync(client=client, table_id=table.id)
        assert record.result == table.result


def _played_to_the_end(typed: Callable[[str], Any], client: Any, table_id: str) -> Any:
    models = typed("models")
    look, move = typed("api.tables.get_table").sync, typed("api.moves.make_move").sync
    for turn in range(1000):
        table = look(client=client, table_id=table_id, wait=25, until=models.GetTableUntil.MY_TURN)
        assert isinstance(table, models.TableView)
        if table.status == models.TableStatus.FINISHED:
            return table
        if table.you.legal_moves:
            body = models.MoveRequest.from_dict(table.you.legal_moves[0].to_dict())
            answer = move(client=client, table_id=table_id, body=body, idempotency_key=f"turn-{turn}")
            assert isinstance(answer, models.MoveAnswer), answer
    raise AssertionError("the game does not end")


def test_a_refusal_is_a_typed_problem(typed: Callable[[str], Any], service: Service) -> None:
    package, models = typed("client"), typed("models")
    with package.Client(base_url=service.url) as stranger:
        started = typed("api.practice.start_practice").sync(client=stranger, body=models.NewPractice())
    with package.AuthenticatedClient(base_url=service.url, token=started.token) as client:
        answer = typed("api.moves.make_move").sync_detailed(
            client=client,
            table_id=started.table.id,
            body=models.MoveRequest(action=models.MoveAction.PLAY, tile="00", end="66.left", expected_version=0),
        )
        assert answer.status_code == 409
        assert isinstance(answer.parsed, models.Problem)
        assert answer.parsed.code in ("version_conflict", "not_your_turn")
        refused = typed("api.tables.get_table").sync(client=client, table_id="nowhere")
        assert isinstance(refused, models.Problem)
        assert refused.code == "not_found"


def test_fields_and_levels_that_are_new_do_not_break_the_client(typed: Callable[[str], Any]) -> None:
    page = typed("models").EventPage.from_dict(PAGE)
    (event,) = page.events
    assert event.occupant.level == "grandmaster"
    assert event["weather"] == "fine"


@pytest.mark.usefixtures("python_clients")
def test_an_event_type_that_is_new_does_not_break_the_flat_client() -> None:
    models = importlib.import_module("all_fives_flat.models")
    page = models.EventPage.from_dict({**PAGE, "events": [*PAGE["events"], NEW_TYPE]})
    assert [event.type_ for event in page.events] == ["seat_taken", "cake_served"]
    assert page.events[1]["slices"] == 4
