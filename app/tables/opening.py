"""Opening tables: the rules resolved and shown, the caller and the bots seated, the game started if it is full."""

from __future__ import annotations

from collections.abc import Collection

from app.engine.game import new_game
from app.tables import fair_deal
from app.tables.desk import Desk, Done
from app.tables.draft import Draft
from app.tables.events import TableCreated
from app.tables.ports import TableNotFound
from app.tables.practice import completed
from app.tables.receipts import Receipt
from app.tables.refusals import Refusal, invalid, unauthenticated
from app.tables.requests import Asker, BotSeat, Key, OpenPractice, OpenTable
from app.tables.seats import Occupant
from app.tables.shapes import Answer, TableView


class Opening(Desk):
    """Use cases that make a table."""

    def open(self, asker: Asker, request: OpenTable, key: Key | None) -> Answer[TableView]:
        """A new table. Raises: InvalidRules, Refusal `invalid` (nothing is opened then)."""
        return self._open(asker, request, key, practice=request.practice is not None)

    def practice(self, asker: Asker, request: OpenPractice, key: Key | None) -> Answer[TableView]:
        """A game against bots, dealt at once, seen by nobody else."""
        table = OpenTable(
            ruleset=request.ruleset,
            players=request.players,
            visibility="private",
            bots=tuple(BotSeat(seat=seat, level=request.level) for seat in range(1, request.players)),
        )
        return self._open(asker, table, key, practice=True)

    def _open(self, asker: Asker, request: OpenTable, key: Key | None, *, practice: bool) -> Answer[TableView]:
        if asker.player_id is None:
            raise unauthenticated()
        draft = Draft(None, self._store.now(), self._bots)
        self._fill(draft, asker, request, self._chance.table_id(), practice=practice)
        if key is not None:
            reserved = self._reserved(asker.player_id, key, draft.table.id)
            if reserved.at is not None and reserved.after is not None:
                first = Receipt(
                    player_id=asker.player_id,
                    key=key.value,
                    digest=key.digest,
                    before=0,
                    after=reserved.after,
                    at=reserved.at,
                    connected=_all_connected(draft),
                )
                return self._opened(self._done_before(reserved.table_id, first), asker)
            if not reserved.fresh:
                # Whoever reserved the key died on the way: finish under the id it had chosen.
                done = self._existing(reserved.table_id, draft)
                if done is not None:
                    self._register.settle(asker.player_id, key.value, done.now, done.table.version)
                    return self._opened(done, asker)
                draft = Draft(None, draft.now, self._bots)
                self._fill(draft, asker, request, reserved.table_id, practice=practice)
        if not self._commit(draft, ()):
            raise Refusal("request_in_progress", "The same request is just being done: ask again in a second.")
        if key is not None:
            self._register.settle(asker.player_id, key.value, draft.now, draft.table.version)
        done = Done(table=draft.table, events=tuple(draft.events), now=draft.now, connected=_all_connected(draft))
        return self._opened(done, asker)

    def _draft_of_new(self) -> Draft:
        return Draft(None, self._store.now(), self._bots)

    def _existing(self, table_id: str, draft: Draft) -> Done | None:
        try:
            self._store.load(table_id)
        except TableNotFound:
            return None
        first = self._log(table_id, 0, len(draft.events))
        receipt = Receipt(
            player_id="", key="", digest="", before=0, after=len(first), at=draft.now, connected=_all_connected(draft)
        )
        return self._done_before(table_id, receipt)

    def _opened(self, done: Done, asker: Asker) -> Answer[TableView]:
        return Answer(value=self._view(done, asker), replayed=done.replayed, status=201)

    def _fill(self, draft: Draft, asker: Asker, request: OpenTable, table_id: str, *, practice: bool) -> None:
        started = new_game(request.ruleset, request.players, request.seating, request.house_rules)
        if request.auto_forced and started.rules.claim:
            raise invalid(
                "/auto_forced",
                "not_allowed",
                "On a claim table the next draw or pass ends the time to call, so none is made by itself.",
            )
        script = None
        if request.practice is not None:
            script = completed(request.practice, started, self._chance.order())
        private = practice or request.visibility == "private"
        secret = self._chance.secret()
        draft.open(
            TableCreated(
                table=table_id,
                ruleset=started.ruleset,
                rules=started.rules,
                players=started.players,
                seating=started.seating,
                visibility="private" if private else "public",
                abandonment=request.abandonment,
                clock=request.clock,
                host=asker.player_id,
                practice=practice,
                auto_forced=request.auto_forced,
                commitment=fair_deal.commitment(secret, table_id),
                script=script,
                invite_code=self._chance.invite_code() if private else None,
                secret=secret,
            )
        )
        if request.client_seed is not None:
            bring_seed(draft, asker, request.client_seed)
        if request.sit:
            draft.seat(0, occupant_of(asker))
        for place, bot in enumerate(request.bots):
            _check_bot(draft, bot, self._bots.think_seconds, place)
            draft.seat(bot.seat, Occupant(kind="house_bot", level=bot.level, forgetfulness=bot.forgetfulness))
        draft.start_if_full()


def occupant_of(asker: Asker) -> Occupant:
    return Occupant(kind="bot" if asker.kind == "bot" else "human", player_id=asker.player_id)


def bring_seed(draft: Draft, asker: Asker, seed: str) -> None:
    """Raises: Refusal `invalid` for a seed too long to carry, or of characters that cannot be written as UTF-8."""
    if len(seed) > fair_deal.LONGEST_SEED or any("\ud800" <= character <= "\udfff" for character in seed):
        most = fair_deal.LONGEST_SEED
        raise invalid("/client_seed", "client_seed", f"A seed has at most {most} characters of Unicode.", longest=most)
    if asker.player_id is not None:
        draft.bring_seed(asker.player_id, seed)


def check_level(level: str, known: Collection[str], path: str) -> None:
    """Raises: Refusal `invalid` for a level nobody plays at."""
    if level not in known:
        detail = f"No bot plays at level {level!r}: take one of {', '.join(known)}."
        raise invalid(path, "level", detail, levels=list(known))


def _check_bot(draft: Draft, bot: BotSeat, levels: Collection[str], place: int) -> None:
    seats = draft.table.seats
    if not 0 <= bot.seat < len(seats):
        raise invalid(
            f"/bots/{place}/seat", "seat", f"This table has the seats 0 to {len(seats) - 1}.", most=len(seats) - 1
        )
    if not seats[bot.seat].is_open:
        raise invalid(
            f"/bots/{place}/seat",
            "seat_taken",
            f"Seat {bot.seat} is taken: the caller sits at seat 0 unless `sit` is false, and each bot has its own.",
            seat=bot.seat,
        )
    check_level(bot.level, levels, f"/bots/{place}/level")


def _all_connected(draft: Draft) -> tuple[bool | None, ...]:
    """Whoever opens a table is there."""
    return tuple(True if seat.is_player else None for seat in draft.table.seats)
