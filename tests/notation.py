"""Hands in notation, so that a test reads like the record of a game.

Plays are words: `55` leads, `50>55` lays 50 on the first open end of 55 (a line side before a short one),
`52>55.up` names the side, `44>64~` lays a double lengthwise, `64:10` announces ten points. `draw`, `pass`, `2!`
(seat 2 calls “Muggins!”) and `close` (the claim window runs out) are words too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from app.engine import dealing
from app.engine.actions import Action, CloseClaim, Draw, Muggins, Pass, Play
from app.engine.calculator import Calculation, Laying, calculate
from app.engine.errors import RuleViolation
from app.engine.events import GameEvent, HandDealt, HandEnded, PointsScored
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, rules_of, turn
from app.engine.rulesets import resolve
from app.engine.tiles import parse_tiles
from app.engine.turns import decide
from app.engine.views import layout_view


def end_on(ends: Iterable[str], tile: str) -> str:
    """The first of these end names that belongs to the tile, a line side before a short one."""
    sides = [name for side in ("left", "right", "up", "down") for name in ends if name == f"{tile}.{side}"]
    if not sides:
        raise LookupError(f"{tile} has no open end")
    return sides[0]


def word(text: str) -> tuple[str, str | None, bool, int | None]:
    """Tile, target (`55`, `55.up` or None), lengthwise and announced points of one play."""
    text, _, announced = text.partition(":")
    lengthwise = text.endswith("~")
    tile, _, target = text.removesuffix("~").partition(">")
    return tile, target or None, lengthwise, int(announced) if announced else None


def play(text: str, ruleset: str = "all-fives", players: int = 2, holding: str = "") -> Calculation:
    """The plays laid by the rules calculator."""
    rules, seating = resolve(ruleset, players, None, {})
    layings: list[Laying] = []
    for part in text.split():
        tile, target, lengthwise, _ = word(part)
        if target is not None and "." not in target:
            ends = calculate(rules, players, seating, layings).layout.ends
            fitting = [end.end for end in ends if end.open and str(end.number) in tile]
            target = end_on(fitting or [end.end for end in ends if end.open], target)
        layings.append(Laying(tile=tile, end=target, lengthwise=lengthwise))
    return calculate(rules, players, seating, layings, holding.split())


def counts(text: str, ruleset: str = "all-fives", players: int = 2) -> list[tuple[int, int]]:
    """Count and points after every play."""
    return [(step.count, step.points) for step in play(text, ruleset, players).steps]


class Sitting:
    """A game being played, with everything that happened so far."""

    def __init__(self, log: Sequence[GameEvent], game: Game) -> None:
        self.log = list(log)
        self.game = game

    def act(self, action: Action) -> tuple[GameEvent, ...]:
        events = decide(self.game, action)
        for event in events:
            self.game = evolve(self.game, event)
        self.log += events
        return events

    def plays(self, text: str) -> tuple[GameEvent, ...]:
        """Play these words, whoever is on turn; the events of the last one."""
        events: tuple[GameEvent, ...] = ()
        for part in text.split():
            events = self.act(self.action(part))
        return events

    def action(self, text: str, seat: int | None = None) -> Action:
        on_turn = turn(self.game) if seat is None else seat
        acting = -1 if on_turn is None else on_turn
        if text == "draw":
            return Draw(seat=acting)
        if text == "pass":
            return Pass(seat=acting)
        if text == "close":
            return CloseClaim()
        if text.endswith("!"):
            return Muggins(seat=int(text[:-1]))
        tile, target, lengthwise, announce = word(text)
        if target is not None and "." not in target:
            ends = layout_view(self.game).ends
            fitting = [end.end for end in ends if end.open and str(end.number) in tile]
            target = end_on(fitting or [end.end for end in ends if end.open], target)
        return Play(seat=acting, tile=tile, end=target, lengthwise=lengthwise, announce=announce)

    def refusal(self, text: str, seat: int | None = None) -> RuleViolation:
        """Why these words are refused now. Fails if they are not, or if the refusal changed anything."""
        before = self.game
        try:
            decide(self.game, self.action(text, seat))
        except RuleViolation as refusal:
            assert self.game == before
            return refusal
        raise AssertionError(f"{text} is not refused")

    def why(self, text: str, seat: int | None = None) -> str:
        """The code with which these words are refused now."""
        return self.refusal(text, seat).code

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores

    @property
    def hand_end(self) -> HandEnded:
        return next(event for event in reversed(self.log) if isinstance(event, HandEnded))

    def points(self) -> list[int]:
        """Points of every `points_scored` so far."""
        return [event.points for event in self.log if isinstance(event, PointsScored)]


def sit(
    holdings: str,
    boneyard: str = "",
    *,
    ruleset: str = "all-fives",
    leader: int | None = None,
    seating: str | None = None,
    house_rules: Mapping[str, object] | None = None,
    scores: Sequence[int] | None = None,
) -> Sitting:
    """A game with its first hand dealt: `"55 52 | 53 66"` are two seats' tiles; the boneyard is in drawing order.

    Holdings may be cut down to the tiles that matter, and of unequal size. `leader` None: seat 0, or whoever must lead.
    """
    held = [tuple(part.split()) for part in holdings.split("|")]
    started = new_game(ruleset, len(held), seating, house_rules)
    game = evolve(None, started)
    sets = tuple(parse_tiles(names) for names in held)
    led = dealing.lead(rules_of(game), 1, None, sets, 0 if leader is None else leader)
    dealt = HandDealt(
        leader=led.seat,
        lead_by=led.by,
        tiles_each=len(held[0]),
        boneyard=len(boneyard.split()),
        boneyard_tiles=tuple(boneyard.split()),
        holdings=tuple(held),
        hand=1,
    )
    game = evolve(game, dealt)
    if scores is not None:
        assert game.hand is not None
        game = replace(game, hand=replace(game.hand, scores=tuple(scores)))
    return Sitting([started, dealt], game)
