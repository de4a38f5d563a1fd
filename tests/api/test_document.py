"""The OpenAPI document: as committed, valid, and by the rules that keep generated SDKs clean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from app.api import openapi_document
from app.api.problems import KINDS
from app.api.schemas.asked import Asked
from app.api.schemas.events import EVENTS
from app.tables.events import TableEvent
from tests.api.cast import House

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
OPEN_SETS = {"reason", "lead_by", "by", "code", "level", "levels", "ruleset"}


@pytest.fixture(params=["typed", "flat"])
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return openapi_document(request.param)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if isinstance(operation, dict):
                yield method, path, operation


def nodes(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for child in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from nodes(child)


def test_the_committed_document_is_what_the_code_says() -> None:
    text = json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"
    assert COMMITTED.read_text(encoding="utf-8") == text, "run `allfives openapi`"


def test_the_document_is_valid_openapi_3_1_0(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"] == "3.1.0"
    assert document["info"]["license"]["identifier"]


def test_every_route_is_documented_and_nothing_else(house: House, document: dict[str, Any]) -> None:
    routed = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in house.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/v1/")
    }
    assert routed == {(method.upper(), path) for method, path, _ in operations(document)}


def test_operation_ids_are_camel_case_and_unique_and_each_operation_has_one_tag(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name) for name in names), names
    assert all(len(operation["tags"]) == 1 for _, _, operation in operations(document))
    assert {operation["tags"][0] for _, _, operation in operations(document)} == {
        tag["name"] for tag in document["tags"]
    }


def test_every_operation_has_a_summary_of_one_sentence(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        assert re.fullmatch(r"[A-Z][^\n]+\.", operation["summary"]), operation["summary"]


def test_every_error_is_listed_and_is_a_problem(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        statuses = set(operation["responses"])
        assert {"400", "422", "429", "503"} <= statuses, (method, path)
        assert "default" not in statuses
        assert ("401" in statuses) == (operation["security"] != []), (method, path)
        assert ("413" in statuses) == ("415" in statuses) == (method in ("post", "put", "patch")), (method, path)
        assert "404" in statuses or "{" not in path, (method, path)
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert response["content"] == {
                    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                }, (method, path, status)
                for code in re.findall(r"`(\w+)`:", response["description"]):
                    assert KINDS[code].status == int(status)


def test_answers_may_carry_more_and_requests_may_not(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    asked = set()
    waiting = [operation["requestBody"] for _, _, operation in operations(document) if "requestBody" in operation]
    while waiting:
        for node in nodes(waiting.pop()):
            name = node.get("$ref", "").removeprefix("#/components/schemas/")
            if name and name not in asked:
                asked.add(name)
                waiting.append(schemas[name])
    for name, schema in schemas.items():
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is (name not in asked), name
            if name not in asked:
                assert sorted(schema["required"]) == sorted(schema["properties"]), name


def test_closed_sets_are_named_components_and_open_sets_are_plain_strings(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    enums = {name for name, schema in schemas.items() if "enum" in schema}
    assert {
        "PlayerKind",
        "ProfileKind",
        "OccupantKind",
        "TableStatus",
        "TicketStatus",
        "AnalysisStatus",
        "AnalysisMethod",
        "Visibility",
        "Seating",
        "MoveAction",
        "HandPhase",
        "EndKind",
    } == enums
    for name, schema in schemas.items():
        for field, value in schema.get("properties", {}).items():
            if field in OPEN_SETS:
                assert "enum" not in value, (name, field)
                assert "$ref" not in json.dumps(value) or field == "ruleset", (name, field)
    for name, schema in schemas.items():
        if name not in enums and schema.get("additionalProperties") is True:
            assert not any("enum" in node for node in nodes(schema)), name


def test_no_map_is_a_number_as_well(document: dict[str, Any]) -> None:
    for node in nodes(document):
        kinds = node.get("type")
        if isinstance(kinds, list):
            assert len(set(kinds) - {"null"}) == 1, node
        for choice in ("oneOf", "anyOf"):
            if choice in node and node.get("discriminator") is None:
                assert len([one for one in node[choice] if one != {"type": "null"}]) == 1, node


def test_component_names_clash_with_nothing_and_are_all_used(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert not {"Action", "Layout", "PaginationMetadata", "Error", "Response", "Object", "Any", "Unset"} & set(schemas)
    assert list(schemas) == sorted(schemas)
    used = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert used == set(schemas)


def test_nothing_of_the_workshop_is_left_in_the_document(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    assert "x-closed-set" not in text
    assert "x-const" not in text
    assert "x-any-event" not in text
    assert "ETag" not in json.dumps(document["paths"])
    assert "If-None-Match" not in json.dumps(document["paths"])


def test_everything_is_described(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        if schema.get("type") == "object":
            assert schema["description"], name
            for field, value in schema["properties"].items():
                assert value.get("description") or "const" in value, (name, field)
    for method, path, operation in operations(document):
        for parameter in [*operation.get("parameters", ()), *document["paths"][path].get("parameters", ())]:
            assert parameter["description"], (method, path, parameter["name"])


def test_every_event_of_the_log_is_in_the_union_with_its_type_as_a_constant() -> None:
    document = openapi_document()
    schemas = document["components"]["schemas"]
    mapping = schemas["Event"]["discriminator"]["mapping"]
    tags = {event.__struct_config__.tag for event in TableEvent.__args__}
    assert set(mapping) == set(EVENTS) == tags
    for event, reference in mapping.items():
        schema = schemas[reference.rpartition("/")[2]]
        assert schema["properties"]["type"] == {"type": "string", "const": event}
        assert "type" in schema["required"]
    assert [one["$ref"] for one in schemas["Event"]["oneOf"]] == list(mapping.values())


def test_the_flat_event_is_one_object_with_more_inside() -> None:
    event = openapi_document("flat")["components"]["schemas"]["Event"]
    assert event["type"] == "object"
    assert event["additionalProperties"] is True


def test_every_body_has_an_example_that_its_schema_accepts() -> None:
    document = openapi_document()
    for _, path, operation in operations(document):
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]["application/json"]
            name = content["schema"]["$ref"].rpartition("/")[2]
            (schema,) = (kind for kind in _below(Asked) if kind.__name__ == f"{name}Schema")
            assert schema().load(content["example"]), path


def _below(kind: type[Asked]) -> Iterator[type[Asked]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)
