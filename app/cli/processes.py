"""The parts of the service, one command each: what `allfives up`, the Procfile, systemd and compose start."""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import sys
import time
from pathlib import Path

import click

import app
from app.cli.errors import CannotStartError, read_settings
from app.cli.listening import listen
from app.cli.locks import HeldError, Lock
from app.cli.logs import start_logging
from app.cli.parent import end_with_parent
from app.config import Settings, SettingsError

SECONDS_FOR_STORE_TO_START = 30.0
"""Seconds that parts started by `allfives up` wait for the embedded store to write down where it is."""
BETWEEN_LOOKS = 0.05
"""Seconds between two looks for a store, until it has been said that there is none; then `LONGEST_BETWEEN_LOOKS`."""
LONGEST_BETWEEN_LOOKS = 1.0
MOST_FILES = 65536
"""Open files a web process asks for: one for each waiting client."""

PROGRAM = Path(app.__file__).parent.parent
"""The folder that `app` is imported from."""
PYTHON = [sys.executable, "-P", "-m"]
"""Runs a module without looking for it in the current folder."""

log = logging.getLogger(__name__)

supervised = click.option("--parent", type=int, hidden=True, help="Process id of the supervisor to end with.")


@click.command()
@supervised
@click.option("--queue", is_flag=True, hidden=True, help="The store of the queues that stands beside it.")
def valkey(parent: int | None, *, queue: bool) -> None:
    """Run the embedded store of DATA_DIR in the foreground, for games and queues."""
    from app.cli.embedded import make_folder, prepare

    settings = read_settings()
    if parent is not None:
        end_with_parent(parent)
    make_folder(settings)
    try:
        lock = Lock((settings.queue_dir if queue else settings.store_dir) / "store.lock")
    except HeldError as error:
        raise CannotStartError(f"a store runs on DATA_DIR={settings.data_dir} already: {error.holder}") from None
    argv = prepare(settings, queue=queue, may_move=parent is None)
    if parent is None and not queue:
        settings.queue_address_file.unlink(missing_ok=True)  # nobody else is there to start one for the queues
    lock.hand_over_on_exec()
    os.umask(0o077)
    os.execv(argv[0], argv)  # noqa: S606


@click.command()
@supervised
@click.option("--listener", type=int, hidden=True, help="File descriptor of a socket that listens already.")
def web(parent: int | None, listener: int | None) -> None:
    """Run the web server on HOST and PORT."""
    settings = read_settings()
    if parent is not None:
        end_with_parent(parent)
    _find_stores(settings, starts_with_us=parent is not None)
    raise_file_limit()
    if listener is None:
        listener = listen(settings.host, settings.port).detach()
        os.set_inheritable(listener, True)
    find_this_program_first()
    os.environ["DATA_DIR"] = str(settings.data_dir)
    os.chdir(PROGRAM)  # gunicorn looks for the application in the current folder first
    argv = [*PYTHON, "gunicorn", "--config", "python:app.cli.gunicorn"]
    os.execv(argv[0], [*argv, "--bind", f"fd://{listener}", "app.wsgi:app"])  # noqa: S606


@click.command()
@supervised
def worker(parent: int | None) -> None:
    """Run an RQ worker: bots' turns, timeouts, next hands."""
    settings = _start("worker", parent)
    from app.workers.launcher import run_worker

    run_worker(settings)


@click.command()
@supervised
def clerk(parent: int | None) -> None:
    """Run an RQ worker for finished games: ratings, counts, analyses."""
    settings = _start("clerk", parent)
    from app.workers.clerk import run_clerk

    run_clerk(settings)


@click.command()
@supervised
def clock(parent: int | None) -> None:
    """Run the clock, which sees to it that whatever is due happens."""
    settings = _start("clock", parent)
    from app.workers.clock import run_clock

    run_clock(settings)


def raise_file_limit() -> None:
    """Allow this process as many open files as it may have, up to `MOST_FILES`."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def find_this_program_first() -> None:
    """Make children import this `app`, whatever lies in the folder they are started from or in the environment."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", str(PROGRAM))]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PROGRAM), *others])


def _start(process: str, parent: int | None) -> Settings:
    settings = read_settings()
    if parent is not None:
        end_with_parent(parent)
    start_logging(process, settings.log_level)
    _await_stores(settings, starts_with_us=parent is not None)
    return settings


def _find_stores(settings: Settings, *, starts_with_us: bool) -> set[str]:
    """URLs of the stores; an embedded one that `starts_with_us` may take a moment to be there.

    Raises:
        CannotStartError: there is none to be found.
    """
    deadline = time.monotonic() + (SECONDS_FOR_STORE_TO_START if starts_with_us else 0)
    while True:
        try:
            return {settings.find_store(), settings.find_queue()}
        except SettingsError as error:
            if time.monotonic() >= deadline:
                raise CannotStartError(str(error)) from None
        time.sleep(BETWEEN_LOOKS)


def _await_stores(settings: Settings, *, starts_with_us: bool) -> None:
    """Wait until the stores answer, however long: whoever is supervised would only be started again.

    That they do not is said once. Under `allfives up` the store is usually a moment behind, so there not at once.

    Raises:
        CannotStartError: there is no store to be found.
    """
    import redis

    say_after = time.monotonic() + (SECONDS_FOR_STORE_TO_START if starts_with_us else 0)
    pause, said = BETWEEN_LOOKS, False
    while True:
        try:
            # Found anew each time: the embedded store may come back at another address.
            for url in _find_stores(settings, starts_with_us=starts_with_us):
                with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
                    client.ping()
        except (redis.RedisError, OSError) as error:
            if not said and time.monotonic() >= say_after:
                log.warning("the store cannot be reached (%s), trying again", type(error).__name__)
                said = True
        else:
            if said:
                log.warning("the store answers")
            return
        time.sleep(pause)
        pause = LONGEST_BETWEEN_LOOKS if said else BETWEEN_LOOKS
