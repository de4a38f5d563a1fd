"""What callers ask of a table, already of the right shape; whether it is allowed is judged by the use cases."""

from __future__ import annotations

from msgspec import Struct

from app.engine.actions import Action, Draw, Muggins, Pass, Play
from app.tables.terms import Clock, PracticeDeal


class Expected(Struct, frozen=True, kw_only=True):
    """The version of a table that a write was decided on."""

    table: str
    version: int


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks: a player, or (player_id None) a spectator without a token."""

    player_id: str | None = None
    name: str | None = None
    kind: str = "human"
    """human | bot"""
    address: str | None = None
    """The household the request came from (IPv4 address or IPv6 /64), for limits alone; None: from inside."""
    expected: Expected | None = None
    """What his write was decided on; None: it is for whatever is there now."""

    def expects(self, table_id: str) -> int | None:
        """The only version of this table that his write is for; None: any."""
        return self.expected.version if self.expected is not None and self.expected.table == table_id else None


class Key(Struct, frozen=True, kw_only=True):
    """An `Idempotency-Key` with the digest of path and parsed body it came with."""

    value: str
    digest: str
    kept_elsewhere: bool = False
    """Whoever passes it on keeps a record of the whole answer himself; a table keeps only what it has written."""


class BotSeat(Struct, frozen=True, kw_only=True):
    seat: int
    level: str
    forgetfulness: float = 0


class OpenTable(Struct, frozen=True, kw_only=True):
    ruleset: str = "all-fives"
    players: int = 2
    seating: str | None = None
    """None: the rule set's default for this number of players."""
    house_rules: dict[str, object] = {}
    visibility: str = "public"
    clock: Clock = Clock()
    bots: tuple[BotSeat, ...] = ()
    abandonment: str = "bot_plays_on"
    auto_forced: bool = False
    """Forced draws and passes are made at once."""
    sit: bool = True
    """The caller takes seat 0."""
    client_seed: str | None = None
    """The caller's part in the shuffle; None: none yet."""
    practice: PracticeDeal | None = None


class OpenPractice(Struct, frozen=True, kw_only=True):
    """A game against bots, at once."""

    ruleset: str = "all-fives"
    players: int = 2
    level: str = "medium"


class MoveRequest(Struct, frozen=True, kw_only=True):
    action: str
    tile: str | None = None
    end: str | None = None
    lengthwise: bool = False
    announce: int | None = None

    def by(self, seat: int) -> Action:
        """The engine's action for this seat."""
        match self.action:
            case "play":
                return Play(
                    seat=seat, tile=self.tile or "", end=self.end, lengthwise=self.lengthwise, announce=self.announce
                )
            case "draw":
                return Draw(seat=seat)
            case "pass":
                return Pass(seat=seat)
            case "muggins":
                return Muggins(seat=seat)
            case unknown:
                raise ValueError(f"no action is called {unknown!r}")
