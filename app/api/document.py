"""The OpenAPI document: what flask-smorest collects from the operations, finished so that generated SDKs stay clean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask
from marshmallow import Schema

from app.api.operations import register_operations
from app.api.paths import ID_LENGTH
from app.api.schemas.answered import ANY_EVENT, CONST, SET_NAME
from app.api.schemas.events import EVENTS, FlatEventSchema

GUIDE = Path(__file__).parent / "guide.md"
EVENT = "Event"
"""Name of the component that stands for any event."""
PATH_PARAMETERS = {
    "table_id": "Id of the table.",
    "code": "An invite code; capitals or not, with or without spaces and hyphens.",
    "invitation_id": "Id of the invitation.",
    "ticket_id": "Id of the ticket.",
    "player_id": "Id of the player, or `bot:` and a level.",
    "ruleset_id": "Id of the rule set, like `all-fives`.",
    "token_id": "Id of the token (not its secret).",
    "seat": "Number of the seat, from 0.",
    "number": "Number of the hand, from 1.",
}
REFERENCE = "#/components/schemas/"


def openapi_document(events: str = "typed") -> dict[str, Any]:
    """The document, OpenAPI 3.1.0.

    Args:
        events: `typed`: a union told apart by `type`; `flat`: one Event with additional properties, for generators
            without usable unions.
    """
    if events not in ("typed", "flat"):
        raise ValueError(f"events are typed or flat, not {events!r}")
    operations = _collected()
    document: dict[str, Any] = operations.spec.to_dict()
    schemas: dict[str, Any] = document["components"]["schemas"]
    for (schema, *_modifiers), name in operations.ma_plugin.converter.refs.items():
        schemas[name]["title"] = name
        schemas[name]["description"] = (schema.__doc__ or "").strip()
    schemas[EVENT] = schemas.pop("FlatEvent") if events == "flat" else _union()
    for node in list(_nodes(document)):
        _refer_to_events(node)
        _spell_constant(node)
        _name_closed_set(node, schemas)
    for schema in schemas.values():
        _tell_defaults(schema)
    _drop_unused(document)
    _describe(document)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document


def _collected() -> Any:
    operations = register_operations(Flask(__name__, static_folder=None))
    known = {schema for schema, *_modifiers in operations.ma_plugin.converter.refs}
    schemas: tuple[type[Schema], ...] = (*EVENTS.values(), FlatEventSchema)
    for schema in schemas:
        if schema not in known:
            operations.spec.components.schema(_component(schema), schema=schema)
    return operations


def _component(schema: type[object]) -> str:
    return schema.__name__.removesuffix("Schema")


def _union() -> dict[str, Any]:
    """Any event; a type that is not listed here is sent only to clients that name it."""
    references = {event: REFERENCE + _component(schema) for event, schema in EVENTS.items()}
    return {
        "description": "Something that happened at a table, told apart by `type`.",
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of the document, inner ones first."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from _nodes(child)
    if isinstance(node, dict):
        yield node


def _refer_to_events(node: dict[str, Any]) -> None:
    if node.pop(ANY_EVENT, False):
        node.clear()
        node["$ref"] = REFERENCE + EVENT


def _spell_constant(node: dict[str, Any]) -> None:
    if CONST in node:
        node["const"] = node.pop(CONST)
        node.pop("enum", None)


def _name_closed_set(node: dict[str, Any], schemas: dict[str, Any]) -> None:
    """One component per closed set; where it is used stays a reference with its own description and default."""
    name = node.pop(SET_NAME, None)
    if name is None:
        return
    values = [value for value in node.pop("enum") if value is not None]
    component = schemas.setdefault(name, {"type": "string", "enum": values})
    if component["enum"] != values:
        raise ValueError(f"the closed set {name} has two meanings: {component['enum']} and {values}")
    nullable = "null" in node.pop("type")
    reference = {"$ref": REFERENCE + name}
    if nullable:
        node["anyOf"] = [reference, {"type": "null"}]
    elif node:
        node["allOf"] = [reference]
    else:
        node.update(reference)


def _tell_defaults(schema: dict[str, Any]) -> None:
    """Say defaults in words: generators make a field with a `default` required, or send it although nobody set it."""
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None:
            field["description"] += f" Default: `{json.dumps(default)}`."
        alone = field.get("allOf", ())
        if len(alone) == 1:
            field.update(*field.pop("allOf"))


def _drop_unused(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    used: set[str] = set()
    waiting = list(_references(document["paths"]))
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting.extend(_references(schemas[name]))
    for name in set(schemas) - used:
        del schemas[name]


def _references(part: Any) -> Iterator[str]:
    for node in _nodes(part):
        reference = node.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(REFERENCE)


def _describe(document: dict[str, Any]) -> None:
    document["info"] = {
        "title": "All Fives",
        "version": "1.0.0",
        "description": GUIDE.read_text(encoding="utf-8"),
        "license": {"name": "MIT License", "identifier": "MIT"},
    }
    document["servers"] = [{"url": "/", "description": "The server this document comes from."}]
    document["components"]["securitySchemes"] = {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "The `token` of `POST /v1/players` or `POST /v1/practice`.",
        }
    }
    document["components"].pop("responses", None)
    document["components"].pop("headers", None)
    document["components"].pop("parameters", None)
    for path in document["paths"].values():
        for parameter in path.get("parameters", ()):
            parameter["description"] = PATH_PARAMETERS[parameter["name"]]
            if parameter["schema"]["type"] == "string":
                parameter["schema"] |= {"maxLength": ID_LENGTH, "pattern": "^[A-Za-z0-9_-]+$"}
        for operation in path.values():
            if isinstance(operation, dict):
                operation["responses"] = dict(sorted(operation["responses"].items()))
                for parameter in operation.get("parameters", ()):
                    _never_null(parameter["schema"])


def _never_null(schema: dict[str, Any]) -> None:
    """A query argument is there or not; it is never null."""
    if isinstance(schema["type"], list):
        (schema["type"],) = (kind for kind in schema["type"] if kind != "null")
    if schema.get("default", "") is None:
        del schema["default"]
    if "enum" in schema:
        schema["enum"] = [value for value in schema["enum"] if value is not None]
