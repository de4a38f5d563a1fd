"""Who players are and how they come in: names, kinds, tokens of which only a digest is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from app.tables.chance import new_code
from app.tables.codes import as_written
from app.tables.guesses import LINK_GUESSES, Allowance, Guesses
from app.tables.names import clean
from app.tables.ports import Attempts
from app.tables.refusals import Refusal, invalid, not_found, unauthenticated
from app.tables.register import Player, PlayerRegister, Token
from app.tables.requests import Asker

TOKEN_PREFIX = "a5_"  # noqa: S105 - what every token begins with is no secret
"""So that a leaked token is recognised for what it is."""
TOKENS_AT_MOST = 20
"""Tokens one player may have at a time."""
LINK_LASTS = timedelta(minutes=10)
"""How long a link code lets another device in."""
NEWCOMERS = Allowance(300, 3600)
"""Players who may be made for one household: each is kept for good, and nobody needs a token to make one."""
LONGEST_LABEL = 64
"""Characters of a token's label."""


class Players:
    """Use cases around a player: register, rename, more tokens, delete."""

    def __init__(
        self,
        register: PlayerRegister,
        now: Callable[[], datetime],
        leave_all: Callable[[str], None],
        forget: Callable[[str], None],
        attempts: Attempts | None = None,
        *,
        pairs_hand_of: Callable[[str], str | None] = lambda _: None,
        newcomers: Allowance = NEWCOMERS,
    ) -> None:
        """`leave_all`: takes a player from every table; `forget`: removes what his games have left behind; `attempts`:
        counts wrong guesses and newcomers, None: nobody counts; `pairs_hand_of`: a table where he plays a hand with a
        partner; `newcomers`: how many may come from one household.
        """
        self._newcomers = newcomers
        self._guesses = Guesses(attempts)
        self._register = register
        self._now = now
        self._leave_all = leave_all
        self._forget = forget
        self._pairs_hand_of = pairs_hand_of

    def register(self, asker: Asker, name: str, kind: str) -> tuple[Player, str]:
        """A new player and his first token, counted for the household that asks.

        Raises: Refusal `invalid` for a name that cannot be shown; `rate_limited` when too many came from there.
        """
        shown = clean(name)
        household = Asker(address=asker.address)
        self._guesses.count("newcomer", household, self._newcomers, "Too many new players came from this address")
        player = Player(id=secrets.token_hex(12), name=shown, kind=kind, created_at=self._now())
        token, secret = self._new_token(None)
        self._register.create(player, token, digest_of(secret))
        return player, secret

    def by_token(self, token: str) -> tuple[Player, str] | None:
        """The player a token belongs to, and the token's id; None: nobody's."""
        if not token.startswith(TOKEN_PREFIX) or len(token) > 100:
            return None
        return self._register.by_token(digest_of(token))

    def get(self, asker: Asker) -> Player:
        """The caller himself. Raises: Refusal `unauthenticated`, also where he was deleted a moment ago."""
        player = self._register.get(_known(asker))
        if player is None:
            raise unauthenticated()
        return player

    def rename(self, asker: Asker, name: str) -> Player:
        """A new name, shown at once wherever he sits.

        Raises: Refusal `invalid` for a name that cannot be shown; `hand_not_finished` while he plays a hand in pairs:
            a name is free text, and partners have no channel (RULES.md, "Time, leaving, coming back").
        """
        kept, player_id = clean(name), _known(asker)
        table_id = self._pairs_hand_of(player_id)
        if table_id is not None:
            detail = "In pairs nobody changes his name while a hand is played: your partner reads it. Wait for its end."
            raise Refusal("hand_not_finished", detail, params={"table": table_id})
        with _still_known():
            return self._register.rename(player_id, kept)

    def delete(self, asker: Asker) -> None:
        """Leave every table, then forget the player and his standing; the logs keep his id and lose his name.

        First, so that a deletion that fails may be asked for again. Once he is gone, once more: another request of his
        may have seated him meanwhile (`leaving`).
        """
        player_id = _known(asker)
        self._leave_all(player_id)
        self._register.delete(player_id)
        self._leave_all(player_id)
        self._forget(player_id)

    def add_token(self, asker: Asker, label: str | None) -> tuple[Token, str]:
        """One more way in. Raises: Refusal `invalid` when there are too many already."""
        player_id = _known(asker)
        self._check_room_for_token(player_id, label)
        token, secret = self._new_token(label)
        with _still_known():
            self._register.add_token(player_id, token, digest_of(secret))
        return token, secret

    def link_code(self, asker: Asker) -> tuple[str, datetime]:
        """A code that lets one more device in as this player, once, and when it ends; an earlier code ends now."""
        player_id = _known(asker)
        code = new_code()
        expires_at = self._now() + LINK_LASTS
        with _still_known():
            self._register.offer_link(player_id, digest_of(code), int(LINK_LASTS.total_seconds()))
        return code, expires_at

    def link(self, asker: Asker, code: str, label: str | None) -> tuple[Player, str]:
        """Come in by a link code: the player and a token of one's own. The code is used up by it.

        Raises: Refusal `not_found` for a code that is unknown, used or too old; `rate_limited`; `invalid` when the
            player has too many tokens (the code may be used again then).
        """
        digest = digest_of(as_written(code))
        with self._guesses.guess("link", asker, LINK_GUESSES):
            player_id = self._register.linked(digest)
            player = None if player_id is None else self._register.get(player_id)
            if player is None:
                raise _no_such_code()
            self._check_room_for_token(player.id, label)
            if not self._register.use_link(player.id, digest):
                raise _no_such_code()
            token, secret = self._new_token(label)
            try:
                self._register.add_token(player.id, token, digest_of(secret))
            except LookupError as error:
                raise _no_such_code() from error
        return player, secret

    def _check_room_for_token(self, player_id: str, label: str | None) -> None:
        if label is not None and len(label) > LONGEST_LABEL:
            raise invalid("/label", "label", f"A label has at most {LONGEST_LABEL} characters.", longest=LONGEST_LABEL)
        if len(self._register.tokens(player_id)) >= TOKENS_AT_MOST:
            raise Refusal(
                "invalid",
                f"A player has at most {TOKENS_AT_MOST} tokens: remove one first.",
                params={"most": TOKENS_AT_MOST},
            )

    def tokens(self, asker: Asker) -> Sequence[Token]:
        return self._register.tokens(_known(asker))

    def remove_token(self, asker: Asker, token_id: str) -> None:
        """Raises: Refusal `not_found` for a token that is not the caller's."""
        if not self._register.remove_token(_known(asker), token_id):
            raise not_found("token")

    def _new_token(self, label: str | None) -> tuple[Token, str]:
        token = Token(id=secrets.token_hex(8), label=label, created_at=self._now())
        return token, TOKEN_PREFIX + secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """What is kept of a token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _no_such_code() -> Refusal:
    return Refusal("not_found", "There is no such link code: it was used, is too old, or never was one.")


@contextmanager
def _still_known() -> Iterator[None]:
    """The player may delete himself while another of his requests is under way."""
    try:
        yield
    except LookupError as error:
        raise unauthenticated() from error


def _known(asker: Asker) -> str:
    if asker.player_id is None:
        raise unauthenticated()
    return asker.player_id
