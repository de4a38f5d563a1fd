"""Who runs in a data folder: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class HeldError(Exception):
    """Another process holds the lock."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"held by process {holder}")
        self.holder = holder
        """Its process id, or `?`."""


class Lock:
    """A locked file that names its holder.

    `was_abandoned` tells whether the last holder ended without letting go: it was killed.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            HeldError: another process has it.
            OSError: the file cannot be made or written.
        """
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        previous = os.pread(self.fd, 32, 0).decode("ascii", "replace").strip()
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self.fd)
            raise HeldError(previous or "?") from None
        self.was_abandoned = bool(previous)
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go in good order."""
        os.ftruncate(self.fd, 0)
        os.close(self.fd)

    def hand_over_on_exec(self) -> None:
        """Keep the lock in the program this process turns into."""
        os.set_inheritable(self.fd, True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()
