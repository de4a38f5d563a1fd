"""One line of the notation played by the engine, and turned into the hand of a record."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from app.engine.actions import Action, CloseClaim, Deal, DealScripted, Draw, Muggins, Pass, Play
from app.engine.errors import RuleViolation
from app.engine.events import (
    GameEvent,
    HandDealt,
    HandEnded,
    MugginsCalled,
    PointsScored,
    Proof,
    TilePlayed,
    TilesDrawn,
)
from app.engine.evolve import evolve
from app.engine.game import Game, phase, side_of, turn
from app.engine.turns import decide
from app.records.deals import DealCheck, is_link
from app.records.findings import Finding
from app.records.judging import resumed
from app.tables.fair_deal import ALGORITHM, link_before
from app.tables.shapes import FinishedHand, GameRecord

_PLAY = re.compile(
    r"(?P<tile>\d\d)(?:>(?P<on>\d\d)(?:\.(?P<side>left|right|up|down))?)?(?P<along>~)?"
    r"(?::(?P<announce>\d+))?(?:\+(?P<points>\d+))?"
)
_CALL = re.compile(r"(\d)!([+-]\d+)")
_DRAW = re.compile(r"D(\d+)")


class Line(Struct, frozen=True, kw_only=True):
    """One hand as it is written."""

    number: int
    leader: int
    lead_by: str
    holdings: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    moves: tuple[str, ...]
    reason: str
    seat: int | None
    points: tuple[int, ...]
    scores: tuple[int, ...]
    link: str | None
    client_seeds: tuple[str, ...]


class Word(Struct, frozen=True):
    """One move of a line."""

    action: Action
    points: int | None
    """What it says the move earned; for a draw, how many tiles."""


def played(record: GameRecord, game: Game, line: Line) -> tuple[FinishedHand, Game | None, list[Finding]]:
    """The hand, the game after it (None: nothing can be played after it), and where it could not be played.

    `record` has what stands above the hands.
    """
    bare = _bare(line)
    alone = replace(record, hands=(bare,))
    tries = [_Replay(game, line, way).run() for way in DealCheck(alone).ways(bare)]
    replay = next((one for one in tries if not one.findings), tries[0])
    events = tuple(replace(event, hand=line.number) for event in replay.events)
    ended = next((event for event in events if isinstance(event, HandEnded)), bare.result)
    hand = replace(bare, events=events, result=ended)
    if not replay.findings:
        return hand, replay.game, []
    return hand, resumed(replay.game, hand), replay.findings


def _bare(line: Line) -> FinishedHand:
    """The hand without its moves."""
    proof = None
    if line.link is not None:
        proof = Proof(algorithm=ALGORITHM, link=line.link, client_seeds=line.client_seeds)
    return FinishedHand(
        number=line.number,
        leader=line.leader,
        lead_by=line.lead_by,
        holdings=line.holdings,
        boneyard=line.boneyard,
        events=(),
        result=HandEnded(
            hand=line.number,
            reason=line.reason,
            winner=None,
            seat=line.seat,
            holdings=(),
            boneyard=(),
            breakdown=(),
            points=line.points,
            scores=line.scores,
            proof=proof,
        ),
        proof=proof,
    )


class _Replay:
    """The engine at work on one line."""

    def __init__(self, game: Game, line: Line, dealing: Deal | DealScripted) -> None:
        self.game = game
        self.events: list[GameEvent] = []
        self.findings: list[Finding] = []
        self._line = line
        self._dealing = dealing

    def run(self) -> _Replay:
        if not self._act("deal", self._dealing, None, None):
            return self
        for place, text in enumerate(self._line.moves):
            word = self._word(text)
            if word is None:
                self._find("move", "a word of the notation", text, place + 1)
                return self
            if not self._act(text, word.action, place, word.points):
                return self
        if phase(self.game) == "claim":
            self._act("the claim window closes", CloseClaim(), None, None)
        return self

    def _word(self, text: str) -> Word | None:
        seat = turn(self.game)
        seat = -1 if seat is None else seat
        if text == "-":
            return Word(Pass(seat=seat), None)
        drawn, call, play = _DRAW.fullmatch(text), _CALL.fullmatch(text), _PLAY.fullmatch(text)
        if drawn is not None:
            return Word(Draw(seat=seat), int(drawn[1]))
        if call is not None:
            return Word(Muggins(seat=int(call[1])), int(call[2]))
        if play is None:
            return None
        end = "lead" if play["on"] is None else f"{play['on']}.{play['side'] or 'right'}"
        announce = None if play["announce"] is None else int(play["announce"])
        lengthwise = play["along"] is not None
        action = Play(seat=seat, tile=play["tile"], end=end, lengthwise=lengthwise, announce=announce)
        return Word(action, None if play["points"] is None else int(play["points"]))

    def _act(self, text: str, action: Action, place: int | None, points: int | None) -> bool:
        try:
            events = decide(self.game, action)
        except (RuleViolation, ValueError) as refusal:
            move = None if place is None else place + 1
            self._find("deal" if move is None else "move", f"a legal one ({refusal})", text, move)
            return False
        for event in events:
            self.game = evolve(self.game, event)
            self.events += self._as_written(event, points)
        if isinstance(action, Play) and points is not None and not _scored(events):
            side = side_of(self.game, action.seat)
            scored = PointsScored(
                side=side, seat=action.seat, points=points, reason="play", score=self.game.scores[side]
            )
            self.events.append(scored)
        return True

    def _as_written(self, event: GameEvent, points: int | None) -> list[GameEvent]:
        """The event, with what the line says in its place."""
        line = self._line
        match event:
            case HandDealt():
                proved = line.link is not None and is_link(line.link)
                return [
                    replace(
                        event,
                        leader=line.leader,
                        lead_by=line.lead_by,
                        holdings=line.holdings,
                        boneyard_tiles=line.boneyard,
                        boneyard=len(line.boneyard),
                        commitment=link_before(line.link or "") if proved else None,
                        client_seeds=line.client_seeds if proved else None,
                    )
                ]
            case PointsScored(reason="play"):
                return [] if points is None else [replace(event, points=points)]
            case PointsScored(reason="muggins") | MugginsCalled() if points is not None:
                return [replace(event, points=points)]
            case TilesDrawn() if points is not None:
                return [replace(event, number=points)]
            case HandEnded():
                ended = _bare(line).result
                return [
                    replace(
                        event,
                        reason=ended.reason,
                        seat=ended.seat,
                        points=ended.points,
                        scores=ended.scores,
                        proof=ended.proof,
                    )
                ]
            case _:
                return [event]

    def _find(self, what: str, expected: object, found: object, move: int | None) -> None:
        hand = self._line.number
        self.findings.append(Finding(what=what, expected=expected, found=found, hand=hand, move=move))


def _scored(events: tuple[GameEvent, ...]) -> bool:
    played = any(isinstance(event, TilePlayed) for event in events)
    return played and any(isinstance(event, PointsScored) and event.reason == "play" for event in events)
