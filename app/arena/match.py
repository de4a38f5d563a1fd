"""One game between two players, hand after hand to its end, and one series of such games."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from app.arena.contest import ONE, OTHER, Contest
from app.arena.umpire import Clock, Conduct, Umpire
from app.bots.named import Choose
from app.engine.actions import Action, CloseClaim, Muggins
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, phase, turn
from app.engine.legality import legal_moves
from app.engine.turns import decide
from app.engine.views import points_on_table, seat_view


class Played(Struct, frozen=True, kw_only=True):
    """One finished game."""

    series: int
    place: int
    """Which of its series."""
    seats: tuple[int, ...]
    """The player at each seat."""
    scores: tuple[int, ...]
    """Per side."""
    won: float
    """What the first player won: 1, 0, or his share of a draw."""
    difference: float
    """His score less the other's; less the others' mean, where he plays against several."""
    hands: int
    reason: str
    conduct: tuple[Conduct, Conduct]
    """Of either player."""

    @property
    def marked(self) -> bool:
        """Whether the first legal move was made in the place of somebody's own."""
        return any(one.faulty for one in self.conduct)


def play_series(contest: Contest, series: int, players: tuple[Choose, Choose], clock: Clock) -> Iterator[Played]:
    """The games of one series, one after another."""
    for place in range(contest.games_a_series):
        yield play(contest, series, place, players, clock)


def play(contest: Contest, series: int, place: int, players: tuple[Choose, Choose], clock: Clock) -> Played:
    """One game of a series to its end."""
    seats = contest.seats(series, place)
    umpire = Umpire(players, clock)
    game = evolve(None, new_game(contest.ruleset, contest.players, contest.seating, contest.house_rules))
    moves = 0
    while not game.over:
        action = _without_asking(contest, series, game)
        if action is not None:
            events = decide(game, action)
        else:
            seat = turn(game)
            assert seat is not None
            moves += 1
            events = umpire.move(game, seat, seats[seat], contest.seed_of_move(series, place, moves))
        for event in events:
            game = evolve(game, event)
    return _played(series, place, seats, game, umpire)


def _without_asking(contest: Contest, series: int, game: Game) -> Action | None:
    """The next deal, a call, or the end of a last-play window; None: it is a player's turn.

    Announcing and calling is counting only: on a claim table it is done for every player alike.
    """
    if phase(game) in (None, "over"):
        return contest.deal(series, game.hand_number + 1)
    assert game.hand is not None
    window = game.hand.window
    if window is None:
        return None
    for seat in range(game.players):
        if any(move.action == "muggins" for move in legal_moves(game, seat)):
            view = seat_view(game, seat)
            if view.layout.count is None and points_on_table(view):
                return Muggins(seat=seat)
    return CloseClaim() if window.last else None


def _played(series: int, place: int, seats: tuple[int, ...], game: Game, umpire: Umpire) -> Played:
    result = game.result
    assert result is not None
    sides = seats[: len(result.scores)]
    scores = [[score for side, score in enumerate(result.scores) if sides[side] == one] for one in (ONE, OTHER)]
    best = max(result.scores)
    return Played(
        series=series,
        place=place,
        seats=seats,
        scores=result.scores,
        won=scores[ONE].count(best) / result.scores.count(best),
        difference=sum(scores[ONE]) / len(scores[ONE]) - sum(scores[OTHER]) / len(scores[OTHER]),
        hands=game.hand_number,
        reason=result.reason,
        conduct=umpire.conduct,
    )
