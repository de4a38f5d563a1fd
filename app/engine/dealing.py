"""Dealing from a given order, and who leads. Nothing here shuffles: chance comes in as data."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.engine.actions import DealScripted
from app.engine.errors import FieldProblem, InvalidRules
from app.engine.rules import Rules
from app.engine.tiles import BIT, NAMES, NO_TILES, TILES, Tile, TileSet, heaviest, highest_double, parse_tile, tile_set


class Dealt(Struct, frozen=True):
    """The tiles of a new hand."""

    holdings: tuple[TileSet, ...]
    boneyard: tuple[Tile, ...]
    """In drawing order: the first is drawn first."""


class Lead(Struct, frozen=True):
    """Who leads a hand, and why."""

    seat: int
    by: str
    """lot | went_out | highest_double | heaviest_tile | scripted"""


def deal(rules: Rules, order: Sequence[Tile]) -> Dealt:
    """Deal 28 different tiles in this order: seat 0's first, then seat 1's, …; the rest is the boneyard."""
    each = rules.tiles_each
    dealt = each * rules.players
    holdings = tuple([tile_set(order[first : first + each]) for first in range(0, dealt, each)])
    return Dealt(holdings, tuple(order[dealt:]))


def forced_lead(holdings: Sequence[TileSet]) -> tuple[int, Tile, str]:
    """The seat and the tile that must be led where the highest double leads, and which of the two rules names it.

    With no double anywhere it is the heaviest tile (RULES.md, "RuleSet fields").

    >>> from app.engine.tiles import parse_tiles, tile_name
    >>> seat, tile, by = forced_lead([parse_tiles(["63", "10"]), parse_tiles(["54", "20"])])
    >>> seat, tile_name(tile), by
    (0, '63', 'heaviest_tile')
    """
    together = NO_TILES
    for held in holdings:
        together |= held
    double = highest_double(together)
    tile, by = (heaviest(together), "heaviest_tile") if double is None else (double, "highest_double")
    return next(seat for seat, held in enumerate(holdings) if held & BIT[tile]), tile, by


def lead(rules: Rules, hand_number: int, went_out: int | None, holdings: Sequence[TileSet], lot: int) -> Lead:
    """Who leads this hand; `went_out`: the seat that went out in the hand before, None after a block."""
    chosen = rules.ruleset.first_lead if hand_number == 1 else rules.ruleset.next_lead
    if chosen == "highest_double":
        seat, _, by = forced_lead(holdings)
        return Lead(seat, by)
    if chosen == "went_out" and went_out is not None:
        return Lead(went_out, "went_out")
    return Lead(lot, "lot")


def script(
    rules: Rules, holdings: Sequence[Sequence[str]], boneyard: Sequence[str], leader: int | None
) -> DealScripted:
    """A deal as written down for practice, made whole: boneyard tiles that are not named follow the named ones.

    Raises:
        InvalidRules: it is no deal of 28 different tiles for this table, or names a leader against a forced lead; the
            paths are `/practice/holdings/…`, `/practice/boneyard/…` and `/practice/leader`.
    """
    reading = _Reading()
    held = [reading.tiles(names, f"/practice/holdings/{seat}") for seat, names in enumerate(holdings)]
    drawn_first = reading.tiles(boneyard, "/practice/boneyard")
    problems = reading.problems + _wrong_numbers(rules, holdings)
    if leader is not None and not problems:
        problems += _leader_problems(rules, held, leader)
    if problems:
        raise InvalidRules(problems)
    rest = [NAMES[tile] for tile in TILES if tile not in reading.seen]
    return DealScripted(
        holdings=tuple(tuple(NAMES[tile] for tile in tiles) for tiles in held),
        boneyard=(*(NAMES[tile] for tile in drawn_first), *rest),
        leader=leader,
    )


class _Reading:
    """Reads the tiles of a scripted deal and remembers where each was named."""

    def __init__(self) -> None:
        self.seen: dict[Tile, str] = {}
        self.problems: list[FieldProblem] = []

    def tiles(self, names: Sequence[str], path: str) -> list[Tile]:
        read: list[Tile] = []
        for place, name in enumerate(names):
            where = f"{path}/{place}"
            try:
                tile = parse_tile(name)
            except ValueError as error:
                self.problems.append(FieldProblem(where, "no_such_tile", f"{error}.", tile=name))
                continue
            if tile in self.seen:
                detail = f"{NAMES[tile]} is named twice; it is already at {self.seen[tile]}."
                self.problems.append(FieldProblem(where, "tile_used_twice", detail, tile=NAMES[tile]))
            self.seen.setdefault(tile, where)
            read.append(tile)
        return read


def _wrong_numbers(rules: Rules, holdings: Sequence[Sequence[str]]) -> list[FieldProblem]:
    problems = []
    if len(holdings) != rules.players:
        detail = f"There must be one holding for each of the {rules.players} seats, not {len(holdings)}."
        problems.append(FieldProblem("/practice/holdings", "wrong_number", detail, number=rules.players))
    for seat, names in enumerate(holdings):
        if len(names) != rules.tiles_each:
            detail = f"Every seat holds {rules.tiles_each} tiles here, not {len(names)}."
            path = f"/practice/holdings/{seat}"
            problems.append(FieldProblem(path, "wrong_number", detail, number=rules.tiles_each))
    return problems


def _leader_problems(rules: Rules, held: Sequence[Sequence[Tile]], leader: int) -> list[FieldProblem]:
    if not 0 <= leader < rules.players:
        detail = f"The leader is a seat from 0 to {rules.players - 1}."
        return [FieldProblem("/practice/leader", "out_of_range", detail, min=0, max=rules.players - 1)]
    if rules.ruleset.first_lead == "highest_double":
        seat, tile, _ = forced_lead([tile_set(tiles) for tiles in held])
        if leader != seat:
            detail = f"Seat {seat} holds {NAMES[tile]} and must lead it; leave the leader out or name seat {seat}."
            return [FieldProblem("/practice/leader", "forced_lead", detail, leader=seat, tile=NAMES[tile])]
    return []
