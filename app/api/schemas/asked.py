"""Fields of requests. Strict: a number is no string, a flag is no number; every refusal has a code and a sentence."""

# ruff: noqa: RUF012  (error messages are declared as marshmallow has it)

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from app.api.complaints import Complaint
from app.tables.terms import spelled

LARGEST = 2**53 - 1
"""What every JSON reader can hold as a whole number."""


class Asked(Schema):
    """A request's body or query. Unknown fields are refused, and the refusal names those that exist."""

    class Meta:
        unknown = RAISE

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        known = list(self.load_fields)
        sentence = f"There is no such field here; known are {', '.join(known)}."
        self.error_messages = {
            **self.error_messages,
            "unknown": Complaint(sentence, "unknown_field", allowed=known),
            "type": Complaint("This must be an object.", "wrong_type"),
        }


class Coded(fields.Field[Any]):
    """Makes a field's own refusals complaints with a code."""

    default_error_messages = {
        "required": "This field is required.",
        "null": "This field cannot be null.",
    }

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        code = {"required": "required", "null": "null", "too_large": "out_of_range"}.get(key, "wrong_type")
        return ValidationError(Complaint(str(self.error_messages[key]), code))


class Text(Coded, fields.String):
    default_error_messages = {"invalid": "This must be a string."}


class WholeNumber(Coded, fields.Integer):
    default_error_messages = {
        "invalid": "This must be a whole number.",
        "too_large": "This number is too large.",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(strict=True, **options)

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        if abs(value) > LARGEST and not self.validators:
            raise self.make_error("too_large")
        return value


class Number(Coded, fields.Float):
    """Its limits are its validators' affair: 1e400, which is read as infinity, is beyond any. 60.0 is 60."""

    default_error_messages = {"invalid": "This must be a number."}

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> float:
        if type(value) not in (int, float) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        return spelled(value)


class Flag(Coded, fields.Boolean):
    default_error_messages = {"invalid": "This must be true or false."}

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class ListOf(Coded, fields.List[Any]):
    default_error_messages = {"invalid": "This must be a list."}


class Inside(Coded, fields.Nested):
    default_error_messages = {"type": "This must be an object."}


class FreeMap(Coded, fields.Nested):
    """An object that the use case checks field by field; the schema serves the document."""

    default_error_messages = {"type": "This must be an object."}

    def _deserialize(
        self, value: object, attr: Any, data: Any, partial: Any = None, **kwargs: Any
    ) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self.make_error("type")
        return value


class QueryWhole(WholeNumber):
    """A whole number in a query, in plain ASCII digits."""

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,1000}", value):
            raise self.make_error("invalid")
        return super()._deserialize(int(value), attr, data, **kwargs)


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)


class QueryNumber(Number):
    """A number in a query, written as JSON writes it."""

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> float:
        if not isinstance(value, str) or len(value) > 1000 or not _NUMBER.fullmatch(value):
            raise self.make_error("invalid")
        return super()._deserialize(float(value), attr, data, **kwargs)


class Between(validate.Range):
    """Limits, both allowed."""

    def __init__(self, least: float, most: float) -> None:
        super().__init__(min=least, max=most)

    def __call__(self, value: Any) -> Any:
        if not self.min <= value <= self.max:
            raise ValidationError(
                Complaint(f"This must be from {self.min} to {self.max}.", "out_of_range", min=self.min, max=self.max)
            )
        return value


class Long(validate.Length):
    """Limits of a string's characters or a list's entries."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(min=least, max=most)

    def __call__(self, value: Any) -> Any:
        least, most = self.min or 0, self.max or 0
        if not least <= len(value) <= most:
            what = "characters" if isinstance(value, str) else "entries"
            raise ValidationError(
                Complaint(f"This must have {least} to {most} {what}.", "wrong_length", min=least, max=most)
            )
        return value


class OneOf(validate.OneOf):
    """A choice; `choices` may grow with the server."""

    def __init__(self, choices: tuple[object, ...]) -> None:
        super().__init__(choices)

    def __call__(self, value: Any) -> Any:
        if value not in self.choices:
            shown = ", ".join(str(choice) for choice in self.choices)
            raise ValidationError(Complaint(f"This must be one of {shown}.", "not_allowed", allowed=list(self.choices)))
        return value


class Known(validate.Validator):
    """A name out of an open set, which the document does not list."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __call__(self, value: Any) -> Any:
        if value not in self._names:
            detail = f"This must be one of {', '.join(self._names)}."
            raise ValidationError(Complaint(detail, "not_allowed", allowed=list(self._names)))
        return value


class Like(validate.Regexp):
    """A pattern, with the sentence that explains it."""

    def __init__(self, pattern: str, sentence: str) -> None:
        super().__init__(re.compile(pattern, re.ASCII))
        self._sentence = sentence

    def __call__(self, value: Any) -> Any:
        if not self.regex.fullmatch(value):
            raise ValidationError(Complaint(self._sentence, "wrong_form"))
        return value


class TileName(Text):
    """A tile; `46` is read as `64`."""

    def __init__(self, **options: Any) -> None:
        form = Like("^[0-6][0-6]$", "This must be a tile: two digits from 0 to 6, like 64 or 50.")
        super().__init__(validate=form, **options)

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> str:
        return high_half_first(super()._deserialize(value, attr, data, **kwargs))


class EndName(Text):
    """An open end; `46.right` is read as `64.right`."""

    def __init__(self, **options: Any) -> None:
        form = Like(
            r"^(lead|[0-6][0-6]\.(left|right|up|down))$", "This must be an end: lead, or a tile and a side like 55.up."
        )
        super().__init__(validate=form, **options)

    def _deserialize(self, value: object, attr: Any, data: Any, **kwargs: Any) -> str:
        end = super()._deserialize(value, attr, data, **kwargs)
        return end if end == "lead" else high_half_first(end[:2]) + end[2:]


def high_half_first(tile: str) -> str:
    return tile[::-1] if len(tile) == 2 and tile[0] < tile[1] else tile


def about(text: str, **more: object) -> dict[str, object]:
    """What the document says about a field."""
    return {"description": text, **more}


Reader = Callable[[Mapping[str, Any]], Any]
"""Turns what a schema read into the use case's request."""
