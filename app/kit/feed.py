"""The player's feed over all of his tables: a stream, taken up again where it broke, and polls while it is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from sseclient import SSEClient

from app.kit.answers import Told
from app.kit.server import NoAnswer, Refused, Server

MOST_POLLS = 6
"""Polls after a stream that broke at once again and again, before the next try."""
POLL_SECONDS = 20.0


class Page(Struct, frozen=True, kw_only=True):
    events: tuple[Told, ...]
    next_after: int


class Feed:
    """What a player is told, as it comes; nothing is left out, some things may come twice."""

    def __init__(self, server: Server, enough: threading.Event) -> None:
        self._server = server
        self._enough = enough
        self._cursor: int | None = None
        self.way = "starting"
        """How it comes now: `stream` or `poll`."""

    def begin(self) -> None:
        """Hear of everything from now on."""
        self._cursor = self._page("now", wait=0).next_after

    def follow(self) -> Iterator[Told | None]:
        """Entries as they come, until it is enough; None where something may have been missed.

        Raises: Refused, where the player is not known any more.
        """
        breaks = 0
        while not self._enough.is_set():
            polls, stay_away_until = 1, 0.0
            try:
                try:
                    for told in self._stream():
                        breaks = 0
                        yield told
                except NoAnswer as error:
                    breaks += 1
                    polls = min(breaks, MOST_POLLS)
                    stay_away_until = time.monotonic() + error.retry_after
                yield from self._polls(polls, stay_away_until)
            except Refused as refused:
                if refused.code != "cursor_ahead":
                    raise
                # The server has lost what it had told: it may have lost more.
                self.begin()
                yield None

    def _stream(self) -> Iterator[Told]:
        assert self._cursor is not None, "begin() comes first"
        with self._server.stream("/me/stream", last=self._cursor) as pieces:
            self.way = "stream"
            for event in SSEClient(pieces).events():
                try:
                    told = msgspec.json.decode(event.data, type=Told)
                except msgspec.DecodeError:
                    raise NoAnswer("the stream broke in the middle of an event") from None
                self._cursor = told.seq
                yield told

    def _polls(self, number: int, until: float) -> Iterator[Told]:
        """So many, and as many more as it takes until that monotonic second."""
        place = 0
        while not self._enough.is_set() and (place < number or time.monotonic() < until):
            # The first one is short: the stream has most likely only been ended.
            yield from self._poll(POLL_SECONDS if place > 1 else 1.0)
            place += 1

    def _poll(self, wait: float) -> Iterator[Told]:
        self.way = "poll"
        try:
            page = self._page(self._cursor, wait=wait)
        except NoAnswer:
            return
        for told in page.events:
            self._cursor = told.seq
            yield told
        self._cursor = page.next_after

    def _page(self, after: int | str | None, *, wait: float) -> Page:
        return self._server.ask(Page, "GET", "/me/events", after=str(after), wait=wait)
