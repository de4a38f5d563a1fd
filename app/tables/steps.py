"""A finished draft as the one atomic step the store is given."""

from __future__ import annotations

from datetime import datetime

from app.tables.draft import Draft
from app.tables.notices import notices_of
from app.tables.ports import Step
from app.tables.receipts import Receipt
from app.tables.views import kept_for


def step_of(draft: Draft, receipts: tuple[Receipt, ...], due: datetime | None) -> Step:
    """All of it, or nothing; `due`: when the table next needs attention, None: never."""
    table = draft.table
    return Step(
        before=draft.before,
        table=table,
        events=tuple(draft.events),
        receipts=receipts,
        due=due,
        keep=kept_for(table),
        client_seed=draft.client_seed,
        notices=notices_of(table, draft.events),
        premove_count=draft.premove_count,
        premoves_used=tuple(draft.premoves_used),
    )
