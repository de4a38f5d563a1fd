"""A player at work: he follows his feed, looks for games, and plays many at a time.

Three threads listen (to the feed, for a ticket, to the time); whatever they hear of makes a table be attended to by one
of a few others. To attend is always safe: it looks first, and does only what is to be done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from msgspec import Struct

from app.kit.bot import Bot
from app.kit.feed import Feed
from app.kit.game import Game, News
from app.kit.invitations import answer, invitations
from app.kit.search import Search
from app.kit.server import NoAnswer, Refused, Server
from app.kit.tables import running
from app.kit.tally import Tally
from app.kit.views import IncompleteLog
from app.kit.wishes import Wishes

LOOK_EVERY = 10.0
"""Seconds after which a table is looked at though nobody told of it: a stand-in may have been seated."""
ATTENDING = 32
"""Tables attended to at the same moment, at most."""
SEEK_AGAIN = 1.0
"""Seconds after a ticket that came to nothing."""
WAIT_AGAIN = 0.25
"""Seconds after a wait for plays that brought nothing."""
LEAVING_WITHIN = 3.0
"""Seconds for leaving every table at once."""


class _Place(Struct):
    """A game, and who attends to it."""

    game: Game
    busy: bool = False
    again: bool = False
    """Something was heard while somebody attended: look once more."""
    watched: bool = False
    """Somebody waits for plays that may be called."""


class Session:
    """One bot's player on one server."""

    def __init__(
        self, server: Server, bot: Bot, wishes: Wishes, folder: Path, news: News, *, enough: threading.Event
    ) -> None:
        """`enough`: ends everything at once, also what `server` tries."""
        self.counted = Tally()
        self.feed = Feed(server, enough)
        self.finishing = False
        """No new games; the running hands are finished."""
        self.failure: BaseException | None = None
        """What ended the session before its time."""
        self._server, self._bot, self._wishes, self._folder = server, bot, wishes, folder
        self._news = news
        self._enough = enough
        self._lock = threading.RLock()
        self._places: dict[str, _Place] = {}
        self._taken: set[str] = set()
        """Tables that were ever played at."""
        self._pool = ThreadPoolExecutor(min(ATTENDING, wishes.tables + 4), "attend")
        self._stir = threading.Condition(self._lock)
        self._begun = False
        """What was left is taken up."""
        self._no_more = threading.Event()
        """No new games: ends the search for them."""
        self._search = Search(server, wishes.ticket(), goes_on=lambda: self._has_room, no_more=self._no_more)
        self._seeking = False
        """A ticket is waiting, or is being answered."""

    @property
    def games(self) -> list[Game]:
        """The games that go on."""
        with self._lock:
            return [place.game for place in self._places.values()]

    def begin(self) -> None:
        """Take up what was left, then listen."""
        self._run(self._begin, "begin")

    def _begin(self) -> None:
        self.feed.begin()
        if self._wishes.table is not None:
            self._add(self._wishes.table)
        self._catch_up()
        self._run(self._follow, "feed")
        self._run(self._watch, "watch")
        if self._wishes.tickets and self._wishes.table is None:
            self._run(self._seek, "tickets")
        self._begun = True

    @property
    def thinking_since(self) -> float | None:
        """Monotonic seconds when the bot was asked; None: it is not being asked."""
        return self._bot.thinking_since

    @property
    def done(self) -> bool:
        """Nothing is left to do, and nothing more will come."""
        if self.failure is not None or self._enough.is_set():
            return True
        with self._lock:
            if not self._begun:
                return self.finishing
            idle = not self._places and not self._seeking
            return idle and (self.finishing or self._is_full or self._wishes.want_no_more)

    @property
    def _is_full(self) -> bool:
        return self._wishes.games is not None and len(self._taken) >= self._wishes.games

    @property
    def _has_room(self) -> bool:
        with self._lock:
            return not self.finishing and not self._is_full and len(self._places) < self._wishes.tables

    def finish(self) -> None:
        """Take no new games, finish the running hands, then leave."""
        self._no_more.set()
        with self._lock:
            self.finishing = True
            self._stir.notify_all()
        if self._seeking:
            self._run(self._search.stop, "give back")
        for game in self.games:
            game.leave()
            self._attend(game.id)

    def leave_at_once(self) -> None:
        """Leave every table now, as far as the server answers within seconds, and whatever the bot is thinking."""
        self.finish()
        leavers = ThreadPoolExecutor(ATTENDING, "leave")
        left = [leavers.submit(game.leave_now, LEAVING_WITHIN) for game in self.games]
        wait(left, LEAVING_WITHIN)
        leavers.shutdown(wait=False, cancel_futures=True)
        self.end()

    def end(self) -> None:
        """Stop listening and asking."""
        self._no_more.set()
        self._enough.set()
        with self._lock:
            self._stir.notify_all()
            self._pool.shutdown(wait=False, cancel_futures=True)

    # -- who listens --------------------------------------------------------------------------------------------

    def _run(self, task: Callable[[], None], name: str) -> None:
        threading.Thread(target=self._guarded, args=(task,), name=name, daemon=True).start()

    def _guarded(self, task: Callable[[], None]) -> None:
        try:
            task()
        except NoAnswer as error:
            if not self._enough.is_set():
                self.failure = error
        except Exception as error:  # noqa: BLE001 - the outermost place of a thread: the session ends and says why
            self.failure = error

    def _follow(self) -> None:
        for told in self.feed.follow():
            if told is None:
                self._catch_up()
            elif told.type == "invited":
                self._answer_invitations()
            elif self._wishes.table in (None, told.table):
                self._add(told.table, told.type)

    def _watch(self) -> None:
        while not self._enough.wait(LOOK_EVERY / 4):
            now = time.monotonic()
            for game in self.games:
                if now - game.looked_at > LOOK_EVERY:
                    self._attend(game.id)

    def _seek(self) -> None:
        """Have a ticket waiting whenever there is room for one more game."""
        while not self._enough.is_set():
            with self._lock:
                while not self._has_room and not self._enough.is_set():
                    self._stir.wait(1.0)
                    if self.finishing or self._is_full:
                        return
                self._seeking = True
            try:
                table = self._search.table()
                if table is not None:
                    self._add(table)
            finally:
                self._seeking = False
            if table is None:
                self._no_more.wait(SEEK_AGAIN)

    def _catch_up(self) -> None:
        """Go on with the games that run, and answer the invitations that wait."""
        for table in running(self._server):
            if self._wishes.table in (None, table):
                self._add(table)
        self._answer_invitations()

    def _answer_invitations(self) -> None:
        for invitation in invitations(self._server):
            declined = answer(self._server, invitation, self._wishes.against(invitation, room=self._has_room))
            if declined is None:
                self._add(invitation.table)
            self._news("invited", invitation.table, {"declined": declined})

    # -- who attends --------------------------------------------------------------------------------------------

    def _add(self, table: str, told: str = "") -> None:
        """A table of the player: attend to it, if it is not over."""
        with self._lock:
            if table not in self._places:
                if table in self._taken or told == "table_finished":
                    return
                game = Game(self._server, self._bot, table, self._folder, self._heard)
                self._places[table] = _Place(game)
                self._taken.add(table)
                if self.finishing:
                    game.leave()
        self._attend(table)

    def _attend(self, table: str) -> None:
        with self._lock:
            place = self._places.get(table)
            if place is None or self._enough.is_set():
                return
            place.again = True
            if place.busy:
                return
            place.busy = True
            self._pool.submit(self._guarded, lambda: self._attend_to(place))

    def _attend_to(self, place: _Place) -> None:
        while True:
            with self._lock:
                if place.game.over:
                    # In one go: a place that is there and idle would be attended to once more.
                    self._places.pop(place.game.id, None)
                    self._stir.notify_all()
                    return
                if not place.again:
                    place.busy = False
                    if place.game.has_calls and not place.watched:
                        place.watched = True
                        self._run(lambda: self._watch_calls(place.game), "calls")
                    return
                place.again = False
            try:
                place.game.attend()
            except IncompleteLog as error:
                self._heard("refused", place.game.id, {"why": str(error)})
            except Refused as refused:
                self._refused(place.game, refused)

    def _watch_calls(self, game: Game) -> None:
        """The feed does not tell that a play may be called: wait for it at the table."""
        while not (game.over or self._enough.is_set()):
            try:
                news = game.wait_for_moves()
            except Refused:
                news = True  # whoever looks there learns what it is
                self._enough.wait(LOOK_EVERY / 4)
            if news:
                self._attend(game.id)
            else:  # A server that is being stopped answers at once.
                self._enough.wait(WAIT_AGAIN)

    def _refused(self, game: Game, refused: Refused) -> None:
        """A table that cannot be played at is given up; what has to do with the player ends the session."""
        if refused.status == 401:
            raise refused
        self._heard("refused", game.id, {"why": str(refused)})
        if refused.status in (403, 404):
            game.give_up()

    def _heard(self, kind: str, table: str, told: dict[str, Any]) -> None:
        with self._lock:
            self.counted.hear(kind, table, told)
        self._news(kind, table, told)
