"""What each move of a hand cost, reckoned from its last move to its first, so that it can be done in pieces.

The last moves have the smallest endings. Once one is too large to be solved, those before it are not tried.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from app.analysis.hands import Moment
from app.analysis.shapes import Alternative, HandAnalysis, MoveAnalysis, SeatAnalysis
from app.bots.appraisal import Appraisal, Effort, Worth, appraise, error, game_worth, total
from app.bots.known import Choice
from app.bots.shapes import shape_after
from app.engine.events import MugginsCalled, TilePlayed, TilesDrawn, TurnPassed
from app.engine.game import rules_of
from app.engine.layout import count_after, open_end
from app.engine.rules import Rules, way_laid
from app.engine.tiles import parse_tile

PIECE = 60_000
"""Effort after which a piece of the work ends: less than a second on a quiet core."""
EFFORT = Effort()

Done = tuple[MoveAnalysis, ...]
"""Moves that are done, the last of the hand first."""


def carry_on(moments: Sequence[Moment], done: Done, effort: Effort = EFFORT, piece: int = PIECE) -> Done:
    """The next piece of the work: at least one move, then as many as `piece` allows."""
    spent = 0
    while len(done) < len(moments) and spent < piece:
        moment = moments[-1 - len(done)]
        if any(move.method == "estimate" for move in done):
            effort = replace(effort, positions=0)
        analysed, more = _analysed(moment, effort)
        done = (*done, analysed)
        spent += more
    return done


def concluded(moments: Sequence[Moment], done: Done) -> HandAnalysis:
    """The whole analysis, once every move is done."""
    game = moments[0].before
    rules = rules_of(game)
    moves = done[::-1]
    return HandAnalysis(
        hand=game.hand_number,
        game_worth=game_worth(rules),
        moves=moves,
        seats=seats_of(rules.side, moves),
    )


def seats_of(sides: Sequence[int], moves: Sequence[MoveAnalysis]) -> tuple[SeatAnalysis, ...]:
    """Every seat's moves added up. `sides`: the side of each."""
    return tuple(_seat(seat, side, moves) for seat, side in enumerate(sides))


def _analysed(moment: Moment, effort: Effort) -> tuple[MoveAnalysis, int]:
    """The move with its cost, and the effort it took."""
    rules, event = rules_of(moment.before), moment.event
    match event:
        case TilePlayed():
            appraisal = appraise(moment.before, event.seat, moment.number, effort)
            if appraisal is None:
                return _plain(moment, "play", forced=True), 0
            return _chosen(moment, event, rules, appraisal), appraisal.effort
        case TilesDrawn():
            return _plain(moment, "draw", forced=True), 0
        case TurnPassed():
            return _plain(moment, "pass", forced=True), 0
        case MugginsCalled():
            return _plain(moment, "muggins", forced=False, cost=float(max(0, -event.points))), 0


def _plain(moment: Moment, action: str, *, forced: bool, cost: float = 0.0) -> MoveAnalysis:
    """A move without alternatives: its cost is known as it stands."""
    event = moment.event
    played = event if isinstance(event, TilePlayed) else None
    return MoveAnalysis(
        move=moment.number,
        seq=event.seq or None,
        seat=event.seat,
        side=rules_of(moment.before).side[event.seat],
        by="player" if isinstance(event, MugginsCalled) else event.by,
        action=action,
        tile=None if played is None else played.tile,
        end=None if played is None else played.end,
        lengthwise=played is not None and played.lengthwise,
        points=event.points if isinstance(event, MugginsCalled) else 0 if played is None else _points(moment),
        forced=forced,
        method="exact",
        cost=cost,
        error=None,
        expected_cost=cost,
        expected_error=None,
        deals=0,
        alternatives=(),
    )


def _points(moment: Moment) -> int:
    """What a play was worth, announced or not."""
    assert moment.after.hand is not None
    return rules_of(moment.after).points[moment.after.hand.layout.count]


def _chosen(moment: Moment, event: TilePlayed, rules: Rules, appraisal: Appraisal) -> MoveAnalysis:
    """A play among others."""
    chosen = _place_of(moment, event, rules, appraisal.choices)
    expected_cost, expected_error = _cost(rules, appraisal.expected, chosen)
    by = appraisal.expected if appraisal.open is None else appraisal.open
    cost, its_error = _cost(rules, by, chosen)
    order = sorted(range(len(by)), key=lambda place: (-total(rules, by[place]), place != chosen))
    return replace(
        _plain(moment, "play", forced=False),
        method="estimate" if appraisal.open is None else "exact",
        cost=cost,
        error=its_error,
        expected_cost=expected_cost,
        expected_error=expected_error,
        deals=appraisal.deals,
        alternatives=tuple(_alternative(moment, rules, appraisal, place, place == chosen) for place in order),
    )


def _place_of(moment: Moment, event: TilePlayed, rules: Rules, options: Sequence[Choice]) -> int:
    """Which of the choices was made, or is the same as what was made."""
    assert moment.before.hand is not None
    layout = moment.before.hand.layout
    tile, end = parse_tile(event.tile), open_end(layout, event.end)
    assert end is not None
    shape = shape_after(layout, tile, end, way_laid(rules, tile, layout.has_double, event.lengthwise))
    return next(
        place
        for place, option in enumerate(options)
        if option.tile == tile and shape_after(layout, tile, option.end, option.way) == shape
    )


def _cost(rules: Rules, worths: Sequence[Worth], chosen: int) -> tuple[float, float | None]:
    """What a choice cost against the best, and the standard error of that; None: it is exact.

    The best choice costs nothing; its error is that of its lead over the second best.
    """
    totals = [total(rules, worth) for worth in worths]
    order = sorted(range(len(worths)), key=lambda place: (-totals[place], place != chosen))
    cost = round(totals[order[0]] - totals[chosen], 2)
    if not worths[chosen].samples:
        return cost, None
    other = worths[order[1] if order[0] == chosen else order[0]]
    differences = [one - two for one, two in zip(other.samples, worths[chosen].samples, strict=True)]
    return cost, round(error(differences), 2)


def _alternative(moment: Moment, rules: Rules, appraisal: Appraisal, place: int, chosen: bool) -> Alternative:
    assert moment.before.hand is not None
    option, expected = appraisal.choices[place], appraisal.expected[place]
    solved = None if appraisal.open is None else appraisal.open[place]
    count = count_after(moment.before.hand.layout, option.tile, option.end, option.way)
    return Alternative(
        tile=option.move.tile or "",
        end=option.move.end or "",
        lengthwise=option.lengthwise,
        points=rules.points[count],
        chosen=chosen,
        expected=_rounded(expected.points, 2),
        error=round(error(expected.samples), 2) if expected.samples else None,
        game=_rounded(expected.game, 3),
        open=None if solved is None else round(solved.points),
        open_game=None if solved is None else round(solved.game),
    )


def _rounded(figure: float, digits: int) -> float:
    """Rounded, and never the 0 that is written -0.0."""
    return round(figure, digits) + 0.0


def _seat(seat: int, side: int, moves: Sequence[MoveAnalysis]) -> SeatAnalysis:
    own = [move for move in moves if move.seat == seat]
    exact = sum(move.cost for move in own if move.method == "exact")
    estimated = sum(move.cost for move in own if move.method == "estimate")
    chosen = [move for move in own if move.alternatives]
    return SeatAnalysis(
        seat=seat,
        side=side,
        choices=len(chosen),
        exact=sum(move.method == "exact" for move in chosen),
        cost=round(exact + estimated, 2),
        exact_cost=round(exact, 2),
        estimated_cost=round(estimated, 2),
        expected_cost=round(sum(move.expected_cost for move in own), 2),
    )
