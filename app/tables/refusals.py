"""Refusals that are not the rules' own: each has a stable code; the API maps codes to statuses in one table."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.errors import FieldProblem
from app.engine.moves import Move


class Refusal(Exception):
    """Something was asked that cannot be done; nothing has changed.

    `code` is one of API.md's; `version` and `legal_moves` are the asker's own, on his turn only.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        params: dict[str, object] | None = None,
        version: int | None = None,
        legal_moves: Sequence[Move] | None = None,
        errors: Sequence[FieldProblem] = (),
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.params = params or {}
        self.version = version
        self.legal_moves = legal_moves
        self.errors = tuple(errors)


def not_found(what: str = "table") -> Refusal:
    """Unknown, or private and not yours: the same answer, so that nobody can tell which."""
    return Refusal("not_found", f"There is no such {what}, or it is private and not yours.")


def unauthenticated() -> Refusal:
    return Refusal(
        "unauthenticated",
        "This needs a token: send `Authorization: Bearer <token>`; POST /v1/players gives one.",
    )


def invalid(path: str, code: str, detail: str, **params: object) -> Refusal:
    """One field is wrong; `detail` says what would be right."""
    return Refusal("invalid", detail, errors=[FieldProblem(path, code, detail, **params)])
