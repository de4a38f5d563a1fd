"""A record as text, a line a hand, for people to read and mail; docs/records.md has the grammar.

It says what was dealt, played and scored. It does not say when, nor by whom a move was made for a seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps

from msgspec.json import encode

from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    HandDealt,
    HandEnded,
    MugginsCalled,
    PointsScored,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.tables.shapes import FinishedHand, GameRecord, RecordSeat
from app.tables.table import Result

NOTATION = "all-fives-notation/1"
"""A game begins with this line. A record read from text has it as its format: it has no stamps, nor who sat when."""

BAR = "\\u007c"
"""A `|` inside a name, as JSON may write it: outside it parts what stands in a line."""


def written(record: GameRecord) -> str:
    """The record as text; `parsing.read` reads it again."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: GameRecord) -> Iterator[str]:
    yield NOTATION
    yield f"table: {record.table}"
    house_rules = f" {_json(record.ruleset.house_rules)}" if record.ruleset.house_rules else ""
    yield f"ruleset: {record.ruleset.id}{house_rules}"
    yield f"players: {record.players} {record.seating}"
    yield f"seats: {' | '.join(_seat(place) for place in record.seats)}"
    yield f"abandonment: {record.abandonment}"
    if record.practice:
        yield "practice: yes"
    if record.commitment is not None:
        yield f"commitment: {record.commitment}"
    if record.started_at is not None:
        yield f"started: {record.started_at.isoformat()}"
    for hand in record.hands:
        yield _hand(hand)
    if record.result is not None:
        yield f"result: {_result(record.result)}"


def _seat(place: RecordSeat) -> str:
    """`human "Ann"`, `house_bot "medium"`."""
    occupant = place.occupant
    name = occupant.level if occupant.kind == "house_bot" else occupant.name
    return occupant.kind if name is None else f"{occupant.kind} {_json(name).replace('|', BAR)}"


def _hand(hand: FinishedHand) -> str:
    ended = hand.result
    proof = "-"
    if hand.proof is not None:
        proof = f"{hand.proof.link} {_json(hand.proof.client_seeds)}"
    earned = " ".join(f"{points:+}" for points in ended.points)
    parts = [
        f"{hand.number}. {hand.leader} {hand.lead_by}",
        " / ".join(" ".join(tiles) for tiles in hand.holdings),
        " ".join(hand.boneyard) or "-",
        " ".join(_moves(hand)),
        ended.reason if ended.seat is None else f"{ended.reason} {ended.seat}",
        f"{earned} = {' '.join(map(str, ended.scores))}",
        proof,
    ]
    return " | ".join(parts)


def _moves(hand: FinishedHand) -> Iterator[str]:
    """A word for each play, draw, pass and call; the points it earned stand behind it."""
    word = ""
    for event in hand.events:
        match event:
            case TilePlayed() | TilesDrawn() | TurnPassed() | MugginsCalled():
                if word:
                    yield word
                word = _word(event)
            case PointsScored(reason="play", points=points):
                word += f"+{points}"
            case HandDealt() | PointsScored() | ClaimOpened() | ClaimClosed() | HandEnded() | GameEnded() | _:
                pass
    if word:
        yield word


def _word(event: TilePlayed | TilesDrawn | TurnPassed | MugginsCalled) -> str:
    match event:
        case TilesDrawn(number=number):
            return f"D{number}"
        case TurnPassed():
            return "-"
        case MugginsCalled(seat=seat, points=points):
            return f"{seat}!{points:+}"
        case TilePlayed():
            announced = "" if event.announce is None else f":{event.announce}"
            return placed(event.tile, event.end.removesuffix(".right"), lengthwise=event.lengthwise) + announced


def _result(result: Result) -> str:
    winner = "nobody" if result.winner is None else str(result.winner)
    return f"{winner} {result.reason} | {' '.join(map(str, result.scores))} | {' '.join(map(str, result.places))}"


def placed(tile: str | None, end: str | None, *, lengthwise: bool) -> str:
    """A play as a word.

    >>> placed("44", "64.left", lengthwise=True), placed("55", "lead", lengthwise=False)
    ('44>64.left~', '55')
    """
    on = "" if end in (None, "lead") else f">{end}"
    return f"{tile}{on}{'~' if lengthwise else ''}"


def _json(value: object) -> str:
    """JSON in which line ends and the like are written out: a text is read by lines, and shown on terminals."""
    return "".join(one if one.isprintable() else dumps(one)[1:-1] for one in encode(value).decode())
