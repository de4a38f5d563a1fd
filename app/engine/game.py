"""A game: hands up to the target. The state of one table's play as a value, and the questions everybody asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from app.engine.events import GameStarted, RuleSetName
from app.engine.hand import NOBODY, Hand
from app.engine.rules import Rules, named_rules
from app.engine.ruleset import Seating
from app.engine.rulesets import resolve, target_points


class Laid(Struct, frozen=True, array_like=True, tag="laid"):
    """A tile was laid; everybody saw it."""

    seat: int
    tile: str
    end: str
    """Where it was laid: `<tile>.<side>` or `lead`."""
    left: int
    """The number that touches the tile it was laid on (lead: its high half)."""
    right: int
    lengthwise: bool
    spinner: bool
    announce: int | None


class Drew(Struct, frozen=True, array_like=True, tag="drew"):
    """A seat drew; everybody saw how many tiles, nobody which."""

    seat: int
    number: int


class Passed(Struct, frozen=True, array_like=True, tag="passed"):
    """A seat passed."""

    seat: int


Past = Laid | Drew | Passed
"""One thing everybody saw at the table."""


class Result(Struct, frozen=True, array_like=True):
    """How a game ended."""

    winner: int | None
    """A side; None for a draw."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    """Per side, 1 is best."""
    reason: str
    """target | forfeit | max_hands | abandoned"""


class Game(Struct, frozen=True):
    """One game. It stores the rule set's name and the house rules; the tables made from them are looked up."""

    ruleset: RuleSetName
    players: int
    seating: Seating
    hand_number: int = 0
    """Number of the hand that is or was played last; 0 before the first deal."""
    hand: Hand | None = None
    """The hand; it stays when it is over, until the next deal. None before the first deal."""
    past: tuple[Past, ...] = ()
    """What everybody saw in this hand, oldest first."""
    went_out: int | None = None
    """Who went out in the last finished hand; None: nobody."""
    result: Result | None = None
    """None while the game goes on."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def scores(self) -> tuple[int, ...]:
        """Running totals, per side."""
        return (0,) * sides(self) if self.hand is None else self.hand.scores


def new_game(
    ruleset_id: str, players: int, seating: str | None = None, house_rules: Mapping[str, object] | None = None
) -> GameStarted:
    """The event with which a game begins.

    >>> started = new_game("all-fives", 4)
    >>> started.seating, started.target
    ('pairs', 200)

    Raises:
        InvalidRules: the rules cannot be played like that.
    """
    given = dict(house_rules or {})
    rules, chosen = resolve(ruleset_id, players, seating, given)
    return GameStarted(
        ruleset=RuleSetName(id=ruleset_id, house_rules=given),
        rules=rules,
        players=players,
        seating=chosen,
        target=target_points(rules, players, chosen),
    )


def rules_of(game: Game) -> Rules:
    """The rules of the game's table, ready for play."""
    return named_rules(game.ruleset.id, game.ruleset.house_rules, game.players, game.seating)


def sides(game: Game | Rules) -> int:
    """How many scores there are: two for pairs, otherwise one for every seat."""
    return 2 if game.seating == "pairs" else game.players


def side_of(game: Game | Rules, seat: int) -> int:
    """The side whose score a seat plays for.

    >>> side_of(Game(ruleset=new_game("all-fives", 4).ruleset, players=4, seating="pairs"), 3)
    1
    """
    return seat % 2 if game.seating == "pairs" else seat


def turn(game: Game) -> int | None:
    """The seat to act; None before the first deal, in a last-play window, between hands and after the end."""
    if game.hand is None or game.over or game.hand.turn == NOBODY:
        return None
    return game.hand.turn


def phase(game: Game) -> Literal["playing", "claim", "over"] | None:
    """What the hand is doing: None before the first deal; `claim` in the window after a hand's last play."""
    hand = game.hand
    if hand is None:
        return None
    if hand.over or game.over:
        return "over"
    if hand.window is not None and hand.window.last:
        return "claim"
    return "playing"
