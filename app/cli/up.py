"""`allfives up`: everything in one terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace

import click

from app.cli.embedded import choose_address, choose_server, make_folder
from app.cli.errors import read_settings
from app.cli.listening import listen
from app.cli.locks import Lock
from app.cli.preflight import (
    SECONDS_TO_WIND_DOWN,
    await_store_folder,
    check_replicas,
    check_store,
    lock_data_folder,
)


@click.command()
def up() -> None:
    """Run the whole service in this terminal: store, web server, worker, clock.

    A part that dies is started again; Ctrl-C or SIGTERM stops all of them, the store last. With REDIS_URL that store is
    used, else one of our own in DATA_DIR.
    """
    settings = read_settings()
    lock: Lock | None = None
    patience = 0.0
    if settings.redis_url is None:
        make_folder(settings)
        lock = lock_data_folder(settings)
        patience = SECONDS_TO_WIND_DOWN if lock.was_abandoned else 0.0
        await_store_folder(settings, patience)
        choose_server(settings)
    stores = {"REDIS_URL": settings.redis_url, "QUEUE_URL": settings.queue_url}
    for name, url in stores.items():
        for risk in check_store(name, url) if url else []:
            click.echo(f"allfives: {risk}", err=True)
    check_replicas(settings)
    listener = listen(settings.host, settings.port, seconds=patience)

    from app.cli.supervision import supervise

    os.environ["DATA_DIR"] = str(settings.data_dir)
    if settings.redis_url is None:
        os.environ["REDIS_URL"] = choose_address(settings).url
    with contextlib.ExitStack() as at_the_end:
        if lock is not None:
            at_the_end.enter_context(lock)
        ended_well = supervise(replace(settings), listener)
    sys.exit(0 if ended_well else 1)
