"""Use cases of standing: book a finished game, show a player, show a board, forget a player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from app.engine.rulesets import RULE_SETS
from app.standing.outcome import Outcome, outcome_of
from app.standing.pools import Pool, all_pools, pool_of
from app.standing.ports import PendingGames, Ranked, StandingStore
from app.standing.ratings import booked
from app.standing.record import LEAST_GAMES, Record, level_of
from app.standing.shapes import BoardEntry, GamesShape, Leaderboard, Profile, RatingShape
from app.tables.events import TableEvent
from app.tables.ports import StoreUnavailable, TableNotFound, TableStore
from app.tables.refusals import invalid, not_found
from app.tables.register import Player, PlayerRegister

TRIES = 100
"""Somebody else booked a game of the same players in between, every time."""
LOG_PAGE = 1_000
"""Events read in one go."""


class Standing:
    """Safe to run twice and from anywhere: a game is booked once, its players' records are fenced by their versions."""

    def __init__(
        self,
        *,
        store: TableStore,
        kept: StandingStore,
        pending: PendingGames,
        register: PlayerRegister,
        levels: Sequence[str],
        booked: Callable[[], None] = lambda: None,
    ) -> None:
        """`levels`: of our own bots; `booked` is told of every game that was."""
        self._store = store
        self._kept = kept
        self._pending = pending
        self._register = register
        self._levels = frozenset(levels)
        self._booked = booked
        self._pools = all_pools()

    def book(self, table_id: str) -> bool:
        """Book a finished game; False if it has been booked before, or cannot be (yet).

        A game that is still running keeps its entry in the list of pending games: whoever wrote it may be just about to
        end the game.
        """
        try:
            table = self._store.load(table_id).table
            if table.result is None and table.status in ("open", "playing"):
                return False
            outcome = None if table.result is None or table.practice else outcome_of(table, self._log(table_id))
        except TableNotFound:
            outcome = None
        written = outcome is not None and self._write(table_id, outcome)
        self._pending.remove(table_id)
        if written:
            self._booked()
        return written

    def profile(self, player_id: str) -> Profile:
        """A player, or `bot:<level>`. Raises: Refusal `not_found` for somebody who was never here."""
        level = level_of(player_id)
        if level is not None:
            if level not in self._levels:
                raise not_found("player")
            return self._profile(player_id, None, "house_bot", None)
        player = self._register.get(player_id)
        if player is not None:
            return self._profile(player_id, player.name, player.kind, player.created_at)
        kind = self._register.kind_of_deleted(player_id)
        if kind is None:
            raise not_found("player")
        return Profile(id=player_id, name=None, kind=kind, level=None, created_at=None, games=_games(), ratings=())

    def leaderboard(
        self, ruleset: str, *, seating: str | None, players: int, limit: int, cursor: str | None
    ) -> Leaderboard:
        """A page of the board. Raises: Refusal `not_found` for a rule set, `invalid` for a way nobody sits in it."""
        pool = _pool(ruleset, seating, players)
        try:
            page, after = self._kept.board(pool, limit, cursor)
        except ValueError as error:
            detail = "This cursor is none of ours: take `next_cursor` of the page before, or none."
            raise invalid("?cursor", "cursor", detail) from error
        ids = [one.id for one in page if level_of(one.id) is None]
        found = self._register.get_many(ids)
        for player_id in set(ids) - set(found):  # whoever deleted him was cut short
            self._kept.forget(player_id, self._pools)
        return Leaderboard(
            ruleset=ruleset,
            seating=pool.seating,
            players=pool.players,
            least_games=LEAST_GAMES,
            items=tuple(
                _entry(one, found.get(one.id)) for one in page if level_of(one.id) is not None or one.id in found
            ),
            next_cursor=after,
        )

    def forget(self, player_id: str) -> None:
        """A player is deleted: no rating, no count, no place on a board is left."""
        self._kept.forget(player_id, self._pools)

    def _write(self, table_id: str, outcome: Outcome) -> bool:
        """Write what the game means, on the newest records; False: it was booked before."""
        ids = [party.id for party in outcome.parties]
        for _ in range(TRIES):
            after = booked(outcome, self._kept.records(outcome.pool, ids))
            there = self._not_deleted(after)
            answer = self._kept.write(outcome.pool, table_id, {one: after[one] for one in after if one in there})
            if answer == "moved_on":
                continue
            for player_id in there - self._not_deleted(there):  # deleted while we wrote
                self._kept.forget(player_id, self._pools)
            return answer == "written"
        raise StoreUnavailable("the records moved on under every try")

    def _not_deleted(self, ids: Iterable[str]) -> set[str]:
        """Those of whom a record may be kept: our own bots, and players who still are."""
        asked = list(ids)
        players = [entry_id for entry_id in asked if level_of(entry_id) is None]
        return set(asked) - (set(players) - set(self._register.names(players)))

    def _log(self, table_id: str) -> Iterator[TableEvent]:
        read = 0
        while page := self._store.events(table_id, read, LOG_PAGE):
            yield from page
            read = page[-1].seq

    def _profile(self, player_id: str, name: str | None, kind: str, created_at: datetime | None) -> Profile:
        ranked = self._kept.of(player_id, self._pools)
        return Profile(
            id=player_id,
            name=name,
            kind=kind,
            level=level_of(player_id),
            created_at=created_at,
            games=_games(*(one.record for one in ranked.values())),
            ratings=tuple(
                RatingShape(
                    ruleset=pool.ruleset,
                    seating=pool.seating,
                    players=pool.players,
                    rating=one.record.rating,
                    mu=round(one.record.mu, 3),
                    sigma=round(one.record.sigma, 3),
                    rank=one.rank,
                    rated_games=one.record.rated,
                    games=_games(one.record),
                )
                for pool, one in ranked.items()
                if one.record.rated
            ),
        )


def _entry(one: Ranked, player: Player | None) -> BoardEntry:
    return BoardEntry(
        rank=one.rank or 0,
        id=one.id,
        name=None if player is None else player.name,
        kind="house_bot" if player is None else player.kind,
        level=level_of(one.id),
        rating=one.record.rating,
        mu=round(one.record.mu, 3),
        sigma=round(one.record.sigma, 3),
        rated_games=one.record.rated,
        games=_games(one.record),
    )


def _games(*records: Record) -> GamesShape:
    return GamesShape(
        finished=sum(record.finished for record in records),
        won=sum(record.won for record in records),
        lost=sum(record.lost for record in records),
        drawn=sum(record.drawn for record in records),
        abandoned=sum(record.abandoned for record in records),
    )


def _pool(ruleset: str, seating: str | None, players: int) -> Pool:
    rules = RULE_SETS.get(ruleset)
    if rules is None:
        raise not_found("rule set")
    allowed = rules.seating.get(str(players))
    if not allowed:
        numbers = sorted(int(number) for number in rules.seating)
        raise invalid("?players", "not_allowed", f"{ruleset} is played by {numbers}.", allowed=numbers)
    chosen = next((one for one in allowed if one == seating), allowed[0] if seating is None else None)
    if chosen is None:
        detail = f"{players} players of {ruleset} sit {' or '.join(allowed)}."
        raise invalid("?seating", "not_allowed", detail, allowed=list(allowed))
    return pool_of(ruleset, players, chosen)
