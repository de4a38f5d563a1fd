"""The clock looks after pools of tickets: each that is due is tended, one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from redis import Redis

from app.storage import keys
from app.storage.due import RedisDue
from app.storage.lease import Lease
from app.workers.clock import Clock
from tests.workers.conftest import eventually
from tests.workers.test_clock import Jobs


class Pools:
    """Some are due; what was tended is remembered."""

    def __init__(self) -> None:
        self.due = ["p1", "p2"]
        self.tended: list[str] = []

    def take_due(self, limit: int) -> Sequence[str]:
        due, self.due = self.due, []
        return due

    def tend(self, pool_id: str) -> None:
        self.tended.append(pool_id)


def test_what_is_due_is_tended_by_the_active_clock_only(redis: Redis) -> None:
    pools = Pools()
    due = RedisDue(redis)
    active, idle = (
        Clock(due, Jobs(), Lease(redis, keys.CLOCK_LEASE, 60_000), lambda *_: None, pools) for _ in range(2)
    )
    active.look()
    eventually(lambda: pools.tended == ["p1", "p2"])
    pools.due = ["p3"]
    idle.look()
    assert pools.due == ["p3"]
    active.look()
    eventually(lambda: pools.tended == ["p1", "p2", "p3"])
