"""Refusals of the rules, each with a stable code."""

from __future__ import annotations


class RuleViolation(Exception):
    """The rules do not allow this action now; nothing has changed.

    `code` is one of API.md's rule codes (`does_not_fit`, `must_play`, …); `params` holds the offending values for
    translation; `str()` is an English sentence that says what would be right. None of them tells anything the acting
    seat may not know.
    """

    def __init__(self, code: str, detail: str, **params: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.params = params


class InvalidRules(Exception):
    """A rule set with these house rules cannot be played."""

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__("; ".join(problem.detail for problem in problems))
        self.problems = problems


class FieldProblem:
    """One field that is wrong, and what would be right.

    `path` is a JSON pointer below the house rules (`/deal/2`), `code` is stable, `params` holds the limits.
    """

    def __init__(self, path: str, code: str, detail: str, **params: object) -> None:
        self.path = path
        self.code = code
        self.detail = detail
        self.params = params

    def __repr__(self) -> str:
        return f"FieldProblem({self.path!r}, {self.code!r}, {self.detail!r})"
