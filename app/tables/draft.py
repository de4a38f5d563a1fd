"""A step being written: what follows at a table from one cause, stamped, in order, folded as it goes.

Nothing here stores anything; a finished draft is committed whole or dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from app.engine.actions import Action, CloseClaim, Deal, DealScripted, EndGame
from app.engine.events import (
    ClaimClosed,
    ClaimOpened,
    GameEnded,
    GameEvent,
    HandDealt,
    HandEnded,
    Proof,
    TilePlayed,
    TilesDrawn,
    TurnPassed,
)
from app.engine.evolve import evolve as evolve_game
from app.engine.game import new_game, phase, side_of, turn
from app.engine.legality import legal_moves
from app.engine.moves import Move
from app.engine.turns import decide
from app.engine.views import seat_view
from app.tables import fair_deal
from app.tables.entries import Entries
from app.tables.events import TimeAdded, TurnStarted, TurnTimedOut
from app.tables.premoves import PreMove
from app.tables.requests import MoveRequest
from app.tables.seats import STAND_IN_LEVEL
from app.tables.table import Table


class Draft(Entries):
    """A step with all that follows in the game."""

    def start_if_full(self) -> None:
        """The game starts when the last seat is filled."""
        table = self.table
        if table.status != "open" or any(seat.is_open for seat in table.seats):
            return
        self.write(new_game(table.ruleset.id, table.players, table.seating, table.ruleset.house_rules))
        self.deal()

    def deal(self) -> None:
        """Deal the next hand: the scripted one first, where there is one."""
        table = self.table
        script = table.script if self.game.hand_number == 0 else None
        if script is not None:
            self.act(DealScripted(holdings=script.holdings, boneyard=script.boneyard, leader=script.leader), by="table")
        else:
            number = self.game.hand_number + 1
            proof = _proof(table, number, self._seeds_of_seats())
            dealt = fair_deal.shuffled(proof.link, table.id, number, proof.client_seeds)
            self.act(Deal(order=dealt.order, lot=dealt.lot), by="table", proof=proof)

    def _seeds_of_seats(self) -> tuple[str, ...]:
        """Empty for house bots, and for players who have brought none; a player's is his own behind a stand-in too."""
        return tuple(self._client_seeds.get(seat.occupant.player_id or "", "") for seat in self.table.seats)

    def act(
        self,
        action: Action,
        by: str,
        *,
        because: TurnTimedOut | None = None,
        takeover: int | None = None,
        proof: Proof | None = None,
    ) -> None:
        """What follows from an action of the game.

        `because`: written before the action, after the claim window it closes. `takeover`: this seat gets a stand-in
        when its turn ends with it. `proof`: what a deal was made from.

        Raises: RuleViolation; nothing is written then.
        """
        on_turn = turn(self.game)
        events = decide(self.game, action)
        ends = next((event for event in events if isinstance(event, HandEnded)), None)
        over = any(isinstance(event, GameEnded) for event in events)
        for event in events:
            if because is not None and not isinstance(event, ClaimClosed):
                self.write(because)
                because = None
            if takeover is not None and isinstance(event, HandEnded):
                self.stand_in(takeover, "timeout")
                takeover = None
            self.write(self._stamped(event, by, over=over, proof=proof))
        if takeover is not None and _ends_turn(events):
            self.stand_in(takeover, "timeout")
        if over:
            return
        if ends is not None:
            self._after_hand()
        elif turn(self.game) is not None and (turn(self.game) != on_turn or _ends_turn(events)):
            self._start_turn()
            self._move_at_once()
        elif self.table.auto_forced:
            self._make_forced_move()

    def time_out(self) -> None:
        """The turn has expired: level medium moves for the seat, which may lose it to a stand-in."""
        number = turn(self.game)
        if number is None:
            raise ValueError("nobody is on turn")
        timed_out: TurnTimedOut | None = TurnTimedOut(seat=number)
        taken_over = self.table.seats[number].timeouts + 1 >= self.table.clock.timeouts_before_takeover
        hand = self.game.hand_number
        while turn(self.game) == number and self.game.hand_number == hand:
            move = self._choice(number, STAND_IN_LEVEL, 0.0)
            takeover = number if taken_over else None
            self.act(_action(move, number), by="timeout", because=timed_out, takeover=takeover)
            if move.action != "draw":
                return
            timed_out = None

    def bot_turn(self, *, rescue: bool = False) -> None:
        """The bot or stand-in on turn makes one move (a draw is one); to the rescue of a stuck bot at a quick level."""
        number = turn(self.game)
        if number is None:
            raise ValueError("nobody is on turn")
        seat = self.table.seats[number]
        own = seat.bot_level
        if own is None:
            raise ValueError(f"seat {number} is its player's own")
        forgetfulness = 0.0 if seat.stand_in is not None else seat.occupant.forgetfulness
        move = self._choice(number, STAND_IN_LEVEL if rescue else own, forgetfulness)
        self.act(_action(move, number), by=self._bot_name(number))

    def bot_calls(self) -> None:
        """Every bot that may look at the last play does; the first that sees missed points takes them."""
        for number, seat in enumerate(self.table.seats):
            if seat.bot_level is None or self.table.status != "playing":
                continue
            if not any(move.action == "muggins" for move in legal_moves(self.game, number)):
                continue
            forgetfulness = 0.0 if seat.stand_in is not None else seat.occupant.forgetfulness
            view = seat_view(self.game, number)
            call = self._bots.choose_call(seat.bot_level, view, self._seed_of_play(number), forgetfulness)
            if call is not None:
                self.act(_action(call, number), by=self._bot_name(number))

    def close_claim(self) -> None:
        self.act(CloseClaim(), by="table")

    def abandon(self) -> None:
        """Nobody has moved for too long."""
        self.act(EndGame(reason="abandoned"), by="table")

    def _stamped(self, event: GameEvent, by: str, *, over: bool, proof: Proof | None) -> GameEvent:
        match event:
            case HandDealt() if proof is not None:
                return replace(event, commitment=fair_deal.link_before(proof.link), client_seeds=proof.client_seeds)
            case TilePlayed() | TurnPassed():
                return replace(event, by=by)
            case TilesDrawn(seat=seat):
                moves = legal_moves(evolve_game(self.game, event), seat)
                return replace(event, by=by, legal_moves=moves)
            case ClaimOpened() if phase(evolve_game(self.game, event)) == "claim":
                # Only at a hand's last play does a moment close the window; elsewhere the next action does.
                return replace(event, deadline=self.now + timedelta(seconds=self.table.clock.claim_seconds))
            case HandEnded():
                seeds = self.table.client_seeds
                shown = None if seeds is None else _proof(self.table, self.game.hand_number, seeds)
                last = over or self._end_for_want_of_people() is not None
                pause = timedelta(seconds=self.table.clock.hand_break_seconds)
                return replace(event, next_hand_at=None if last else self.now + pause, proof=shown)
            case _:
                return event

    def _start_turn(self) -> None:
        number = turn(self.game)
        if number is None:
            return
        clock = self.table.clock
        seat = self.table.seats[number]
        own = None if clock.turn_seconds is None or not seat.is_player else timedelta(seconds=clock.turn_seconds)
        bank = timedelta(milliseconds=seat.bank_ms)
        self.write(
            TurnStarted(
                seat=number,
                deadline=None if own is None else self.now + own + bank,
                deadline_ms=None if own is None else round((own + bank).total_seconds() * 1000),
                bank_from=None if own is None or not clock.bank_seconds else self.now + own,
                legal_moves=legal_moves(self.game, number),
            )
        )

    def _move_at_once(self) -> None:
        """What a turn that has just begun brings with it: its seat's pre-move, or a forced draw or pass."""
        number = turn(self.game)
        premove = None if number is None else self._premoves.pop(number, None)
        if number is not None and premove is not None:
            self.premoves_used.append(number)
            seat = self.table.seats[number]
            is_meant = premove.hand == self.game.hand_number and premove.player_id == seat.occupant.player_id
            if is_meant and seat.player_present:
                self._make_premove(number, premove)
                return
        if self.table.auto_forced:
            self._make_forced_move()

    def _make_premove(self, number: int, premove: PreMove) -> None:
        """Play it if it is legal; draw or pass where nothing else can be done; else leave the turn to its player."""
        move = premove.among(legal_moves(self.game, number)) or _forced(legal_moves(self.game, number))
        if move is None:
            return
        self.act(_action(move, number), by="player")
        if move.action == "draw" and self.table.status == "playing" and turn(self.game) == number:
            after = _forced(legal_moves(self.game, number))
            if after is not None:
                self.act(_action(after, number), by="player")

    def _make_forced_move(self) -> None:
        """The server draws or passes for whoever can do nothing else."""
        number = turn(self.game)
        move = None if number is None else _forced(legal_moves(self.game, number))
        if number is not None and move is not None:
            self.act(_action(move, number), by="forced")

    def add_time(self, more: timedelta) -> None:
        """Give the running turn more time. Raises: ValueError, if it has no deadline."""
        number = turn(self.game)
        if number is None or self.table.deadline is None:
            raise ValueError("no turn with a deadline is running")
        self.write(TimeAdded(seat=number, deadline=self.table.deadline + more))

    def _after_hand(self) -> None:
        end = self._end_for_want_of_people()
        if end is not None:
            self.act(end, by="table")
        elif self.table.clock.hand_break_seconds == 0:
            self.deal()

    def _end_for_want_of_people(self) -> EndGame | None:
        """How the game ends at this hand's end because of who is gone; None: it goes on."""
        table = self.table
        present = tuple(number for number, seat in enumerate(table.seats) if seat.player_present)
        if not present and not table.all_bots:
            return EndGame(reason="abandoned")
        if table.abandonment == "forfeit" and any(seat.stand_in is not None for seat in table.seats):
            return EndGame(reason="forfeit", present=tuple(sorted({side_of(self.game, number) for number in present})))
        return None

    def _choice(self, number: int, level: str, forgetfulness: float) -> Move:
        return self._bots.choose(level, seat_view(self.game, number), self._seed(number), forgetfulness)

    def _seed(self, number: int) -> int:
        table = self.table
        return fair_deal.bot_seed(table.secret, table.id, table.version, number)

    def _seed_of_play(self, number: int) -> int:
        """The same however often a bot looks at one play: whoever comes and goes meanwhile does not jog its memory."""
        table = self.table
        return fair_deal.bot_seed(table.secret, table.id, table.hand_seqs[-1] + len(self.game.past), number)

    def _bot_name(self, number: int) -> str:
        return "bot" if self.table.seats[number].stand_in is None else "stand_in"


def _proof(table: Table, number: int, client_seeds: tuple[str, ...]) -> Proof:
    shown = fair_deal.link(table.secret, table.id, number)
    return Proof(algorithm=fair_deal.ALGORITHM, link=shown, client_seeds=client_seeds)


def _forced(moves: Sequence[Move]) -> Move | None:
    """The draw or pass that is all there is to do."""
    return moves[0] if len(moves) == 1 and moves[0].action in ("draw", "pass") else None


def _ends_turn(events: tuple[GameEvent, ...]) -> bool:
    return any(isinstance(event, TilePlayed | TurnPassed) for event in events)


def _action(move: Move, seat: int) -> Action:
    return MoveRequest(
        action=move.action, tile=move.tile, end=move.end, lengthwise=move.lengthwise, announce=move.announce
    ).by(seat)
