"""How many streams are open, by token and by address, over all processes.

Each process says how many it has, and says so again every few seconds; what a process that died has said runs out.

A token that is removed ends its streams: the doorbell tells every process at once, and what was not heard is learnt
when the count is said again. Who enters is counted first, and his token looked for then, so that no removal falls in
between.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Sequence
from secrets import token_hex

from redis import Redis

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.script import Script
from app.tables.live import StreamTerms
from app.tables.ports import StoreUnavailable

LEASE = 15_000
"""Milliseconds after which a process that does not say so again has no streams."""
AGAIN_EVERY = 5.0
"""Seconds between two times a process says how many it has."""

log = logging.getLogger(__name__)

ENTER = Script(
    """
-- KEYS[1]  HASH process -> 'COUNT MS'
-- ARGV[1]  name of the process
-- ARGV[2]  most streams of all processes
-- ARGV[3]  ms the count holds
-- returns  1 counted, 0 there are too many
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all, own = 0, 0
local counts = redis.call('HGETALL', KEYS[1])
for i = 1, #counts, 2 do
  local count, till = string.match(counts[i + 1], '(%d+) (%d+)')
  if tonumber(till) < now then
    redis.call('HDEL', KEYS[1], counts[i])
  else
    all = all + tonumber(count)
    if counts[i] == ARGV[1] then own = tonumber(count) end
  end
end
if all >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', own + 1, now + tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""
)

SAY = Script(
    """
-- KEYS[1]  HASH process -> 'COUNT MS'
-- KEYS[2]  {p:ID}:player  HASH; only with a token
-- KEYS[3]  {p:ID}:tokens  HASH; only with a token
-- ARGV[1]  name of the process
-- ARGV[2]  its streams
-- ARGV[3]  ms the count holds
-- ARGV[4]  token id; only with a token
-- returns  1 noted, 0 there is no such token (any more)
if ARGV[2] == '0' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  local time = redis.call('TIME')
  local till = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3])
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', ARGV[2], till))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
if not KEYS[2] then return 1 end
return math.min(redis.call('EXISTS', KEYS[2]), redis.call('HEXISTS', KEYS[3], ARGV[4]))
"""
)


class _Gate:
    """The streams of one token, or of one address, in this process."""

    def __init__(self, names: Sequence[str], most: int, token_id: str | None) -> None:
        """`names`: keys of the script that says how many there are, its own first."""
        self.names = names
        self.most = most
        self.token_id = token_id
        self.count = 0
        self.revoked = False

    def is_for(self, player_id: str, token_id: str) -> bool:
        """Whether it counts this player's streams with this token; `keys.EVERY_TOKEN`: with any."""
        if self.token_id is None or keys.player(player_id) not in self.names:
            return False
        return token_id in (self.token_id, keys.EVERY_TOKEN)


class StreamPermit:
    """One open stream."""

    def __init__(self, turnstile: RedisTurnstile, gates: Sequence[_Gate]) -> None:
        self._turnstile = turnstile
        self._gates = gates

    @property
    def revoked(self) -> bool:
        return any(gate.revoked for gate in self._gates)

    def give_back(self) -> None:
        gates, self._gates = self._gates, ()
        self._turnstile.leave(gates)


class RedisTurnstile:
    """`Turnstile` on Redis."""

    def __init__(self, redis: Redis, terms: StreamTerms) -> None:
        self._redis = redis
        self._terms = terms
        self._begin()
        me = weakref.ref(self)

        def after_fork() -> None:
            turnstile = me()
            if turnstile is not None:
                turnstile._begin()  # noqa: SLF001

        os.register_at_fork(after_in_child=after_fork)

    def _begin(self) -> None:
        self._process = token_hex(6)
        self._lock = threading.Lock()
        self._gates: dict[str, _Gate] = {}
        self._renewer: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def open(self) -> int:
        """Streams of this process."""
        with self._lock:
            return sum(gate.count for gate in self._gates.values() if gate.token_id is None)

    def enter(self, token: tuple[str, str] | None, address: str) -> StreamPermit | None:
        wanted = [_Gate([keys.streams_of_address(address)], self._terms.per_address, None)]
        if token is not None:
            player_id, token_id = token
            names = [keys.streams_of_token(player_id, token_id), keys.player(player_id), keys.tokens(player_id)]
            wanted.append(_Gate(names, self._terms.per_token, token_id))
        entered: list[_Gate] = []
        try:
            for gate in wanted:
                if not self._enter(gate):
                    self.leave(entered)
                    return None
                entered.append(self._counted(gate))
            for gate in entered:
                if gate.token_id is not None and gate.count == 1:
                    self._say([gate])
        except StoreUnavailable:
            self.leave(entered)
            raise
        return StreamPermit(self, entered)

    def leave(self, gates: Sequence[_Gate]) -> None:
        """The stream is closed. If the store does not hear of it now, it hears the right number soon."""
        for gate in gates:
            with self._lock:
                gate.count -= 1
                if gate.count == 0:
                    self._gates.pop(gate.names[0], None)
            try:
                self._say([gate])
            except StoreUnavailable:
                log.debug("a stream's end will be told later")

    def sign_out(self, player_id: str, token_id: str) -> None:
        """This token lets nobody in any more; `keys.EVERY_TOKEN`: none of the player's does."""
        with self._lock:
            gates = [gate for gate in self._gates.values() if gate.is_for(player_id, token_id)]
        for gate in gates:
            gate.revoked = True

    def stop(self) -> None:
        """End the thread; what is open counts until its lease runs out, or until it is given back."""
        self._stopping.set()

    def say_again(self) -> None:
        """Tell the store how many streams of each token and address there are, and learn which tokens are gone."""
        with self._lock:
            gates = list(self._gates.values())
        for start in range(0, len(gates), 200):
            self._say(gates[start : start + 200])

    def _counted(self, wanted: _Gate) -> _Gate:
        with self._lock:
            gate = self._gates.setdefault(wanted.names[0], wanted)
            gate.count += 1
            if self._renewer is None:
                self._renewer = threading.Thread(target=self._renew, name="turnstile", daemon=True)
                self._renewer.start()
        return gate

    @reaching_the_store()
    def _enter(self, gate: _Gate) -> bool:
        return ENTER.run(self._redis, gate.names[:1], [self._process, gate.most, LEASE]) == 1

    @reaching_the_store()
    def _say(self, gates: Sequence[_Gate]) -> None:
        with self._redis.pipeline(transaction=False) as pipeline:
            for gate in gates:
                arguments: list[str | bytes | int] = [
                    self._process,
                    gate.count,
                    LEASE,
                    *([gate.token_id] if gate.token_id else []),
                ]
                # In full: a digest the server has forgotten would cost more than these few bytes.
                SAY.queue(pipeline, gate.names, arguments, in_full=True)
            for gate, known in zip(gates, pipeline.execute(), strict=True):
                # Never taken back: a removed token does not come again, and the doorbell may have been faster.
                gate.revoked = gate.revoked or (gate.token_id is not None and known == 0)

    def _renew(self) -> None:
        while not self._stopping.wait(AGAIN_EVERY):
            try:
                self.say_again()
            except StoreUnavailable:
                log.debug("the count of streams will be told later")
