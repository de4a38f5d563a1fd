"""Every use case of a table under one name, as the API and the workers call them."""

from __future__ import annotations

from app.tables.advancing import Advancing
from app.tables.direct_invitations import DirectInvitations
from app.tables.following import Following
from app.tables.inviting import Inviting
from app.tables.more_time import MoreTime
from app.tables.playing import Playing
from app.tables.premoving import Premoving
from app.tables.reading import Reading
from app.tables.recording import Recording
from app.tables.rematching import Rematching
from app.tables.seating import Seating


class Tables(
    Rematching,
    Inviting,
    DirectInvitations,
    Seating,
    Playing,
    Premoving,
    MoreTime,
    Reading,
    Following,
    Recording,
    Advancing,
):
    """Open, sit, act, leave, look, follow, take along, advance."""
