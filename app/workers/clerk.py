"""The clerk: an RQ worker for what nobody waits for. It has a process of its own, so that no move waits for it."""

from __future__ import annotations

from app.config import Settings
from app.storage.queue import SLOW
from app.workers.launcher import run_worker


def run_clerk(settings: Settings) -> None:
    """Run the worker of queue `slow` in this process until SIGTERM or SIGINT."""
    run_worker(settings, SLOW)
