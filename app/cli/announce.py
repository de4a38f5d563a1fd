"""Tells where the service is once it is there."""

from __future__ import annotations

import signal
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen

import click

from app.cli.errors import read_settings
from app.config import Settings

SECONDS_TO_BECOME_READY = 60.0


@click.command(hidden=True)
@click.option("--parent", type=int, hidden=True)
def announce(parent: int | None) -> None:
    """Wait until the service answers and print its addresses."""
    from app.cli.parent import end_with_parent

    if parent is not None:
        end_with_parent(parent)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    settings = read_settings()
    root = root_url(settings)
    deadline = time.monotonic() + SECONDS_TO_BECOME_READY
    while not _is_ready(root):
        if time.monotonic() >= deadline:
            click.echo(f"allfives: not ready after {SECONDS_TO_BECOME_READY:.0f} s; the lines above may tell why")
            return
        time.sleep(0.05)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is as good as gone; being stopped now is not worth a line
    click.echo(text(settings))


def text(settings: Settings) -> str:
    """What a person needs to know to begin.

    >>> print(text(Settings()))
    All Fives is open. Ctrl-C stops it.
      try it        http://127.0.0.1:8000/docs
      the API       http://127.0.0.1:8000/v1
      its document  http://127.0.0.1:8000/openapi.json
    """
    root = root_url(settings)
    return (
        "All Fives is open. Ctrl-C stops it.\n"
        f"  try it        {root}/docs\n"
        f"  the API       {root}/v1\n"
        f"  its document  {root}/openapi.json"
    )


def root_url(settings: Settings) -> str:
    """Where this machine reaches the service.

    >>> root_url(Settings(host="0.0.0.0", port=80)), root_url(Settings(host="::1"))
    ('http://127.0.0.1', 'http://[::1]:8000')
    """
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}" + ("" if settings.port == 80 else f":{settings.port}")


def _is_ready(root: str) -> bool:
    try:
        with urlopen(f"{root}/readyz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
