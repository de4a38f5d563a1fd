"""`allfives up`: everything in one terminal."""

from __future__ import annotations

import contextlib
import os
import sys

import click

from app.cli.embedded import choose_address, choose_server, make_folder
from app.cli.errors import read_settings
from app.cli.listening import listen
from app.cli.preflight import (
    SECONDS_TO_WIND_DOWN,
    await_store_folders,
    check_stores,
    lock_data_folder,
)


@click.command()
def up() -> None:
    """Run the whole service in this terminal: stores, web server, worker, clerk, clock.

    A part that dies is started again; Ctrl-C or SIGTERM stops all of them, the stores last. With REDIS_URL that store
    is used, else two of our own in DATA_DIR: one for the games, one for the queues.
    """
    settings = read_settings()
    from app.cli.supervision import supervise

    with contextlib.ExitStack() as held:
        patience = 0.0
        if settings.redis_url is None:
            make_folder(settings)
            lock = held.enter_context(lock_data_folder(settings))
            patience = SECONDS_TO_WIND_DOWN if lock.was_abandoned else 0.0
            await_store_folders(settings, patience)
            choose_server(settings)
        for risk in check_stores(settings):
            click.echo(f"allfives: {risk}", err=True)
        listener = held.enter_context(listen(settings.host, settings.port, seconds=patience))
        os.environ["DATA_DIR"] = str(settings.data_dir)
        if settings.has_queue_store:
            os.environ["QUEUE_URL"] = choose_address(settings.queue_dir).url
        os.environ["REDIS_URL"] = settings.redis_url or choose_address(settings.store_dir).url
        ended_well = supervise(settings, listener)
    if ended_well:
        with contextlib.suppress(OSError):  # the terminal may be gone
            os.write(1, b"All Fives is closed.\n")
    sys.exit(0 if ended_well else 1)
