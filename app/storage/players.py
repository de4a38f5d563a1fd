"""Players and their tokens on Redis; `reservations` has their idempotency records.

A player exists while his own record does; a token lets in while the player lists it. Both are written so that a crash
between two writes leaves nothing that lets anybody in, and nothing that says there is a player who cannot get in.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import cast

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder
from redis import Redis
from redis.client import Pipeline

from app.storage import keys
from app.storage.connection import reaching_the_store
from app.storage.player_scripts import IF_PLAYER, OFFER_LINK, USE_LINK
from app.storage.reservations import RedisReservations
from app.tables.register import Player, Token
from app.tables.views import KEEP_FINISHED, KEEP_RUNNING

NAMED_FOR = int((KEEP_RUNNING + KEEP_FINISHED) / timedelta(milliseconds=1))
"""Milliseconds it is remembered that a deleted player was here: as long as any table can still name him."""
TABLES_KNOWN = 3_600_000
"""Milliseconds the list of a deleted player's tables is kept: longer than a request that seats him may take."""
UNFINISHED = 3_600_000
"""Milliseconds a player or a token lives of whom not everything is written yet."""
TOKENS_REMEMBERED = 10_000
"""Tokens whose owner this process knows by heart; a token never changes its owner."""


class _KeptToken(Struct, frozen=True, array_like=True):
    """A token as its player lists it."""

    digest: str
    label: str | None
    created_at: datetime


class RedisPlayers(RedisReservations):
    """`PlayerRegister` on Redis."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self._encoder = Encoder()
        self._kept_tokens = Decoder(_KeptToken)
        self._owners: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._owners_lock = Lock()

    @reaching_the_store()
    def create(self, player: Player, token: Token, token_digest: str) -> None:
        """Three writes: the player with his list of tokens, for an hour; the token, for an hour; all of it for good.

        After a crash between two of them the answer with the token has not been given, and player and token go by
        themselves.
        """
        with self._redis.pipeline(transaction=True) as pipeline:
            record = ["name", player.name, "kind", player.kind, "created_at", player.created_at.isoformat()]
            pipeline.hset(keys.player(player.id), items=record)
            pipeline.hset(keys.tokens(player.id), token.id, self._kept(token, token_digest))
            pipeline.pexpire(keys.player(player.id), UNFINISHED)
            pipeline.pexpire(keys.tokens(player.id), UNFINISHED)
            pipeline.execute()
        self._redis.set(keys.token(token_digest), f"{player.id}:{token.id}", px=UNFINISHED)
        with self._redis.pipeline(transaction=False) as pipeline:
            # The token first: better a token of nobody than a player who cannot get in any more.
            pipeline.persist(keys.token(token_digest))
            pipeline.persist(keys.player(player.id))
            pipeline.persist(keys.tokens(player.id))
            pipeline.execute()

    @reaching_the_store()
    def by_token(self, token_digest: str) -> tuple[Player, str] | None:
        """One round trip for a token this process has met before, else two."""
        owner = self._owner(token_digest)
        if owner is None:
            return None
        player_id, token_id = owner
        with self._redis.pipeline(transaction=False) as pipeline:
            self._ask(player_id, pipeline)
            pipeline.hget(keys.tokens(player_id), token_id)
            fields, kept = pipeline.execute()
        player = _player(player_id, fields)
        if player is None or kept is None or self._kept_tokens.decode(kept).digest != token_digest:
            return None
        return player, token_id

    @reaching_the_store()
    def get(self, player_id: str) -> Player | None:
        with self._redis.pipeline(transaction=False) as pipeline:
            self._ask(player_id, pipeline)
            (fields,) = pipeline.execute()
        return _player(player_id, fields)

    @reaching_the_store()
    def get_many(self, player_ids: Sequence[str]) -> Mapping[str, Player]:
        """One round trip for all of them."""
        asked = list(dict.fromkeys(player_ids))
        with self._redis.pipeline(transaction=False) as pipeline:
            for player_id in asked:
                self._ask(player_id, pipeline)
            found = [_player(*one) for one in zip(asked, pipeline.execute(), strict=True)]
        return {player.id: player for player in found if player is not None}

    @reaching_the_store()
    def kind_of_deleted(self, player_id: str) -> str | None:
        kind = cast("bytes | None", self._redis.get(keys.deleted(player_id)))
        return None if kind is None else kind.decode()

    @reaching_the_store()
    def names(self, player_ids: Sequence[str]) -> Mapping[str, str]:
        """One round trip for all of them."""
        asked = list(dict.fromkeys(player_ids))
        if not asked:
            return {}
        with self._redis.pipeline(transaction=False) as pipeline:
            for player_id in asked:
                pipeline.hget(keys.player(player_id), "name")
            found: list[bytes | None] = pipeline.execute()
        return {player_id: name.decode() for player_id, name in zip(asked, found, strict=True) if name is not None}

    @reaching_the_store()
    def rename(self, player_id: str, name: str) -> Player:
        """Raises: LookupError, if there is no such player."""
        IF_PLAYER.run(self._redis, [keys.player(player_id), keys.player(player_id)], ["name", name])
        player = self.get(player_id)
        if player is None:
            raise LookupError(f"no player {player_id}")
        return player

    @reaching_the_store()
    def delete(self, player_id: str) -> None:
        """The player first, so that his name and every way in are gone at once; then what is left of his tokens."""
        kind = cast("bytes | None", self._redis.hget(keys.player(player_id), "kind"))
        if kind is not None:
            self._redis.set(keys.deleted(player_id), kind, px=NAMED_FOR)
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.delete(keys.player(player_id))
            self._ring(player_id, keys.EVERY_TOKEN, pipeline)
            pipeline.execute()
        kept = self._tokens_of(player_id)
        with self._redis.pipeline(transaction=False) as pipeline:
            for token in kept.values():
                pipeline.delete(keys.token(token.digest))
            pipeline.execute()
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.delete(
                keys.tokens(player_id), keys.feed(player_id), keys.link_of(player_id), keys.invitations(player_id)
            )
            pipeline.pexpire(keys.sat_at(player_id), TABLES_KNOWN)
            pipeline.execute()

    @reaching_the_store()
    def add_token(self, player_id: str, token: Token, token_digest: str) -> None:
        """First on the player's list, then as a way in, for an hour; for good once both are known to be there.

        Whoever takes the player or the token away meanwhile may have looked for the way in before it was there: then
        it goes by itself. Raises: LookupError, if there is no such player (any more).
        """
        kept = self._kept(token, token_digest)
        if not IF_PLAYER.run(self._redis, [keys.player(player_id), keys.tokens(player_id)], [token.id, kept]):
            raise LookupError(f"no player {player_id}")
        self._redis.set(keys.token(token_digest), f"{player_id}:{token.id}", px=UNFINISHED)
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.exists(keys.player(player_id))
            pipeline.hexists(keys.tokens(player_id), token.id)
            is_there, is_listed = pipeline.execute()
        if not is_there:
            raise LookupError(f"no player {player_id}")
        if is_listed:
            self._redis.persist(keys.token(token_digest))

    @reaching_the_store()
    def tokens(self, player_id: str) -> Sequence[Token]:
        """Oldest first."""
        kept = self._tokens_of(player_id)
        found = [Token(id=token_id, label=token.label, created_at=token.created_at) for token_id, token in kept.items()]
        return sorted(found, key=lambda token: (token.created_at, token.id))

    @reaching_the_store()
    def remove_token(self, player_id: str, token_id: str) -> bool:
        """Off the player's list, which ends it; then its streams are told, and the way in goes."""
        kept = self._tokens_of(player_id).get(token_id)
        if kept is None:
            return False
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hdel(keys.tokens(player_id), token_id)
            self._ring(player_id, token_id, pipeline)
            pipeline.delete(keys.token(kept.digest))
            removed, *_ = pipeline.execute()
        return bool(removed)

    @reaching_the_store()
    def offer_link(self, player_id: str, code_digest: str, seconds: int) -> None:
        """Where the code leads first, then that it may be used. Raises: LookupError, if there is no such player."""
        lasts = seconds * 1000
        self._redis.set(keys.link(code_digest), player_id, px=lasts)
        if not OFFER_LINK.run(self._redis, [keys.player(player_id), keys.link_of(player_id)], [code_digest, lasts]):
            raise LookupError(f"no player {player_id}")

    @reaching_the_store()
    def linked(self, code_digest: str) -> str | None:
        player_id = cast("bytes | None", self._redis.get(keys.link(code_digest)))
        if player_id is None:
            return None
        offered = cast("bytes | None", self._redis.get(keys.link_of(player_id.decode())))
        return player_id.decode() if offered == code_digest.encode() else None

    @reaching_the_store()
    def use_link(self, player_id: str, code_digest: str) -> bool:
        return USE_LINK.run(self._redis, [keys.link_of(player_id)], [code_digest]) == 1

    def _owner(self, token_digest: str) -> tuple[str, str] | None:
        """Player and token id behind a digest; whether they still are is another question."""
        with self._owners_lock:
            known = self._owners.get(token_digest)
            if known is not None:
                self._owners.move_to_end(token_digest)
                return known
        stored = cast("bytes | None", self._redis.get(keys.token(token_digest)))
        if stored is None:
            return None
        player_id, _, token_id = stored.decode().rpartition(":")
        with self._owners_lock:
            self._owners[token_digest] = player_id, token_id
            if len(self._owners) > TOKENS_REMEMBERED:
                self._owners.popitem(last=False)
        return player_id, token_id

    def _ask(self, player_id: str, pipeline: Pipeline) -> None:
        """Add to a pipeline: read the player's record."""
        pipeline.hmget(keys.player(player_id), "name", "kind", "created_at")

    def _ring(self, player_id: str, token_id: str, pipeline: Pipeline) -> None:
        """Add to a pipeline: tell every process that this token lets nobody in any more."""
        pipeline.publish(keys.DOORBELL, f"{token_id}:{keys.GONE} {player_id}")

    def _kept(self, token: Token, digest: str) -> bytes:
        return self._encoder.encode(_KeptToken(digest=digest, label=token.label, created_at=token.created_at))

    def _tokens_of(self, player_id: str) -> dict[str, _KeptToken]:
        stored = cast("dict[bytes, bytes]", self._redis.hgetall(keys.tokens(player_id)))
        return {token_id.decode(): self._kept_tokens.decode(kept) for token_id, kept in stored.items()}


def _player(player_id: str, fields: list[bytes | None]) -> Player | None:
    name, kind, created_at = fields
    if name is None or kind is None or created_at is None:
        return None
    return Player(
        id=player_id,
        name=name.decode(),
        kind=kind.decode(),
        created_at=datetime.fromisoformat(created_at.decode()),
    )
