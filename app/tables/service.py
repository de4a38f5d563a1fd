"""Every use case of a table under one name, as the API and the workers call them."""

from __future__ import annotations

from app.tables.advancing import Advancing
from app.tables.following import Following
from app.tables.opening import Opening
from app.tables.playing import Playing
from app.tables.reading import Reading
from app.tables.recording import Recording
from app.tables.seating import Seating


class Tables(Advancing, Opening, Seating, Playing, Reading, Following, Recording):
    """Open, sit, act, leave, look, follow, take along, advance."""
