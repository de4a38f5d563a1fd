"""What the document says of answers is what answers are: every documented field is there, and no other."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import Schema, fields

from app.api import openapi_document
from app.api.schemas.analyses import AnalysisSchema
from app.api.schemas.calculations import LayoutCalculationSchema
from app.api.schemas.events import EVENTS, AnyEvent, EventPageSchema
from app.api.schemas.feed import FeedPageSchema
from app.api.schemas.hands import FinishedHandSchema, GameRecordSchema, KnowledgeSchema
from app.api.schemas.invitations import InvitationListSchema, InvitationSchema
from app.api.schemas.move_answers import MoveAnswerSchema
from app.api.schemas.options import OptionsSchema
from app.api.schemas.players import (
    LinkCodeSchema,
    NewTokenAnswerSchema,
    PlayerSchema,
    RegisteredPlayerSchema,
    TokenListSchema,
)
from app.api.schemas.practice import PracticeStartedSchema
from app.api.schemas.premoves import PremoveSchema
from app.api.schemas.problems import ProblemSchema
from app.api.schemas.rulesets import RuleSetDetailSchema, RuleSetListSchema
from app.api.schemas.standing import LeaderboardSchema, ProfileSchema
from app.api.schemas.tables import TableListSchema, TableViewSchema
from app.api.schemas.tickets import TicketSchema
from tests.api.cast import P_DRAW, P_OUT, SHORT, House

HIDDEN = {"table_created": {"script", "invite_code", "secret"}, "invite_renewed": {"invite_code"}}
"""Fields that the log has and no reader ever gets: always null, and not documented."""


def hold(schema: Schema, answer: Any, where: str = "") -> None:
    """The answer has every field of the schema, of the right kind, and no other."""
    problems = schema.validate(answer)
    assert not problems, (where, problems)
    _same_fields(schema, answer, where)


def _same_fields(schema: Schema, answer: dict[str, Any], where: str) -> None:
    hidden = HIDDEN.get(answer.get("type", ""), set())
    assert all(answer[name] is None for name in hidden & set(answer)), where
    assert set(answer) - hidden == set(schema.fields), (where, set(answer) ^ set(schema.fields))
    for name, field in schema.fields.items():
        _inner(field, answer[name], f"{where}.{name}")


def _inner(field: fields.Field[Any], value: Any, where: str) -> None:
    if value is None:
        assert field.allow_none, where
    elif isinstance(field, AnyEvent):
        hold(EVENTS[value["type"]](), value, f"{where}<{value['type']}>")
    elif isinstance(field, fields.Nested):
        _same_fields(field.schema, value, where)
    elif isinstance(field, fields.List):
        for one in value:
            _inner(field.inner, one, f"{where}[]")
    elif isinstance(field, fields.Dict) and field.value_field is not None:
        for one in value.values():
            _inner(field.value_field, one, f"{where}{{}}")


@pytest.fixture
def answers(house: House) -> dict[str, tuple[Schema, Any]]:
    """One real answer per documented schema, from tables in every state."""
    ann, bob, spectator = house.ann, house.bob, house.spectator
    waiting, playing, finished = house.open_table(), house.running(), house.finished()
    drawing = house.scripted(P_DRAW)
    ann.move(drawing, "61")
    moved = bob.move(drawing, "draw").get_json()
    longer = house.scripted(P_OUT, house_rules=SHORT)
    for caller, move in ((ann, "55"), (bob, "53>55.left"), (ann, "52>55.right")):
        assert caller.move(longer, move).status_code == 200
    left = house.running()
    ann.ask("DELETE", f"/tables/{left}/seats/0")
    over = house.finished()
    ann.post(f"/tables/{waiting}/invite")
    banked = house.scripted(P_DRAW, clock={"bank_seconds": 30})
    premove = bob.ask("PUT", f"/tables/{banked}/premove", json={"tile": "00"})
    bob.post(f"/tables/{banked}/more-time")
    inviting = house.open_table(players=4)
    bob.post(f"/tables/{inviting}/seats")
    fay = house.newcomer("Fay")
    declined = ann.post(f"/tables/{inviting}/invitations", {"player": fay.id}).get_json()
    fay.post(f"/invitations/{declined['id']}/decline", {})
    invitation = ann.post(f"/tables/{inviting}/invitations", {"player": house.eve.id}).get_json()
    rematch = ann.post(f"/tables/{over}/rematch").get_json()
    asked = ann.post(f"/tables/{longer}/hands/1/analysis").get_json()
    house.room.analyses.work(longer, 1)
    return {
        "player": (PlayerSchema(), ann.get("/me").get_json()),
        "registered": (RegisteredPlayerSchema(), spectator.post("/players", {"name": "Zoe"}).get_json()),
        "profile": (ProfileSchema(), spectator.get(f"/players/{ann.id}").get_json()),
        "board": (LeaderboardSchema(), spectator.get("/leaderboards/all-fives").get_json()),
        "token": (NewTokenAnswerSchema(), ann.post("/me/tokens", {}).get_json()),
        "link code": (LinkCodeSchema(), ann.post("/me/link-code").get_json()),
        "tokens": (TokenListSchema(), ann.get("/me/tokens").get_json()),
        "practice": (PracticeStartedSchema(), spectator.post("/practice").get_json()),
        "options": (OptionsSchema(), spectator.get("/options").get_json()),
        "rule sets": (RuleSetListSchema(), spectator.get("/rulesets").get_json()),
        "rule set": (RuleSetDetailSchema(), spectator.get("/rulesets/sniff").get_json()),
        "layout": (
            LayoutCalculationSchema(),
            spectator.post("/rulesets/sniff/layouts", {"plays": [{"tile": "55"}], "holding": ["52"]}).get_json(),
        ),
        "lobby": (TableListSchema(), spectator.get("/tables?status=playing").get_json()),
        "my tables": (TableListSchema(), ann.get("/me/tables").get_json()),
        "open": (TableViewSchema(), ann.see(waiting)),
        "playing": (TableViewSchema(), ann.see(playing)),
        "playing, seen by a spectator": (TableViewSchema(), spectator.see(playing)),
        "between hands": (TableViewSchema(), ann.see(longer)),
        "finished": (TableViewSchema(), bob.see(finished)),
        "with a stand-in": (TableViewSchema(), bob.see(left)),
        "with a seat kept": (TableViewSchema(), rematch),
        "events with a seat kept": (EventPageSchema(), ann.get(f"/tables/{rematch['id']}/events").get_json()),
        "ticket": (TicketSchema(), ann.post("/tickets", {}).get_json()),
        "ticket that found others": (TicketSchema(), bob.post("/tickets", {}).get_json()),
        "pre-move": (PremoveSchema(), premove.get_json()),
        "with a bank": (TableViewSchema(), ann.see(banked)),
        "events with more time": (EventPageSchema(), ann.get(f"/tables/{banked}/events").get_json()),
        "invitation": (InvitationSchema(), invitation),
        "invitations": (InvitationListSchema(), house.eve.get("/me/invitations").get_json()),
        "events with an invitation": (EventPageSchema(), spectator.get(f"/tables/{inviting}/events").get_json()),
        "events with an invitation, inside": (EventPageSchema(), bob.get(f"/tables/{inviting}/events").get_json()),
        "events with a new invite": (EventPageSchema(), ann.get(f"/tables/{waiting}/events").get_json()),
        "events after a rematch": (EventPageSchema(), ann.get(f"/tables/{over}/events").get_json()),
        "move": (MoveAnswerSchema(), moved),
        "events": (EventPageSchema(), bob.get(f"/tables/{longer}/events").get_json()),
        "events with a stand-in": (EventPageSchema(), bob.get(f"/tables/{left}/events").get_json()),
        "events to the end": (EventPageSchema(), bob.get(f"/tables/{finished}/events").get_json()),
        "feed": (FeedPageSchema(), bob.get("/me/events?after=0").get_json()),
        "hand": (FinishedHandSchema(), bob.get(f"/tables/{finished}/hands/1").get_json()),
        "analysis asked for": (AnalysisSchema(), asked),
        "analysis": (AnalysisSchema(), ann.get(f"/tables/{longer}/hands/1/analysis").get_json()),
        "knowledge": (KnowledgeSchema(), bob.get(f"/tables/{playing}/knowledge").get_json()),
        "record": (GameRecordSchema(), bob.get(f"/tables/{longer}/record").get_json()),
        "record of nothing yet": (GameRecordSchema(), bob.get(f"/tables/{playing}/record").get_json()),
        "problem": (ProblemSchema(), ann.get("/tables?limit=x").get_json(force=True)),
        "problem on turn": (ProblemSchema(), bob.move(drawing, "pass").get_json(force=True)),
    }


def test_real_answers_hold_exactly_what_is_documented(answers: dict[str, tuple[Schema, Any]]) -> None:
    for name, (schema, answer) in answers.items():
        hold(schema, answer, name)


def test_every_documented_answer_is_held_against_a_real_one(answers: dict[str, tuple[Schema, Any]]) -> None:
    documented = {
        response["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for item in openapi_document()["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
        for response in operation["responses"].values()
        if "application/json" in response.get("content", {})
    }
    assert documented <= {type(schema).__name__.removesuffix("Schema") for schema, _ in answers.values()}


def test_a_missing_or_an_additional_field_would_be_noticed(answers: dict[str, tuple[Schema, Any]]) -> None:
    schema, player = answers["player"]
    for wrong in ({**player, "age": 5}, {key: value for key, value in player.items() if key != "name"}):
        with pytest.raises(AssertionError):
            hold(schema, wrong)
