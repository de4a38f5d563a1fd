"""The rules calculator: lay tiles by the rules, without a table, and see what every step counts and scores."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.engine.actions import Play
from app.engine.ends import END_NAME, PLAIN, halves_laid
from app.engine.errors import FieldProblem, InvalidRules, RuleViolation
from app.engine.events import End
from app.engine.hand import NOBODY, Hand
from app.engine.layout import NO_TILE_YET, Layout, lay
from app.engine.legality import moves_on_turn, plays, verify_play
from app.engine.moves import Move
from app.engine.rules import rules_for, way_laid
from app.engine.ruleset import RuleSet, Seating
from app.engine.shown import shown_ends
from app.engine.tiles import ALL_TILES, BIT, NAMES, NO_TILES, TileSet, parse_tile
from app.engine.views import LaidTile, LayoutView


class Laying(Struct, frozen=True, kw_only=True):
    """A tile to lay."""

    tile: str
    end: str | None = None
    """`<tile>.<side>` or `lead`; None is accepted for the first tile only."""
    lengthwise: bool = False


class CalculatedStep(Struct, frozen=True, kw_only=True):
    """One tile laid, with what it comes to."""

    tile: str
    count: int
    points: int
    """What its maker scores."""
    ends: tuple[End, ...]


class Calculation(Struct, frozen=True, kw_only=True):
    """What the plays come to, and what could be played next."""

    steps: tuple[CalculatedStep, ...]
    layout: LayoutView
    legal_moves: tuple[Move, ...]
    """Plays of the holding on the layout; none where it is empty or fits nowhere."""


def calculate(
    rules: RuleSet,
    players: int,
    seating: Seating,
    plays_made: Sequence[Laying],
    holding: Sequence[str] = (),
) -> Calculation:
    """Lay the tiles in order and count (RULES.md, "The count"); nobody sits, so turns and holdings do not matter.

    >>> from app.engine.rulesets import RULE_SETS
    >>> plays = [Laying(tile="55"), Laying(tile="50", end="55.left"), Laying(tile="53", end="55.right")]
    >>> [(step.count, step.points) for step in calculate(RULE_SETS["all-fives"], 2, "solo", plays).steps]
    [(10, 10), (10, 10), (3, 0)]

    Raises:
        RuleViolation: a play is not allowed; `params["step"]` says which, from 0.
        InvalidRules: the holding names no tile, or one that is used already (`/holding/<place>`).
    """
    table = rules_for(rules, players, seating)
    layout, unused = NO_TILE_YET, ALL_TILES
    steps: list[CalculatedStep] = []
    tiles: list[LaidTile] = []
    for number, laying in enumerate(plays_made):
        hand = _nobodys_hand(table.sides, layout, unused)
        try:
            tile, end, lengthwise = verify_play(
                table, hand, Play(seat=0, tile=laying.tile, end=laying.end, lengthwise=laying.lengthwise)
            )
        except RuleViolation as refusal:
            raise _refused(refusal, number, laying.tile) from None
        left, right = halves_laid(tile, end)
        way = way_laid(table, tile, layout.has_double, lengthwise)
        layout, unused = lay(layout, tile, end, way), unused ^ BIT[tile]
        points = table.points[layout.count]
        steps.append(CalculatedStep(tile=NAMES[tile], count=layout.count, points=points, ends=shown_ends(layout)))
        tiles.append(
            LaidTile(
                tile=NAMES[tile],
                seat=None,
                end=END_NAME[end],
                left=left,
                right=right,
                spinner=way != PLAIN,
                lengthwise=lengthwise,
            )
        )
    hand = _nobodys_hand(table.sides, layout, _holding(holding, unused))
    moves = tuple(moves_on_turn(table, hand)) if plays(table, hand) else ()
    view = LayoutView(tiles=tuple(tiles), ends=shown_ends(layout), count=layout.count)
    return Calculation(steps=tuple(steps), layout=view, legal_moves=moves)


def _nobodys_hand(sides: int, layout: Layout, held: TileSet) -> Hand:
    """A hand in which one seat holds all these tiles and is on turn, so that the one judge can be asked."""
    return Hand(layout, (held,), (), 0, (0,) * sides, 0, NOBODY, (0,))


def _refused(refusal: RuleViolation, step: int, name: str) -> RuleViolation:
    """The refusal with the step it names; who holds every unused tile can only lack one that lies already."""
    detail = refusal.detail
    if refusal.code == "not_in_holding" and _is_tile(name):
        detail = f"{NAMES[parse_tile(name)]} lies on the table already; every tile is laid once."
    params = {**refusal.params, "step": step}
    return RuleViolation(refusal.code, f"Play {step} ({name}): {detail}", **params)


def _is_tile(name: str) -> bool:
    try:
        parse_tile(name)
    except ValueError:
        return False
    return True


def _holding(names: Sequence[str], unused: TileSet) -> TileSet:
    problems: list[FieldProblem] = []
    held = NO_TILES
    for place, name in enumerate(names):
        path = f"/holding/{place}"
        if not _is_tile(name):
            problems.append(FieldProblem(path, "no_such_tile", f"{name!r} is no tile.", tile=name))
            continue
        bit = BIT[parse_tile(name)]
        if held & bit or not unused & bit:
            problems.append(FieldProblem(path, "tile_used_twice", f"{name} is used already.", tile=name))
        held |= bit
    if problems:
        raise InvalidRules(problems)
    return held
