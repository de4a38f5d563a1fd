"""The clerk: an RQ worker for finished games and analyses, in a process of its own, so that no move waits for it."""

from __future__ import annotations

from app.config import Settings
from app.storage.queue import OF_CLERK
from app.workers.launcher import run_worker


def run_clerk(settings: Settings) -> None:
    """Run the worker of queues `books` and `slow` in this process until SIGTERM or SIGINT."""
    run_worker(settings, "clerk", OF_CLERK)
