"""Games in a few words: who sat there, what was played, who was gone, how it ended; as one step of a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from app.engine.events import GameEnded, TilePlayed
from app.engine.game import new_game
from app.engine.scoring import places as places_of
from app.tables.events import SeatTaken, StandInSeated, TableCreated, TableEvent
from app.tables.log import evolve
from app.tables.ports import Step
from app.tables.seats import Occupant
from app.tables.table import Table
from app.tables.terms import Clock
from app.tables.views import KEEP_FINISHED

T0 = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


def game(
    *seats: str,
    scores: Sequence[int] = (250, 100),
    table_id: str = "T1",
    ruleset: str = "all-fives",
    seating: str | None = None,
    reason: str = "target",
    gone: Sequence[int] = (),
    played_for: Sequence[int] = (),
    visibility: str = "public",
    practice: bool = False,
    house_rules: dict[str, object] | None = None,
    forgetfulness: float = 0.0,
) -> Step:
    """One whole game. `seats`: ids of players, or `bot:<level>`; `scores`: per side.

    `gone`: seats whose stand-in sits at the end; `played_for`: seats for which the stand-in made most of the plays, and
    whose players came back.
    """
    started = new_game(ruleset, len(seats), seating, house_rules)
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    winner = best[0] if len(best) == 1 and reason != "abandoned" else None
    events: list[TableEvent] = [
        TableCreated(
            table=table_id,
            ruleset=started.ruleset,
            rules=started.rules,
            players=started.players,
            seating=started.seating,
            visibility=visibility,
            abandonment="bot_plays_on",
            clock=Clock(),
            host=next((seat for seat in seats if not seat.startswith("bot:")), None),
            practice=practice,
            secret="5" * 64,
        ),
        *(SeatTaken(seat=n, occupant=_occupant(seat, forgetfulness)) for n, seat in enumerate(seats)),
        started,
        *(StandInSeated(seat=seat, level="medium", reason="left") for seat in gone),
        GameEnded(winner=winner, scores=tuple(scores), places=places_of(scores), reason=reason),
    ]
    table: Table | None = None
    stamped: list[TableEvent] = []
    for seq, event in enumerate(events, start=1):
        stamped.append(replace(event, seq=seq, at=T0 + timedelta(seconds=seq)))
        table = evolve(table, stamped[-1])
    assert table is not None
    plays = [play(seat, by) for seat in played_for for by in ("player", "stand_in", "stand_in")]
    for number, event in enumerate(plays, start=len(stamped) + 1):  # after the end: there is no hand here to play in
        stamped.append(replace(event, seq=number, at=T0 + timedelta(seconds=number)))
    return Step(
        before=0,
        table=replace(table, version=len(stamped)),
        events=tuple(stamped),
        receipts=(),
        due=None,
        keep=KEEP_FINISHED,
    )


def play(seat: int, by: str) -> TilePlayed:
    """A tile of this seat, laid by its player or somebody else."""
    return TilePlayed(
        seat=seat,
        tile="55",
        end="lead",
        left=5,
        right=5,
        lengthwise=False,
        spinner=True,
        announce=None,
        count=None,
        ends=(),
        by=by,
    )


def _occupant(seat: str, forgetfulness: float) -> Occupant:
    kind, _, level = seat.partition(":")
    if kind == "bot":
        return Occupant(kind="house_bot", level=level, forgetfulness=forgetfulness)
    return Occupant(kind="human", player_id=seat)
