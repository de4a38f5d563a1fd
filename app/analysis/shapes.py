"""The shapes clients read of an analysis (docs/analysis.md): every field is always present, None when it has no value.

All figures are points of the mover's side, less what the other sides get on average, from the move to the end of the
hand.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Alternative(Struct, frozen=True, kw_only=True):
    """One play that could have been made; of plays alike by symmetry, one."""

    tile: str
    end: str
    lengthwise: bool
    points: int
    """What it scores at once."""
    chosen: bool
    expected: float
    """Points as far as the seat could know."""
    error: float | None
    """Standard error of `expected`, the game counted in; None: nothing was hidden, the figure is exact."""
    game: float
    """How much likelier the game is won in this hand than lost, from -1 to 1; 0: it goes on."""
    open: int | None
    """Points with all tiles open, both sides playing as well as can be; None: it was not solved."""
    open_game: int | None
    """1: the game is won in this hand then, -1: lost, 0: it goes on; None as for `open`."""


class MoveAnalysis(Struct, frozen=True, kw_only=True):
    """A move, and what it cost."""

    move: int
    """Number in the hand, from 1, counting plays, draws, passes and calls."""
    seq: int | None
    """Of its event in the table's log; None where there is no log."""
    seat: int
    side: int
    by: str
    action: str
    """play | draw | pass | muggins"""
    tile: str | None
    end: str | None
    lengthwise: bool
    points: int
    """What the move was worth at once; for a call, what it brought."""
    forced: bool
    """There was nothing else to do."""
    method: str
    """exact | estimate"""
    cost: float
    """Against the best alternative: with all tiles open where that is solved, else as far as the seat could know."""
    error: float | None
    """Standard error of `cost`, or of the lead over the second best where the best was chosen; None: it is exact."""
    expected_cost: float
    """Against the best alternative as far as the seat could know, whatever `method` is."""
    expected_error: float | None
    """Standard error of `expected_cost`, as for `error`; None: it is exact."""
    deals: int
    """Deals of the hidden tiles behind what was expected; 0: none were needed."""
    alternatives: tuple[Alternative, ...]
    """The best first, by what `cost` is counted from; empty where there was nothing to choose."""


class SeatAnalysis(Struct, frozen=True, kw_only=True):
    """One seat's moves added up."""

    seat: int
    side: int
    choices: int
    """Moves with something to choose."""
    exact: int
    """Those among them whose cost is exact."""
    cost: float
    """Of all its moves: the two that follow together."""
    exact_cost: float
    estimated_cost: float
    expected_cost: float
    """Of all its moves, as far as the seat could know."""


class HandAnalysis(Struct, frozen=True, kw_only=True):
    """All moves of a finished hand."""

    hand: int
    game_worth: int
    """Points that winning the game in this hand counts besides, in every cost."""
    moves: tuple[MoveAnalysis, ...]
    """In the order they were made."""
    seats: tuple[SeatAnalysis, ...]


class AnalysisShape(Struct, frozen=True, kw_only=True):
    """An analysis that was asked for, and how far it is."""

    table: str
    hand: int
    status: str
    """pending | ready | failed"""
    asked_at: datetime
    ready_at: datetime | None
    progress: float
    """Share of the moves that are done, from 0 to 1."""
    analysis: HandAnalysis | None
    """Once it is ready."""
