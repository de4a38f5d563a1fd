"""Where a stream begins."""

from __future__ import annotations

from app.api.schemas.asked import LARGEST, Asked, Between, QueryWhole, about


class StreamQuerySchema(Asked):
    """From where on."""

    after = QueryWhole(
        load_default=0,
        validate=Between(0, LARGEST),
        metadata=about("`seq` of the last event you have; 0 for the beginning."),
    )
