"""What the moves of a finished hand cost. docs/analysis.md tells how it is reckoned."""

from __future__ import annotations

from marshmallow import fields

from app.api.schemas.answered import Answered, closed, flag, inside, list_of, moment, number, text, whole
from app.api.schemas.moves import ACTIONS

STATUSES = ("pending", "ready", "failed")
METHODS = ("exact", "estimate")
_POINTS = "points of the mover's side from this move to the end of the hand, less what the other sides get on average"


class AlternativeSchema(Answered):
    """A play that could have been made; of plays alike by symmetry, one."""

    tile = text("The tile.", example="50")
    end = text("Where.", example="55.left")
    lengthwise = flag("Whether the first double is laid along the line.")
    points = whole("What it scores at once.")
    chosen = flag("Whether this is what was played, or the same by symmetry.")
    expected = number(
        f"As far as the seat could know: {_POINTS}. The mean over many deals of the tiles it did not see."
    )
    error = number(
        "Standard error of `expected`, the game counted in; null: nothing was hidden from the seat.", null=True
    )
    game = number("Over the same deals: how much likelier the game is won in this hand than lost, from -1 to 1.")
    open = whole(
        f"With all tiles open, both sides playing as well as can be: {_POINTS}. Exact; null: it was not solved, or "
        "there are more than two sides.",
        null=True,
    )
    open_game = whole("1: the game is won in this hand then, -1: lost, 0: it goes on; null as for `open`.", null=True)


class MoveAnalysisSchema(Answered):
    """A move, and what it cost."""

    move = whole("Number in the hand, from 1, counting plays, draws, passes and calls.")
    seq = whole("`seq` of its event.", null=True)
    seat = whole("Who made it.")
    side = whole("Index into scores.")
    by = text("`player`, `bot`, `stand_in`, `timeout` or `forced`; open set.")
    action = closed("MoveAction", ACTIONS, "What was done.")
    tile = text("The tile played; null for other actions.", null=True, example="50")
    end = text("Where; null for other actions.", null=True, example="55.left")
    lengthwise = flag("Whether it was laid along the line.")
    points = whole("What the play was worth at once, announced or not; for a call, what it brought.")
    forced = flag("There was nothing else to do: a draw, a pass, or a play without an alternative. It cost nothing.")
    method = closed(
        "AnalysisMethod",
        METHODS,
        "What `cost` is. `exact`: by hindsight, all tiles open, against the best play there was. `estimate`: where "
        "that was not solved, what the expert makes of the seat's own view.",
    )
    cost = number(
        "Points this move cost against the best alternative, by `open` where `method` is `exact`, else by `expected`. "
        "Winning the game in this hand counts `game_worth` besides. 0: there was nothing better."
    )
    error = number(
        "Standard error of `cost`, or, where the best was played, of its lead over the second best; null: exact. "
        "A cost below two errors may be chance.",
        null=True,
    )
    expected_cost = number("The same by `expected`, whatever `method` is: what the seat could have known better.")
    expected_error = number("Standard error of `expected_cost`, as `error`; null: exact.", null=True)
    deals = whole("Deals behind `expected`; 0: none were needed.")
    alternatives = list_of(
        fields.Nested(AlternativeSchema),
        "All plays there were, the best first, by what `cost` is counted from; empty where there was no choice.",
    )


class SeatAnalysisSchema(Answered):
    """A seat's moves added up."""

    seat = whole("From 0.")
    side = whole("Index into scores.")
    choices = whole("Moves with something to choose.")
    exact = whole("Those among them whose cost is exact.")
    cost = number("Of all its moves: `exact_cost` and `estimated_cost` together.")
    exact_cost = number("Of those that are exact.")
    estimated_cost = number("Of those that are estimates.")
    expected_cost = number("Of all its moves, by what the seat could have known better.")


class HandAnalysisSchema(Answered):
    """All moves of a finished hand."""

    hand = whole("Number of the hand.")
    game_worth = whole("Points that winning the game in this hand counts besides, in every cost.")
    moves = list_of(fields.Nested(MoveAnalysisSchema), "In the order they were made.")
    seats = list_of(fields.Nested(SeatAnalysisSchema), "In order.")


class AnalysisSchema(Answered):
    """An analysis that was asked for, and how far it is."""

    table = text("Id of the table.")
    hand = whole("Number of the hand.")
    status = closed("AnalysisStatus", STATUSES, "`failed`: it could not be made; asking with POST begins anew.")
    asked_at = moment("When it was first asked for.")
    ready_at = moment("Null until it is ready.", null=True)
    progress = number("Share of the moves that are done, from 0 to 1.")
    analysis = inside(HandAnalysisSchema, "Null until it is ready.", null=True)
