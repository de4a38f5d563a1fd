"""One hand judged again: every recorded event beside the one the engine has for it."""

from __future__ import annotations

from collections import deque
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from app.engine.actions import Action, CloseClaim, Deal, DealScripted, Draw, EndGame, Muggins, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.events import (
    ClaimClosed,
    GameEnded,
    GameEvent,
    HandDealt,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.evolve import evolve
from app.engine.game import Game, turn
from app.engine.legality import legal_moves
from app.engine.turns import decide
from app.records.chairs import Chairs
from app.records.findings import Finding, differences
from app.tables.events import TableEvent, TurnStarted
from app.tables.shapes import FinishedHand

GAME_EVENTS = get_args(GameEvent)
STAMPS = frozenset({"seq", "at", "hand", "by", "deadline", "next_hand_at"})
"""Fields the engine has no say in."""
SAID_ELSEWHERE = {
    HandDealt: frozenset({"holdings", "boneyard_tiles", "commitment", "client_seeds"}),
    HandEnded: frozenset({"proof"}),
    TilesDrawn: frozenset({"legal_moves"}),
}
"""Fields that are looked at in another place."""
MOVES = TilePlayed | TilesDrawn | TurnPassed | MugginsCalled


class Judged(Struct, frozen=True):
    """What came of judging one hand."""

    game: Game
    chairs: Chairs
    findings: tuple[Finding, ...]
    moves: int
    finished: bool
    """Every event was judged and the hand came to its end."""


def judge(game: Game, chairs: Chairs, hand: FinishedHand, dealing: Deal | DealScripted) -> Judged:
    """The hand, dealt so and played as recorded."""
    judge = _Judge(game, chairs.copy(), hand, dealing)
    return judge.judged()


def resumed(game: Game, hand: FinishedHand) -> Game | None:
    """The game after a hand that could not be judged to its end, taken from what the record says came of it.

    None where the hand was not even dealt, or the record does not say it for every side.
    """
    if game.hand is None or len(game.scores) != len(hand.result.scores):
        return None
    game = evolve(game, hand.result)
    for side, score in enumerate(hand.result.scores):
        more = score - game.scores[side]
        game = evolve(game, PointsScored(side=side, seat=None, points=more, reason="hand_end", score=score))
    return replace(game, hand_number=hand.number, result=None)


class _Judge:
    """What the engine expects next, as the hand goes on."""

    def __init__(self, game: Game, chairs: Chairs, hand: FinishedHand, dealing: Deal | DealScripted) -> None:
        self._game = game
        self._chairs = chairs
        self._hand = hand
        self._dealing: Deal | DealScripted | None = dealing
        self._expected: deque[GameEvent] = deque()
        self._findings: list[Finding] = []
        self._moves = 0

    def judged(self) -> Judged:
        finished = True
        for place, event in enumerate(self._hand.events):
            if not isinstance(event, GAME_EVENTS):
                self._beside_the_game(place, event)
            elif not self._is_judged(place, event):
                finished = False
                break
        if finished:
            finished = self._has_ended()
        return Judged(self._game, self._chairs, tuple(self._findings), self._moves, finished)

    def _is_judged(self, place: int, event: GameEvent) -> bool:
        """Hold one event against what must be here. False: nothing after it can be judged."""
        while self._expected and type(self._expected[0]) is not type(event):
            if self._is_too_many(place, event):
                self._find(place, "event", _tag(self._expected[0]), _tag(event))
                return True
            missing = self._expected.popleft()
            self._find(place, "event", _tag(missing), _tag(event))
            self._game = evolve(self._game, missing)
        if not self._expected:
            action = self._action(place, event)
            if action is None:
                self._find(place, "event", None, _tag(event))
                return True
            try:
                self._expected.extend(self._decided(place, action))
            except (RuleViolation, ValueError) as refusal:
                self._find(place, "move", f"a legal one ({refusal})", _told(event))
                return False
            if type(self._expected[0]) is not type(event):
                return self._is_judged(place, event)
        self._compare(place, self._expected.popleft(), event)
        return True

    def _is_too_many(self, place: int, event: GameEvent) -> bool:
        """Whether this event is the one that should not be here, not the one expected the one that lacks."""
        return type(self._next(place)) is type(self._expected[0]) and type(event) not in map(type, self._expected)

    def _next(self, place: int) -> GameEvent | None:
        """The game's next event after this place."""
        return next((later for later in self._hand.events[place + 1 :] if isinstance(later, GAME_EVENTS)), None)

    def _decided(self, place: int, action: Action) -> tuple[GameEvent, ...]:
        """What follows from the action. Raises: RuleViolation, ValueError.

        Where a play scored by the record and would not have with what it announced, or the other way round, it is the
        announcement that is wrong: everything after it is judged as if it were right.
        """
        events = decide(self._game, action)
        if not isinstance(action, Play):
            return events
        # What closes a window stands before the play that closes it.
        at = next(at for at, one in enumerate(self._hand.events) if at >= place and isinstance(one, TilePlayed))
        scored = _scored((self._hand.events[at],))
        if _scored(events) == scored:
            return events
        earned = self._next(at)
        announce = earned.points if isinstance(earned, PointsScored) and earned.reason == "play" else None
        others = decide(self._game, replace(action, announce=announce))
        return others if _scored(others) == scored else events

    def _action(self, place: int, event: GameEvent) -> Action | None:  # noqa: PLR0911 - a branch for every cause
        """What somebody must have done for this event to come now; None: nothing can bring it."""
        match event:
            case HandDealt():
                dealing, self._dealing = self._dealing, None
                return dealing
            case TilePlayed():
                return Play(
                    seat=event.seat,
                    tile=event.tile,
                    end=event.end,
                    lengthwise=event.lengthwise,
                    announce=event.announce,
                )
            case TilesDrawn(seat=seat):
                return Draw(seat=seat)
            case TurnPassed(seat=seat):
                return Pass(seat=seat)
            case MugginsCalled(seat=seat):
                return Muggins(seat=seat)
            case GameEnded(reason="forfeit"):
                return EndGame(reason="forfeit", present=self._chairs.present(self._game))
            case GameEnded(reason="abandoned"):
                return EndGame(reason="abandoned")
            case ClaimClosed():
                cause = self._next(place)
                if isinstance(cause, MOVES | GameEnded):
                    return self._action(place, cause)
                return CloseClaim() if event.taken_by is None else Muggins(seat=event.taken_by)
            case _:
                return None

    def _compare(self, place: int, expected: GameEvent, event: GameEvent) -> None:
        elsewhere = SAID_ELSEWHERE.get(type(event), frozenset())
        for name in event.__struct_fields__:
            if name in STAMPS or name in elsewhere:
                continue
            for what, one, other in differences(getattr(expected, name), getattr(event, name), name):
                self._find(place, what, one, other)
        if isinstance(event, TilePlayed | TilesDrawn | TurnPassed):
            by = self._chairs.by(event.seat, event.by, may_be_forced=not isinstance(event, TilePlayed))
            if by != event.by and self._is_stamped(event):
                self._find(place, "by", by, event.by)
        if isinstance(event, GameEnded) and self._is_stamped(event):
            reason = self._chairs.end(self._game, event.reason)
            if reason != event.reason:
                self._find(place, "reason", reason, event.reason)
        self._game = evolve(self._game, expected)
        if isinstance(event, TilesDrawn) and event.legal_moves is not None:
            self._legal_moves(place, event.seat, event)
        if isinstance(event, TilePlayed | TurnPassed):
            self._chairs.turn_over(event.seat)
        self._moves += isinstance(event, MOVES)

    def _beside_the_game(self, place: int, event: TableEvent) -> None:
        """An event of the table: who sits, whose turn it is."""
        objection = self._chairs.objection(event, turn(self._game))
        if objection is not None:
            self._find(place, *objection)
        if isinstance(event, TurnStarted):
            if event.seat != turn(self._game):
                self._find(place, "seat", turn(self._game), event.seat)
            else:
                self._legal_moves(place, event.seat, event)
        self._chairs.see(event)

    def _legal_moves(self, place: int, seat: int, event: TurnStarted | TilesDrawn) -> None:
        for what, one, other in differences(legal_moves(self._game, seat), event.legal_moves, "legal_moves"):
            self._find(place, what, one, other)

    def _has_ended(self) -> bool:
        """Whether the hand came to its end; what its end still lacks is a finding each."""
        for missing in self._expected:
            self._find(None, "event", _tag(missing), None)
            self._game = evolve(self._game, missing)
        hand = self._game.hand
        over = self._game.over or (hand is not None and hand.over and self._dealing is None)
        if not over:
            self._find(None, "event", "hand_ended", None)
        return over

    @staticmethod
    def _is_stamped(event: TableEvent) -> bool:
        """Written by a table; the notation does not tell by whom a move is."""
        return event.seq > 0

    def _find(self, place: int | None, what: str, expected: object, found: object) -> None:
        event = None if place is None else self._hand.events[place]
        move = self._moves + isinstance(event, MOVES)
        self._findings.append(
            Finding(
                what=what,
                expected=expected,
                found=found,
                hand=self._hand.number,
                move=move or None,
                event=place,
                seq=None if event is None else event.seq or None,
                type=None if event is None else _tag(event),
            )
        )


def _scored(events: tuple[TableEvent, ...]) -> bool:
    """Whether the play among these shows its count: on a claim table only one that scored does."""
    return any(isinstance(event, TilePlayed) and event.count is not None for event in events)


def _tag(event: TableEvent) -> str:
    return str(event.__struct_config__.tag)


def _told(event: GameEvent) -> str:
    """A move as a sentence has it."""
    match event:
        case TilePlayed():
            return f"seat {event.seat} plays {event.tile} on {event.end}"
        case TilesDrawn():
            return f"seat {event.seat} draws {event.number}"
        case TurnPassed():
            return f"seat {event.seat} passes"
        case MugginsCalled():
            return f"seat {event.seat} calls"
        case _:
            return _tag(event)
