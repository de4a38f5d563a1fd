"""Query arguments nobody knows, at every address."""

from __future__ import annotations

import pytest

from app.api import openapi_document
from tests.api.cast import Caller, refused
from tests.api.test_bodies import filled

OPERATIONS = [
    (method.upper(), path, operation)
    for path, item in openapi_document()["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict)
]


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=[one[2]["operationId"] for one in OPERATIONS])
def test_an_argument_nobody_knows_is_named_everywhere(
    ann: Caller, spectator: Caller, method: str, path: str, operation: dict[str, object]
) -> None:
    body = operation.get("requestBody")
    content = body["content"]["application/json"] if isinstance(body, dict) else None
    more = {} if content is None else {"json": content["example"]}
    bogus = f"{filled(path)}?bogus=1&waiting="
    if operation["security"] == [{"bearer": []}]:
        refused(spectator.ask(method, bogus, **more), 401, "unauthenticated")
    problem = refused(ann.ask(method, bogus, **more), 422, "invalid")
    assert sorted(error["path"] for error in problem["errors"]) == ["?bogus", "?waiting"]
    assert {error["code"] for error in problem["errors"]} == {"unknown_field"}
    parameters = operation.get("parameters", [])
    assert isinstance(parameters, list)
    documented = {one["name"] for one in parameters if one["in"] == "query"}
    assert {name for error in problem["errors"] for name in error["params"]["allowed"]} == documented


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/openapi.json", "/docs"])
def test_outside_of_the_api_they_do_not_matter(spectator: Caller, path: str) -> None:
    assert spectator.get(f"{path}?bogus=1").status_code == spectator.get(path).status_code
