"""One hand in the second verifier: dealt, played and counted again, event by event."""

from __future__ import annotations

from itertools import chain
from typing import Any

from tests.engine.naive import NaiveTable, pips
from tests.records import plain
from tests.records.plain_game import Complaint, PlainGame, check

GAME = {
    "hand_dealt", "tile_played", "points_scored", "tiles_drawn", "turn_passed", "claim_opened", "muggins_called",
    "claim_closed", "hand_ended", "game_ended",
}  # fmt: skip


class PlainHand:
    """One hand, event by event."""

    def __init__(self, game: PlainGame, hand: dict[str, Any]) -> None:
        self.game, self.rules, self.hand = game, game.rules, hand
        self.events = [event for event in hand["events"] if event["type"] in GAME]
        self.holdings = [list(tiles) for tiles in hand["holdings"]]
        self.boneyard = list(hand["boneyard"])
        self.table = NaiveTable(game.rules)
        self.turn = hand["leader"]
        self.last_player: int | None = None
        self.must_lead: str | None = None
        self.window: dict[str, Any] | None = None
        self.ended = False

    def next(self, kind: str, **expected: object) -> dict[str, Any]:
        """The next event must be this."""
        event: dict[str, Any] = self.events.pop(0)
        check("event", kind, event["type"])
        for field, value in expected.items():
            check(f"{kind}.{field}", value, event[field])
        return event

    def play(self) -> None:
        self.deal()
        while not self.ended:
            kind = self.events[0]["type"]
            if kind == "claim_closed":
                self.close_window(by=None if len(self.events) < 2 else self.events[1])
            elif kind == "tile_played":
                self.lay()
            elif kind == "tiles_drawn":
                self.draw()
            elif kind == "turn_passed":
                check("fitting tiles of a seat that passes", [], self.placings(self.turn))
                check("to be drawn", False, self.can_draw())
                check("window", None, self.window)
                self.next("turn_passed", seat=self.turn)
                self.pass_on()
            elif kind == "muggins_called":
                self.wrong_call()
            else:
                raise Complaint(f"{kind} comes out of nothing")
        if self.events:
            self.stopped()
        check("events after the end", [], self.events)

    # -- the deal ----------------------------------------------------------------------------------------------

    def deal(self) -> None:
        record, hand, game, rules = self.game.record, self.hand, self.game, self.rules
        each = rules.deal[str(game.players)]
        dealt = self.next("hand_dealt", leader=hand["leader"], lead_by=hand["lead_by"], tiles_each=each)
        check("holdings", hand["holdings"], dealt["holdings"])
        check("boneyard", hand["boneyard"], dealt["boneyard_tiles"])
        check("tiles in the boneyard", len(hand["boneyard"]), dealt["boneyard"])
        check("proof", hand["result"]["proof"], hand["proof"])
        order = [*chain.from_iterable(hand["holdings"]), *hand["boneyard"]]
        check("28 tiles", sorted(plain.TILES), sorted(order))
        lot = None
        proof = hand["proof"]
        if proof is None:
            check("scripted", True, record["practice"] and hand["number"] == 1)
        else:
            check("algorithm", "all-fives-fair-deal/1", proof["algorithm"])
            link = bytes.fromhex(proof["link"])
            check("hand's commitment", plain.one_before(link).hex(), dealt["commitment"])
            end = link
            for _ in range(hand["number"]):
                end = plain.one_before(end)
            check("commitment", record["commitment"], end.hex())
            check("seeds", dealt["client_seeds"], proof["client_seeds"])
            check("seats with seeds", game.players, len(proof["client_seeds"]))
            tiles, lot = plain.deal(link, record["table"], hand["number"], proof["client_seeds"])
            check("order", tiles, order)
        self.lead(lot)

    def lead(self, lot: int | None) -> None:
        hand, game, rules = self.hand, self.game, self.rules
        chosen = rules.first_lead if hand["number"] == 1 else rules.next_lead
        if chosen == "highest_double":
            held = {tile: seat for seat, tiles in enumerate(hand["holdings"]) for tile in tiles}
            doubles = sorted(tile for tile in held if tile[0] == tile[1])
            heaviest = max(held, key=lambda tile: (pips([tile]), tile))
            self.must_lead = doubles[-1] if doubles else heaviest
            said = (held[self.must_lead], "highest_double" if doubles else "heaviest_tile")
        elif chosen == "went_out" and game.went_out is not None:
            said = (game.went_out, "went_out")
        else:
            said = (hand["leader"], "scripted") if lot is None else (lot, "lot")
        check("lead", said, (hand["leader"], hand["lead_by"]))

    # -- moves -------------------------------------------------------------------------------------------------

    def placings(self, seat: int) -> list[tuple[str, str]]:
        return [
            (tile, place)
            for tile in self.holdings[seat]
            for place, number in self.table.places()
            if (place == "lead" and self.must_lead in (None, tile)) or (place != "lead" and str(number) in tile)
        ]

    def can_draw(self) -> bool:
        return bool(self.rules.drawing and len(self.boneyard) > self.rules.boneyard_keep)

    def is_blocked(self) -> bool:
        return not self.can_draw() and not any(self.placings(seat) for seat in range(self.game.players))

    def pass_on(self) -> None:
        self.turn = (self.turn + (1 if self.rules.direction == "clockwise" else -1)) % self.game.players

    def draw(self) -> None:
        check("fitting tiles of a seat that draws", [], self.placings(self.turn))
        check("window", None, self.window)
        check("to be drawn", True, self.can_draw())
        drawn = []
        while self.can_draw() and not self.placings(self.turn):
            drawn.append(self.boneyard.pop(0))
            self.holdings[self.turn].append(drawn[-1])
        self.next("tiles_drawn", seat=self.turn, number=len(drawn), tiles=drawn, boneyard=len(self.boneyard))
        if self.is_blocked():
            self.finish("blocked")

    def lay(self) -> None:
        check("window", None, self.window)
        seat, game, claim = self.turn, self.game, self.rules.claim
        event = self.next("tile_played", seat=seat)
        tile, place, lengthwise = event["tile"], event["end"], event["lengthwise"]
        if (tile, place) not in self.placings(seat):
            raise Complaint(f"seat {seat} cannot lay {tile} on {place}")
        first_double = tile[0] == tile[1] and not any(lying.is_double for lying in self.table.tiles)
        check("lengthwise", lengthwise, lengthwise and first_double and self.rules.lengthwise_choice)
        self.table.lay(tile, place, lengthwise)
        self.holdings[seat].remove(tile)
        lying = self.table.tiles[-1]
        check("halves", (lying.left, lying.right), (event["left"], event["right"]))
        check("spinner", lying.spinner, event["spinner"])
        check("announce on a table without claims", None, None if claim else event["announce"])
        count = self.table.count()
        worth = 0 if self.rules.scoring == "none" or count % 5 else count // self.rules.points_unit
        points = 0 if claim and event["announce"] != worth else worth
        if claim and not points:
            check("count before the window closes", None, event["count"])
            check("ends before the window closes", [None], list({end["counts"] for end in event["ends"]}))
            self.ends_shown(event)
        else:
            self.count_shown(event)
        self.last_player = seat
        self.pass_on()
        if points:
            self.score(game.side(seat), seat, points, "play")
            if game.scores[game.side(seat)] >= game.record["target"]:
                self.finish("target")
                return
        ends = not self.holdings[seat] or self.is_blocked()
        if claim and (ends or not points):
            self.next("claim_opened", seat=seat)
            self.window = {"seat": seat, "missed": worth - points, "last": ends, "called": set()}
        elif ends:
            self.finish("blocked" if self.holdings[seat] else "went_out")

    def count_shown(self, event: dict[str, Any]) -> None:
        check("count", self.table.count(), event["count"])
        check("sum of the ends", event["count"], sum(end["counts"] for end in event["ends"]))
        self.ends_shown(event)

    def ends_shown(self, event: dict[str, Any]) -> None:
        open_ends = sorted((end["end"], end["number"]) for end in event["ends"] if end["open"])
        check("open ends", sorted(self.table.places()), open_ends)

    def score(self, side: int, seat: int | None, points: int, reason: str) -> None:
        self.game.scores[side] += points
        score = self.game.scores[side]
        self.next("points_scored", side=side, seat=seat, points=points, reason=reason, score=score)

    # -- claims ------------------------------------------------------------------------------------------------

    def close_window(self, by: dict[str, Any] | None) -> None:
        if self.window is None or by is None:
            raise Complaint("no window is open")
        window, caller = self.window, by["seat"] if by["type"] == "muggins_called" else None
        self.count_shown(self.next("claim_closed", seat=window["seat"], missed=window["missed"], taken_by=caller))
        self.window = None
        if caller is None:
            if window["last"]:
                self.finish(self.how_it_ended())
            return
        self.opponent(caller, window)
        check("something to take", True, window["missed"] > 0)
        self.next("muggins_called", seat=caller, points=window["missed"])
        side = self.game.side(caller)
        self.score(side, caller, window["missed"], "muggins")
        if self.game.scores[side] >= self.game.record["target"]:
            self.finish("target")
        elif window["last"]:
            self.finish(self.how_it_ended())

    def wrong_call(self) -> None:
        if self.window is None:
            raise Complaint("no window is open")
        cost = self.rules.wrong_call_costs
        check("a call with nothing to take", (0, True), (self.window["missed"], cost > 0))
        event = self.next("muggins_called", points=-cost)
        self.opponent(event["seat"], self.window)
        self.window["called"].add(event["seat"])
        self.score(self.game.side(event["seat"]), event["seat"], -cost, "muggins")

    def opponent(self, caller: int, window: dict[str, Any]) -> None:
        check("caller is an opponent", True, self.game.side(caller) != self.game.side(window["seat"]))
        check("caller called before", False, caller in window["called"])

    def how_it_ended(self) -> str:
        assert self.last_player is not None
        return "blocked" if self.holdings[self.last_player] else "went_out"

    # -- the end -----------------------------------------------------------------------------------------------

    def finish(self, reason: str) -> None:
        game, rules = self.game, self.rules
        self.ended = True
        winner, points = self.settled(reason)
        expected = [score + more for score, more in zip(game.scores, points, strict=True)]
        event = self.next(
            "hand_ended", reason=reason, winner=winner, seat=self.last_player, boneyard=self.boneyard, points=points,
            scores=expected,
        )  # fmt: skip
        check("result", event, self.hand["result"])
        check("tiles left", [sorted(held) for held in self.holdings], [sorted(held) for held in event["holdings"]])
        check("spots", [pips(held) for held in self.holdings], [line["spots"] for line in event["breakdown"]])
        for side, more in enumerate(points):
            if more:
                alone = game.sides == game.players
                earned = reason == "went_out" and game.side(self.last_player or 0) == side and more > 0
                self.score(side, self.last_player if earned else side if alone else None, more, "hand_end")
        game.went_out = self.last_player if reason == "went_out" else None
        most = rules.max_hands or 1000
        if max(game.scores) >= game.record["target"]:
            game.end("target")
        elif self.hand["number"] >= most:
            game.end("max_hands")
        if game.result is not None:
            best, scores, places, why = game.result
            self.next("game_ended", winner=best, scores=scores, places=places, reason=why)

    def settled(self, reason: str) -> tuple[int | None, list[int]]:
        """The winner and the points per side of the hand's end."""
        game, rules = self.game, self.rules
        none = [0] * game.sides
        if reason == "target":
            return None, none
        if reason == "went_out":
            assert self.last_player is not None
            winner: int | None = game.side(self.last_player)
        else:
            winner = self.lowest()
        if rules.hand_end == "own_subtracted":
            for seat, held in enumerate(self.holdings):
                none[game.side(seat)] -= self.rounded(pips(held)) // rules.points_unit
        elif winner is not None:
            others = [pips(held) for seat, held in enumerate(self.holdings) if game.side(seat) != winner]
            each = rules.hand_end == "each_opponent"
            spots = sum(map(self.rounded, others)) if each else self.rounded(sum(others))
            none[winner] = spots // rules.points_unit
        return winner, none

    def lowest(self) -> int | None:
        """Who wins a blocked hand."""
        held = [[tile for seat, tiles in enumerate(self.holdings) if self.game.side(seat) == side for tile in tiles]
                for side in range(self.game.sides)]  # fmt: skip
        low = min(map(pips, held))
        best = [side for side, tiles in enumerate(held) if pips(tiles) == low]
        if self.rules.block_tie == "fewer_tiles":
            few = min(len(held[side]) for side in best)
            best = [side for side in best if len(held[side]) == few]
        return best[0] if len(best) == 1 else None

    def rounded(self, spots: int) -> int:
        return spots if self.rules.round_to == 1 else (spots + 2) // 5 * 5

    def stopped(self) -> None:
        """The game ends because people are gone."""
        event = self.next("game_ended", scores=self.game.scores)
        check("why it was stopped", True, event["reason"] in ("forfeit", "abandoned"))
        self.game.result = (event["winner"], event["scores"], event["places"], event["reason"])
