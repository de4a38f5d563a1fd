"""The optimistic lock of a write at a table."""

from __future__ import annotations

from app.api.schemas.asked import LARGEST, Asked, Between, WholeNumber, about


class LockedSchema(Asked):
    """A write at the table in the path; `app.api.locks` heeds the version for all of them."""

    expected_version = WholeNumber(
        load_default=None,
        allow_none=True,
        validate=Between(0, LARGEST),
        metadata=about(
            "Refuse with `version_conflict` if the table has moved on from this version. "
            "Without it the write is judged on whatever is there now."
        ),
    )


class ExpectedVersionSchema(LockedSchema):
    """The version this is meant for. The body may be left out."""
