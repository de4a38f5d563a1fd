"""Every key of the store, and what lives under it. All keys of a table share one hash tag, all of a player another."""

from __future__ import annotations

from hashlib import sha256
from zlib import crc32

DUE_SHARDS = 4
"""Parts of the due index; every process must agree on it."""

DOORBELL = "doorbell"
"""Pub/sub channel: `TABLE:VERSION`, and after a blank each player who was told something, after every commit;
`TABLE:seen` when a seat's player is there again; `:` and a blank before a player who was told something else;
`TOKEN:gone`, or `*:gone` for all of them, and a blank before the player whom that token lets in no more."""

SEEN = "seen"
"""What stands on the doorbell for the version where only presence has changed."""

GONE = "gone"
"""What stands on the doorbell for the version where a token has been removed."""

EVERY_TOKEN = "*"  # noqa: S105 - the name of all of them
"""What stands there for the token where its player was deleted."""

TICKET_BELL = "tickets"
"""Pub/sub channel: `TICKET:1` when a ticket does not wait any more."""

POOLS_DUE = "due:pools"
"""ZSET of `POOL:VERSION`; score: ms since 1970 when that pool of tickets wants attention."""

CLOCK_LEASE = "clock:lease"
"""STRING, the name of the clock process that is active; runs out by itself."""

PENDING = "standing:pending"
"""ZSET of finished tables whose game is still to be booked; score: ms since 1970 when to ask (again)."""

METER_SUMS = "{m}:sums"
"""HASH: name of a count with its labels → the sum over all processes."""

METER_PRESENT = "{m}:present"
"""HASH: reporter → when it last reported, what kind of process it is, how many requests wait there (JSON)."""

LISTED = ("open", "playing", "finished")
"""Statuses that have a lobby list, in the order a table passes through them."""


def table(table_id: str) -> str:
    """HASH: `version`, `status`, `schema` (of the state), `state` and `receipts` (msgpack); `confirmed`: the newest
    version a replica is known to have, only where moves wait for one."""
    return f"{{t:{table_id}}}:table"


def events(table_id: str) -> str:
    """STREAM with ids `<seq>-0`: field `e` is one event (msgpack); `n`, on a step's first event, names the commit."""
    return f"{{t:{table_id}}}:events"


def seen(table_id: str) -> str:
    """HASH: seat → ms since 1970 when it was last connected."""
    return f"{{t:{table_id}}}:seen"


def client_seeds(table_id: str) -> str:
    """HASH: player → his part in the next shuffle."""
    return f"{{t:{table_id}}}:client_seeds"


def premoves(table_id: str) -> str:
    """HASH: seat → its pre-move (msgpack); `n`: how often pre-moves have been set or taken back."""
    return f"{{t:{table_id}}}:premoves"


def analyses(table_id: str) -> str:
    """HASH, for every hand whose analysis was asked for: `<format>:<hand>:` and `asked`, `heard`, `ready` (ms since
    1970), `failed`, `tries`, `count`, `moves`, `done` and `analysis` (msgpack)."""
    return f"{{t:{table_id}}}:analyses"


def awaited(table_id: str) -> str:
    """STRING, written only so that there is something to wait for a replica with; lives a second."""
    return f"{{t:{table_id}}}:awaited"


def of_table(table_id: str) -> tuple[str, ...]:
    """The keys that make a table; they expire together."""
    return (
        table(table_id),
        events(table_id),
        seen(table_id),
        client_seeds(table_id),
        premoves(table_id),
        analyses(table_id),
    )


def lobby(status: str) -> str:
    """ZSET of public tables that may have this status; score: ms since 1970 when it was opened."""
    return f"lobby:{status}"


def pool(pool_id: str) -> str:
    """HASH: `version`, `state` (msgpack) of a pool of tickets."""
    return f"{{q:{pool_id}}}:pool"


def ticket(pool_id: str, ticket_id: str) -> str:
    """STRING: the record of a ticket (msgpack), in its pool's slot."""
    return f"{{q:{pool_id}}}:ticket:{ticket_id}"


def invite(code: str) -> str:
    """STRING, the table that may have this invite code: what its state says counts."""
    return f"invite:{code}"


def attempts(what: str, who: str) -> str:
    """STRING, how often somebody tried something lately; runs out by itself."""
    return f"tries:{what}:{sha256(who.encode()).hexdigest()}"


def due(shard: int) -> str:
    """ZSET of `TABLE:VERSION`; score: ms since 1970 when it wants attention."""
    return f"due:{shard}"


def due_shard(table_id: str) -> int:
    """The part of the due index a table belongs to."""
    return crc32(table_id.encode()) % DUE_SHARDS


def player(player_id: str) -> str:
    """HASH: `name`, `kind`, `created_at` (ISO)."""
    return f"{{p:{player_id}}}:player"


def tokens(player_id: str) -> str:
    """HASH: token id → label, creation and digest (msgpack)."""
    return f"{{p:{player_id}}}:tokens"


def invitations(player_id: str) -> str:
    """ZSET of tables the player may be invited to; score: ms since 1970 when he was."""
    return f"{{p:{player_id}}}:invitations"


def link_of(player_id: str) -> str:
    """STRING, the SHA-256 of the player's link code; runs out by itself."""
    return f"{{p:{player_id}}}:link"


def link(code_digest: str) -> str:
    """STRING, the player who made this link code: what `link_of` says counts."""
    return f"link:{code_digest}"


def sat_at(player_id: str) -> str:
    """ZSET of tables the player may sit or have sat at; score: ms since 1970 when the table was opened. Outlives the
    last of them, then runs out."""
    return f"{{p:{player_id}}}:tables"


def feed(player_id: str) -> str:
    """STREAM of what the player was told: `d` is one notice (msgpack); `f` and `n`, where a step of its table causes
    it, the `seq` and the commit's name of that step's first event."""
    return f"{{p:{player_id}}}:feed"


def streams_of_token(player_id: str, token_id: str) -> str:
    """HASH: process → `COUNT MS`, its open streams with this token, and until when that counts (ms since 1970)."""
    return f"{{p:{player_id}}}:streams:{token_id}"


def streams_of_address(address: str) -> str:
    """HASH: process → `COUNT MS`, its open streams of this address, and until when that counts (ms since 1970)."""
    return f"streams:{address}"


def reservation(player_id: str, key: str) -> str:
    """HASH: `digest`, `table`, `begun` (ms since 1970); once done `at` (µs since 1970), `after`, `said`.
    Lives 24 h."""
    return f"{{p:{player_id}}}:once:{sha256(key.encode()).hexdigest()}"


def key_noted(player_id: str, key: str) -> str:
    """STRING: digest of the write at a table that was done under this key. Lives 1 h."""
    return f"{{p:{player_id}}}:noted:{sha256(key.encode()).hexdigest()}"


def deleted(player_id: str) -> str:
    """STRING, the kind of a player who was deleted; lives as long as a table may name him."""
    return f"{{p:{player_id}}}:deleted"


def token(digest: str) -> str:
    """STRING `PLAYER:TOKEN`; the digest is the SHA-256 of a token, which itself is never stored."""
    return f"token:{digest}"


def records(pool: str) -> str:
    """HASH: player id, or `bot:<level>` → `VERSION:` and the record (JSON)."""
    return f"{{s:{pool}}}:records"


def board(pool: str) -> str:
    """ZSET of those with games enough; score: the rating as shown."""
    return f"{{s:{pool}}}:board"


def booked(pool: str, table_id: str) -> str:
    """STRING, written with the records of a table's game, so that no game is booked twice; outlives the table."""
    return f"{{s:{pool}}}:booked:{table_id}"


def report(reporter: str) -> str:
    """STRING, the number of a process's last report; lives an hour."""
    return f"{{m}}:report:{reporter}"
