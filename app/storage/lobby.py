"""Lists of tables, newest first: the lobby's by status and each player's own.

They are hints. A table is on a list before it has that status and leaves the old list after, so a crash leaves at most
an entry too many; a reader judges each entry by the table itself and takes out what can never be true again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import cast

from redis import Redis
from redis.client import Pipeline

from app.engine.events import GameEnded, GameStarted
from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.cursor import OF_TABLES, Place
from app.storage.moments import in_ms
from app.tables.events import InviteRenewed, PlayerInvited, SeatHeld, SeatTaken, TableClosed, TableCreated
from app.tables.ports import Step
from app.tables.table import Table
from app.tables.views import KEEP_CLOSED, KEEP_FINISHED, KEEP_RUNNING

_MS = timedelta(milliseconds=1)

FINISHED_LISTED = 10_000
"""Newest finished tables on the lobby's list."""
OWN_LISTED = 5_000
"""Newest tables on a player's own list."""
OWN_KNOWN = (KEEP_RUNNING + KEEP_FINISHED) // _MS
"""Milliseconds a player's own list is kept after the last step of a table he sits at: longer than that table."""
OWN_YOUNG = KEEP_CLOSED // _MS
"""Milliseconds after its opening during which a table that was made is surely still there."""
OWN_LOOKED_AT = 20
"""Oldest tables on a player's own list that are looked at whenever he comes to a new one: more than he adds."""
WAIT_FOR_COMMIT = 60_000
"""Milliseconds after its opening during which a table that is not there may still come: its entry is written first."""
INVITATIONS_LISTED = 100
"""Newest invitations on a player's list."""
INVITATIONS_KNOWN = 86_400_000
"""Milliseconds the list is kept after the last one: longer than an open table lives without a change."""
CODE_KNOWN = 90 * 86_400_000
"""Milliseconds the table behind an invite code is known: longer than tables live."""
LEAST_READ = 50
"""Entries read in one go, at least."""
ROUNDS = 10
"""Goes after which a page may stay short."""


class Lobby:
    """The lists on Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def expect(self, step: Step, pipeline: Pipeline) -> None:
        """Add to a pipeline, to run before the step is written: entries on the lists its table may be on afterwards.

        Its players' own lists are kept on from now.
        """
        table = step.table
        entry = {table.id: in_ms(table.created_at)}
        if _changes_list(step) and table.status in keys.LISTED:
            pipeline.zadd(keys.lobby(table.status), entry)
            if table.status == "finished":
                pipeline.zremrangebyrank(keys.lobby("finished"), 0, -FINISHED_LISTED - 1)
        for invited in _invited(step):
            pipeline.zadd(keys.invitations(invited), {table.id: in_ms(table.changed_at)})
            pipeline.zremrangebyrank(keys.invitations(invited), 0, -INVITATIONS_LISTED - 1)
            pipeline.pexpire(keys.invitations(invited), INVITATIONS_KNOWN)
        for code in _codes(step):
            pipeline.set(keys.invite(code), table.id, px=CODE_KNOWN)
        for player_id in _arrivals(step):
            pipeline.zadd(keys.sat_at(player_id), entry)
            pipeline.zremrangebyrank(keys.sat_at(player_id), 0, -OWN_LISTED - 1)
        for player_id in _at_home(table) | _arrivals(step):
            pipeline.pexpire(keys.sat_at(player_id), OWN_KNOWN)

    @reaching_the_store()
    def leave(self, step: Step) -> None:
        """Run after the step was written: take the table from the lists it cannot be on any more.

        Those who came to it lose a few old tables from their own lists that are not there any more.
        """
        for player_id in _arrivals(step):
            self._drop_oldest(keys.sat_at(player_id), in_ms(step.table.changed_at) - OWN_YOUNG)
        if not _changes_list(step) or step.before == 0:
            return
        with self._redis.pipeline(transaction=False) as pipeline:
            for status in keys.LISTED:
                if _rank(status) < _rank(step.table.status):
                    pipeline.zrem(keys.lobby(status), step.table.id)
            pipeline.execute()

    @reaching_the_store()
    def listed(self, status: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        """Public tables with this status, newest first; a status without a list has none.

        Raises:
            ValueError: a bad cursor.
        """
        below = None if cursor is None else OF_TABLES.place_of(cursor)
        if status not in keys.LISTED:
            return [], None
        return self._page(keys.lobby(status), status, limit, below)

    @reaching_the_store()
    def of_player(self, player_id: str, limit: int, cursor: str | None) -> tuple[Sequence[str], str | None]:
        """Tables this player may sit or have sat at, newest first.

        Raises:
            ValueError: a bad cursor.
        """
        below = None if cursor is None else OF_TABLES.place_of(cursor)
        return self._page(keys.sat_at(player_id), None, limit, below)

    @reaching_the_store()
    def invited(self, code: str) -> str | None:
        """The table that may have this invite code."""
        table_id = cast("bytes | None", self._redis.get(keys.invite(code)))
        return None if table_id is None else table_id.decode()

    @reaching_the_store()
    def inviting(self, player_id: str) -> Sequence[str]:
        """Tables this player may have been invited to, newest first."""
        found = cast("list[bytes]", self._redis.zrevrange(keys.invitations(player_id), 0, -1))
        return [table_id.decode() for table_id in found]

    def _page(self, key: str, status: str | None, limit: int, below: Place | None) -> tuple[Sequence[str], str | None]:
        found: list[Place] = []
        for _ in range(ROUNDS):
            places = self._below(key, below, max(limit + 1, LEAST_READ))
            if not places:
                below = None
                break
            below = places[-1]
            found += self._true_ones(key, status, places)
            if len(found) > limit:
                break
        shown = found[:limit]
        if len(found) > limit:
            below = shown[-1]
        return [table_id for _, table_id in shown], None if below is None else OF_TABLES.cursor_of(below)

    def _below(self, key: str, place: Place | None, number: int) -> list[Place]:
        """Up to `number` places below this one; where moments are equal the ids decide."""
        highest: int | str = "+inf" if place is None else place[0]
        start = 0
        while True:
            answer = self._redis.zrevrangebyscore(key, highest, "-inf", start=start, num=number, withscores=True)
            entries = cast("list[tuple[bytes, float]]", answer)
            places = [(int(score), table_id.decode()) for table_id, score in entries]
            under = [at for at in places if place is None or at < place]
            if under or not places:
                return under
            start += number

    def _drop_oldest(self, key: str, opened_before: int) -> None:
        """Of the oldest tables on a list, remove those that are not there any more."""
        answer = self._redis.zrangebyscore(key, "-inf", opened_before, start=0, num=OWN_LOOKED_AT, withscores=True)
        places = [(int(score), table_id.decode()) for table_id, score in cast("list[tuple[bytes, float]]", answer)]
        if places:
            self._true_ones(key, None, places)

    def _true_ones(self, key: str, status: str | None, places: list[Place]) -> list[Place]:
        """Those whose table is there and has this status; removes those that never will."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for _, table_id in places:
                pipeline.hget(keys.table(table_id), "status")
            pipeline.time()
            *statuses, (seconds, _) = pipeline.execute()
        true: list[Place] = []
        over: list[str] = []
        too_old = seconds * 1000 - WAIT_FOR_COMMIT
        for place, found in zip(places, statuses, strict=True):
            now = None if found is None else found.decode()
            if now is None:
                if place[0] < too_old:
                    over.append(place[1])
            elif status is None or now == status:
                true.append(place)
            elif _rank(now) > _rank(status):
                over.append(place[1])
        if over:
            self._redis.zrem(key, *over)
        return true


def is_listed(table: Table) -> bool:
    """Whether strangers may find this table in the lobby."""
    return table.visibility == "public" and not table.practice


def _rank(status: str) -> int:
    """How far along a table with this status is; it never goes back."""
    return keys.LISTED.index(status) if status in keys.LISTED else len(keys.LISTED)


def _changes_list(step: Step) -> bool:
    turning = (TableCreated, GameStarted, GameEnded, TableClosed)
    return is_listed(step.table) and any(isinstance(event, turning) for event in step.events)


def _codes(step: Step) -> list[str]:
    """Invite codes the table gets in this step."""
    given = [event.invite_code for event in step.events if isinstance(event, TableCreated | InviteRenewed)]
    return [code for code in given if code is not None]


def _invited(step: Step) -> list[str]:
    """Players who are invited in this step."""
    invited = [event.player_id for event in step.events if isinstance(event, PlayerInvited)]
    return [player_id for player_id in invited if player_id is not None]


def _at_home(table: Table) -> set[str]:
    """Players who sit at the table, have a seat kept or are its host."""
    sitting = {seat.occupant.player_id for seat in table.seats}
    kept = {seat.hold.player_id for seat in table.seats if seat.hold is not None}
    return {player_id for player_id in sitting | kept | {table.host} if player_id is not None}


def _arrivals(step: Step) -> set[str]:
    """Players who open the table, sit down or get a seat kept in this step."""
    kept = {event.player_id for event in step.events if isinstance(event, SeatHeld)}
    hosts = {event.host for event in step.events if isinstance(event, TableCreated)}
    sitting = {event.occupant.player_id for event in step.events if isinstance(event, SeatTaken)}
    return {player_id for player_id in hosts | sitting | kept if player_id is not None}
