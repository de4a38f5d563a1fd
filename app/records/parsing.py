"""Text read again as a record: the engine plays what is written, and what is written stands where it differs.

So `verify` finds in a text what it finds in a record: a wrong score, a wrong deal, a point too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from msgspec import DecodeError, ValidationError, convert
from msgspec.json import decode
from msgspec.structs import replace

from app.engine.errors import InvalidRules
from app.engine.events import RuleSetName
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, side_of
from app.records.findings import Finding
from app.records.notation import NOTATION
from app.records.replaying import Line, played
from app.tables.seats import Occupant
from app.tables.shapes import FinishedHand, GameRecord, RecordSeat
from app.tables.table import Result

_HEAD = re.compile(r"([a-z]+): ?(.*)")
_HAND = re.compile(r"(\d+)\. (\d) ([a-z_]+)")
_POINTS = re.compile(r"((?:[+-]\d+ ?)+)= ((?:-?\d+ ?)+)")


class Unreadable(Exception):
    """A line that is none of the notation; the message says which, and what it should be."""


def read(lines: Iterable[str]) -> tuple[GameRecord, tuple[Finding, ...]]:
    """One game from its lines, and where a hand could not be played as written.

    Raises:
        Unreadable: a line cannot be understood.
    """
    numbered = [(number, line.strip()) for number, line in enumerate(lines, start=1)]
    numbered = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    if not numbered or numbered[0][1] != NOTATION:
        raise Unreadable(f"line 1 must be {NOTATION}")
    head: dict[str, str] = {}
    hands: list[Line] = []
    for number, line in numbered[1:]:
        if line[0].isdigit():
            hands.append(_line(number, line))
            continue
        found = _HEAD.fullmatch(line)
        if found is None:
            raise Unreadable(f"line {number} is neither `name: value` nor a hand: {line[:60]}")
        head[found[1]] = found[2]
    return _Reader(head, hands).record()


class _Reader:
    def __init__(self, head: dict[str, str], hands: list[Line]) -> None:
        self._head = head
        self._hands = hands

    def record(self) -> tuple[GameRecord, tuple[Finding, ...]]:
        ruleset, _, house_rules = self._needed("ruleset").partition(" ")
        players, _, seating = self._needed("players").partition(" ")
        rules: dict[str, object] = _read_json(house_rules, dict[str, object], "ruleset") if house_rules else {}
        try:
            started = new_game(ruleset, int(players), seating or None, rules)
        except (InvalidRules, ValueError) as refused:
            raise Unreadable(f"`ruleset` and `players`: {refused}") from None
        game = evolve(None, started)
        record = GameRecord(
            format=NOTATION,
            table=self._needed("table"),
            ruleset=RuleSetName(id=ruleset, house_rules=rules),
            rules=started.rules,
            players=started.players,
            seating=started.seating,
            target=started.target,
            abandonment=self._head.get("abandonment", "bot_plays_on"),
            practice=self._head.get("practice") == "yes",
            commitment=self._head.get("commitment"),
            seats=tuple(self._seats(game)),
            started_at=self._started(),
            hands=(),
            result=self._result(),
        )
        findings: list[Finding] = []
        hands: list[FinishedHand] = []
        for line in self._hands:
            hand, after, wrong = played(record, game, line)
            hands.append(hand)
            findings += wrong
            if after is None:
                break
            game = after
        return replace(record, hands=tuple(hands)), tuple(findings)

    def _needed(self, name: str) -> str:
        if name not in self._head:
            raise Unreadable(f"the line `{name}: …` is missing")
        return self._head[name]

    def _seats(self, game: Game) -> Iterator[RecordSeat]:
        for seat, written in enumerate(self._needed("seats").split(" | ")):
            kind, _, name = written.partition(" ")
            called = _read_json(name, str, "seats") if name else None
            house_bot = kind == "house_bot"
            try:
                occupant = convert(
                    {"kind": kind, "level": called if house_bot else None, "name": None if house_bot else called},
                    Occupant,
                )
            except ValidationError as error:
                raise Unreadable(f"`seats`: {error}") from None
            yield RecordSeat(seat=seat, side=side_of(game, seat), occupant=occupant)

    def _started(self) -> datetime | None:
        written = self._head.get("started")
        try:
            return None if written is None else datetime.fromisoformat(written)
        except ValueError:
            raise Unreadable(f"`started`: {written} is no time") from None

    def _result(self) -> Result | None:
        written = self._head.get("result")
        if written is None:
            return None
        found = re.fullmatch(r"(\d|nobody) ([a-z_]+) \| ([-\d ]+) \| ([\d ]+)", written)
        if found is None:
            raise Unreadable("`result` must read: winner reason | scores | places")
        winner = None if found[1] == "nobody" else int(found[1])
        return Result(winner=winner, reason=found[2], scores=_numbers(found[3]), places=_numbers(found[4]))


def _line(number: int, line: str) -> Line:
    """A hand, taken apart."""
    parts = line.split(" | ", 6)
    if len(parts) != 7:
        raise Unreadable(f"line {number}: a hand has seven parts with ` | ` between them, not {len(parts)}")
    begin, holdings, boneyard, moves, end, points, proof = parts
    led = _HAND.fullmatch(begin)
    earned = _POINTS.fullmatch(points)
    reason, _, seat = end.partition(" ")
    if led is None or earned is None or (seat and not seat.isdigit()):
        raise Unreadable(f"line {number}: a hand begins `1. 0 lot`, ends `went_out 0 | +15 +0 = 15 10 | …`")
    link, _, seeds = proof.partition(" ")
    return Line(
        number=int(led[1]),
        leader=int(led[2]),
        lead_by=led[3],
        holdings=tuple(tuple(tiles.split()) for tiles in holdings.split(" / ")),
        boneyard=() if boneyard == "-" else tuple(boneyard.split()),
        moves=tuple(moves.split()),
        reason=reason,
        seat=int(seat) if seat else None,
        points=_numbers(earned[1]),
        scores=_numbers(earned[2]),
        link=None if link == "-" else link,
        client_seeds=_read_json(seeds, tuple[str, ...], f"line {number}, seeds") if seeds else (),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split())


def _read_json(text: str, kind: Any, where: str) -> Any:
    try:
        return decode(text, type=kind)
    except DecodeError as error:
        raise Unreadable(f"{where}: {error}") from None
