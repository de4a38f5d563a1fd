"""The body of every error."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, free_map, list_of, text, whole
from app.api.schemas.moves import MoveSchema


class FieldProblemSchema(Answered):
    """One field that is wrong."""

    path = text("JSON pointer from the body's root; `?name` for a query parameter.", example="/house_rules/deal")
    code = text("Stable, like `required`, `unknown_field`, `wrong_type`, `out_of_range`, `not_allowed`.")
    params = free_map("Limits and allowed values, for translation.", additionalProperties=True)
    detail = text("What would be right, in English.")


class ProblemSchema(Answered):
    """An error (RFC 9457). Switch on `code`; show `detail`, or your own sentence made of `code` and `params`."""

    type = text("Where this kind of problem is explained.", example="/docs/problems#not_your_turn")
    title = text("The kind of problem in a few words; the same every time.")
    status = whole("The HTTP status.")
    detail = text("What is wrong here and what would be right, in English.")
    instance = text("The path that was asked.")
    code = text("Stable name of the problem; new ones may be added.", example="not_your_turn")
    params = free_map("Values to build your own sentence from.", additionalProperties=True)
    request_id = text("Also in `X-Request-Id`; name it when you report something.")
    version = whole("The table's version, where a table refused; else null.", null=True)
    legal_moves = list_of(fields.Nested(MoveSchema), "Your own legal moves, on your turn only; else null.", null=True)
    errors = list_of(fields.Nested(FieldProblemSchema), "Every field that is wrong; empty for other problems.")
