"""The levels our own bots play at, and the one way to ask them: `HouseBots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from app.bots import easy, expert, hard, medium
from app.bots.chance import fraction
from app.engine.moves import Move
from app.engine.views import SeatView, points_on_table, preview

FORGETS = 2
"""Purpose of the number that decides whether a bot forgets its points."""


class Level(Struct, frozen=True, kw_only=True):
    """One level."""

    choose: Callable[[SeatView, int], Move]
    think_seconds: float
    """A move is released this long after the start of the turn, whatever the tiles."""
    summary: str


LEVELS: dict[str, Level] = {
    "easy": Level(choose=easy.choose, think_seconds=0.0, summary="Plays any legal move."),
    "medium": Level(choose=medium.choose, think_seconds=0.0, summary="Takes the most points it can get now."),
    "hard": Level(
        choose=hard.choose, think_seconds=0.0, summary="Weighs its points against the best reply and what it keeps."
    ),
    "expert": Level(
        choose=expert.choose, think_seconds=0.5, summary="Deals the hidden tiles many times and plays each deal on."
    ),
}


class HouseBots:
    """Our own bots, as tables ask them."""

    think_seconds: Mapping[str, float] = {name: level.think_seconds for name, level in LEVELS.items()}

    def choose(self, level: str, view: SeatView, seed: int, forgetfulness: float) -> Move:
        """The move of the seat on turn; on a claim table with its announcement, unless it forgets."""
        move = LEVELS[level].choose(view, seed)
        if move.action != "play" or not view.rules.claim:
            return move
        _, points = preview(view, move)
        forgets = fraction(seed, FORGETS) < forgetfulness
        return replace(move, announce=None if forgets or not points else points)

    def choose_call(self, level: str, view: SeatView, seed: int, forgetfulness: float) -> Move | None:
        """ "Muggins!" if the last play missed points, as anybody who counts the layout can see; unless it forgets."""
        window = view.window
        scored = view.layout.count is not None
        if window is None or not window.may_call or scored:
            return None
        if not points_on_table(view) or fraction(seed, FORGETS) < forgetfulness:
            return None
        return Move(action="muggins")
