"""A whole record judged offline: rules, deals, every move, count, point and score, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.errors import InvalidRules
from app.engine.events import GameStarted
from app.engine.evolve import evolve
from app.engine.game import Game, new_game, side_of
from app.engine.ruleset import DESCRIPTION
from app.records.chairs import Chairs
from app.records.deals import DealCheck, copies
from app.records.findings import Finding, Report, differences
from app.records.judging import Judged, judge, resumed
from app.records.notation import NOTATION
from app.tables.shapes import RECORD_FORMAT, FinishedHand, GameRecord

ABANDONMENTS = ("bot_plays_on", "forfeit")
"""What may become of a game whose people leave."""


def verify(record: GameRecord) -> Report:
    """Everything that is wrong with a record; nothing found means that it can be believed.

    A record from anywhere is judged the same way: nothing in it is trusted but the rule set's name, the seats, and what
    was committed.
    """
    return _Verifier(record).report()


class _Verifier:
    def __init__(self, record: GameRecord) -> None:
        self._record = record
        self._deals = DealCheck(record)
        self._findings: list[Finding] = []
        self._notes: list[str] = []
        self._moves = 0
        self._hands = 0

    def report(self) -> Report:
        record = self._record
        if record.format not in (RECORD_FORMAT, NOTATION):
            self._find("format", RECORD_FORMAT, record.format)
        if not record.table.isprintable() or record.table != record.table.strip():
            self._find("table", "an id in one line", record.table)
        if record.abandonment not in ABANDONMENTS:
            self._find("abandonment", " or ".join(ABANDONMENTS), record.abandonment)
        self._findings += _stamps(record)
        game = self._begun()
        if game is not None:
            self._findings += self._deals.of_record()
            self._result(self._played(game))
        return Report(
            table=record.table,
            hands=self._hands,
            moves=self._moves,
            findings=tuple(self._findings),
            notes=tuple(self._notes),
        )

    def _find(self, what: str, expected: object, found: object) -> None:
        self._findings.append(Finding(what=what, expected=expected, found=found))

    # -- what the record says of the game ------------------------------------------------------------------------

    def _begun(self) -> Game | None:
        """The game before its first deal; None: these rules cannot be played."""
        record = self._record
        try:
            started = new_game(record.ruleset.id, record.players, record.seating, record.ruleset.house_rules)
        except InvalidRules as refused:
            for problem in refused.problems:
                keys = problem.path.strip("/").split("/")
                wanted = f"rules that can be played ({problem.detail.rstrip('.')})"
                self._find(".".join(keys), wanted, _chosen(record, keys))
            return None
        for what, expected, found in differences(started.rules, record.rules, "rules"):
            if what.split(".")[1] not in DESCRIPTION:
                self._find(what, expected, found)
        if record.target != started.target:
            self._find("target", started.target, record.target)
        self._seats(started)
        return evolve(None, started)

    def _seats(self, started: GameStarted) -> None:
        seats = self._record.seats
        if [place.seat for place in seats] != list(range(started.players)):
            self._find("seats", list(range(started.players)), [place.seat for place in seats])
        game = evolve(None, started)
        for place in seats:
            if place.side != side_of(game, place.seat):
                self._find(f"seats[{place.seat}].side", side_of(game, place.seat), place.side)

    # -- hands -------------------------------------------------------------------------------------------------

    def _played(self, game: Game) -> Game | None:
        """The game after the last hand; None where a hand's deal could not be judged."""
        chairs = Chairs(self._record.seats)
        undealt = 0
        for number, hand in enumerate(self._record.hands, start=1):
            if hand.number != number:
                self._findings.append(Finding(what="number", expected=number, found=hand.number, hand=hand.number))
            deals = list(self._deals.of_hand(hand))
            undealt += any(finding.what.startswith("holdings") for finding in deals)
            ways = [judge(game, chairs, hand, way) for way in self._deals.ways(hand)]
            best = min(ways, key=lambda judged: (not judged.finished, len(judged.findings)))
            self._findings += [*copies(hand), *deals, *_not_twice(best, deals), *_result_of(hand)]
            self._moves += best.moves
            self._hands += 1
            chairs = best.chairs
            after = best.game if best.finished else resumed(best.game, hand)
            if after is None:
                self._notes.append(f"Hands after {number} were not judged: this one cannot be dealt.")
                return None
            game = after
        if undealt == len(self._record.hands) > 1:
            self._notes.append("No hand was dealt as proved: perhaps `table` is another table's, or a seat is missing.")
        return game

    def _result(self, game: Game | None) -> None:
        record, result = self._record, self._record.result
        if game is None:
            return
        if game.result is not None:
            found = None if result is None else (result.winner, result.scores, result.places, result.reason)
            wanted = (game.result.winner, game.result.scores, game.result.places, game.result.reason)
            if found is None:
                self._find("result", "the end of the game", None)
            else:
                for name, one, other in zip(("winner", "scores", "places", "reason"), wanted, found, strict=True):
                    if one != other:
                        self._find(f"result.{name}", one, other)
        elif result is None:
            self._notes.append("The game is not over.")
        elif result.reason == "abandoned" or (result.reason == "forfeit" and record.format == NOTATION):
            self._notes.append(f"The game was {result.reason}: nothing here shows who had left, nor the last hand.")
        else:
            self._find("result", "a game that goes on", f"{result.reason}, {' '.join(map(str, result.scores))}")
        if result is not None and result.reason == "forfeit" and record.abandonment != "forfeit":
            self._find("result.reason", f"not forfeit: abandonment is {record.abandonment}", "forfeit")


def _chosen(record: GameRecord, keys: list[str]) -> object:
    """What a record has at a place that the rules cannot be played with."""
    said: object = {
        "ruleset": record.ruleset.id,
        "house_rules": record.ruleset.house_rules,
        "players": record.players,
        "seating": record.seating,
    }
    for key in keys:
        said = said.get(key) if isinstance(said, dict) else None
    return said


def _not_twice(judged: Judged, deals: list[Finding]) -> Iterator[Finding]:
    """What judging found; a deal that is wrong by its proof is said once."""
    wrong = {finding.what for finding in deals}
    return (finding for finding in judged.findings if finding.what not in wrong or finding.type != "hand_dealt")


def _result_of(hand: FinishedHand) -> Iterator[Finding]:
    """Where the hand's `result` is not its `hand_ended`."""
    ended = next((event for event in hand.events if type(event) is type(hand.result)), None)
    if ended is not None:
        for what, expected, found in differences(ended, hand.result, "result"):
            yield Finding(what=what, expected=expected, found=found, hand=hand.number)


def _stamps(record: GameRecord) -> Iterator[Finding]:
    """Events count up by one from the first deal on, and time does not go back."""
    events = [(hand, place, event) for hand in record.hands for place, event in enumerate(hand.events)]
    if record.format == NOTATION:
        return
    before = None
    for hand, place, event in events:
        wrong: list[tuple[str, object, object]] = []
        if before is not None and event.seq != before.seq + 1:
            wrong.append(("seq", before.seq + 1, event.seq))
        if event.at is None or (before is not None and before.at is not None and event.at < before.at):
            wrong.append(("at", "a time, not before the event before", event.at))
        if event.hand != hand.number:
            wrong.append(("hand", hand.number, event.hand))
        for what, expected, found in wrong:
            yield Finding(
                what=what,
                expected=expected,
                found=found,
                hand=hand.number,
                event=place,
                seq=event.seq or None,
                type=str(event.__struct_config__.tag),
            )
        before = event
