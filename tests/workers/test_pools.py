"""The clock looks after pools of tickets: each that is due is tended, one at a time, at its version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from redis import Redis

from app.storage import keys
from app.storage.due import RedisDue
from app.storage.lease import Lease
from app.workers import clock
from app.workers.clock import Clock
from app.workers.crew import Entry
from tests.workers.conftest import eventually
from tests.workers.test_clock import Jobs


class Pools:
    """Some are due; what was tended is remembered."""

    def __init__(self) -> None:
        self.due: list[Entry] = [("p1", 4), ("p2", 1)]
        self.at = {"p1": 4, "p2": 1}
        self.tended: list[Entry] = []
        self.removed: list[Entry] = []

    def take_due(self, limit: int) -> Sequence[Entry]:
        due, self.due = self.due, []
        return due

    def remove_due(self, entries: Sequence[Entry]) -> None:
        self.removed += entries

    def versions(self, pool_ids: Sequence[str]) -> Mapping[str, int]:
        return {pool_id: self.at[pool_id] for pool_id in pool_ids if pool_id in self.at}

    def tend(self, pool_id: str, version: int) -> None:
        self.tended.append((pool_id, version))


def test_what_is_due_is_tended_by_the_active_clock_only(redis: Redis) -> None:
    pools = Pools()
    due = RedisDue(redis)
    active, idle = (
        Clock(due, Jobs(), Lease(redis, keys.CLOCK_LEASE, 60_000), lambda *_: None, pools) for _ in range(2)
    )
    active.look()
    eventually(lambda: pools.tended == [("p1", 4), ("p2", 1)])
    pools.due = [("p2", 1)]
    idle.look()
    assert pools.due == [("p2", 1)]
    active.look()
    eventually(lambda: pools.tended == [("p1", 4), ("p2", 1), ("p2", 1)])


def test_an_entry_whose_version_has_gone_by_goes_and_one_to_come_stays_a_minute(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = Pools()
    active = Clock(RedisDue(redis), Jobs(), Lease(redis, keys.CLOCK_LEASE, 60_000), lambda *_: None, pools)
    pools.due = [("p1", 3), ("p1", 5), ("gone", 1)]
    active.look()
    assert pools.removed == [("p1", 3)]
    monkeypatch.setattr(clock, "COMES_WITHIN", -1.0)
    pools.due = [("p1", 5), ("gone", 1)]
    active.look()
    assert pools.removed == [("p1", 3), ("p1", 5), ("gone", 1)]
    assert pools.tended == []
