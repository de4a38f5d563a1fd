"""What the API needs from outside. `app.wiring` builds it; the tests build it on in-memory twins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, cast

from flask import Flask, current_app

from app.analysis.service import Analyses
from app.metrics.reporting import Metrics
from app.standing.service import Standing
from app.tables.feed import Feed
from app.tables.live import StreamTerms, Turnstile
from app.tables.players import Players
from app.tables.service import Tables
from app.tables.tickets import Tickets

EXTENSION = "allfives"
"""Name under which the services hang on the Flask application."""


class Services(Protocol):
    """The use cases, put together once."""

    @property
    def tables(self) -> Tables: ...

    @property
    def players(self) -> Players: ...

    @property
    def feed(self) -> Feed: ...

    @property
    def turnstile(self) -> Turnstile: ...

    @property
    def stream_terms(self) -> StreamTerms: ...

    @property
    def tickets(self) -> Tickets: ...

    @property
    def standing(self) -> Standing: ...

    @property
    def analyses(self) -> Analyses: ...

    @property
    def metrics(self) -> Metrics: ...

    @property
    def ready(self) -> Callable[[], list[str]]:
        """What keeps this process from serving; an empty list: nothing."""

    @property
    def now(self) -> Callable[[], datetime]:
        """The store's clock: one round trip."""


def attach(app: Flask, services: Services) -> None:
    app.extensions[EXTENSION] = services


def services() -> Services:
    """The services of the application that answers this request."""
    return cast("Services", current_app.extensions[EXTENSION])


def tables() -> Tables:
    return services().tables


def players() -> Players:
    return services().players


def tickets() -> Tickets:
    return services().tickets


def standing() -> Standing:
    return services().standing


def analyses() -> Analyses:
    return services().analyses
