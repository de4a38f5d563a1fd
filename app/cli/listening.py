"""The web server's port, taken before anything else starts."""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Callable
from typing import TypeVar

from app.cli.errors import CannotStartError

Taken = TypeVar("Taken")


def listen(host: str, port: int, *, seconds: float = 0) -> socket.socket:
    """Take the web server's port; one that is being given up gets `seconds` for it.

    Raises:
        CannotStartError: the port is in use, or the address is not one of this machine's.
    """
    return try_for(seconds, lambda: _bind(host, port))


def _bind(host: str, port: int) -> socket.socket:
    try:
        [family, kind, protocol, _, address], *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotStartError(f"HOST={host} is not an address: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(socket.SOMAXCONN)
        listener.setblocking(False)  # for all who share it: a web process that waits in accept() serves nobody
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            line = f"port {port} is in use; choose another: PORT={port + 1 if port < 65535 else 8000}"
        elif error.errno == errno.EACCES:
            line = f"port {port} needs more rights than this user has; choose one above 1023, such as PORT=8000"
        else:
            line = f"HOST={host} PORT={port} cannot be listened on: {os.strerror(error.errno or 0)}"
        raise CannotStartError(line) from None
    return listener


def try_for(seconds: float, take: Callable[[], Taken]) -> Taken:
    """Try to take something until it is free, for `seconds` at most."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return take()
        except CannotStartError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(0.1)
