"""Requests made from the document, good and bad, at every operation: never a 5xx, always answered as documented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance, response_schema_conformance

from app.api import openapi_document
from tests.api.cast import P_OUT, SHORT, House

pytestmark = pytest.mark.slow

DOCUMENT = openapi_document()
EXAMPLES = 25
"""Requests per operation, caller and mode."""
EXCLUDED: list[Callable[[schemathesis.CheckContext, schemathesis.Response, Case[Any]], bool | None]] = [
    positive_data_acceptance
]
"""A body of the right shape can still be refused: names, house rules and practice deals have rules of their own."""


def _excluded(method: str, path: str) -> list[Any]:
    """An SSE answer is documented as the text it is (3.1 has no words for its events); its tests read the events."""
    answer = DOCUMENT["paths"][path][method.lower()]["responses"].get("200", {})
    streams = "text/event-stream" in answer.get("content", {})
    return [*EXCLUDED, response_schema_conformance] if streams else list(EXCLUDED)


@pytest.fixture(scope="module")
def called_at() -> House:
    """A house about to stop: who waits is answered at once, and a stream ends when it has told what is there."""
    house = House()
    house.room.store.stopping = True
    return house


@pytest.fixture(scope="module")
def known(called_at: House) -> dict[str, str]:
    """Ids that exist, so that more than 404 is reached."""
    return {
        "table_id": called_at.scripted(P_OUT, house_rules=SHORT),
        "ruleset_id": "all-fives",
    }


@pytest.fixture(scope="module")
def described(called_at: House) -> BaseSchema:
    return schemathesis.openapi.from_wsgi("/openapi.json", called_at.app)


OPERATIONS = [
    (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict)
]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
bounded = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


def _takes_anything(method: str, path: str) -> bool:
    """Whether there is something to get wrong."""
    item = DOCUMENT["paths"][path]
    operation = item[method.lower()]
    return bool(item.get("parameters") or operation.get("parameters") or "requestBody" in operation)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_strangers_are_answered_as_documented(
    described: BaseSchema, method: str, path: str, mode: GenerationMode
) -> None:
    if mode is GenerationMode.NEGATIVE and not _takes_anything(method, path):
        return

    @bounded
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def answered(case: Case[Any]) -> None:
        case.call_and_validate(excluded_checks=_excluded(method, path))

    answered()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one != ("DELETE", "/v1/me")])
def test_players_are_answered_as_documented(
    described: BaseSchema, called_at: House, known: dict[str, str], operation: tuple[str, str], mode: GenerationMode
) -> None:
    method, path = operation

    if mode is GenerationMode.NEGATIVE and not _takes_anything(method, path):
        return

    @bounded
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def answered(case: Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE:  # elsewhere the id may be what is wrong
            case.path_parameters.update({name: known[name] for name in set(known) & set(case.path_parameters)})
        token = {"Authorization": f"Bearer {called_at.ann.token}"}
        case.call_and_validate(headers=token, excluded_checks=_excluded(method, path))

    answered()
