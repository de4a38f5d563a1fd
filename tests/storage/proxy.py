"""A wire between a client and the store that loses an answer when a test says so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class Proxy:
    """Forwards bytes on loopback. After `lose_answer` the next request with `marker` in it is done, its answer lost."""

    def __init__(self, port: int) -> None:
        self._behind = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self.lost = 0
        self._marker: bytes | None = None
        self._meanwhile: Callable[[], object] = lambda: None
        self._times = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def lose_answer(self, marker: bytes, *, times: int = 1, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Lose the answers to the next `times` requests with `marker`; `meanwhile` runs before the wire breaks."""
        self._marker, self._times, self._meanwhile = marker, times, meanwhile

    def close(self) -> None:
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self._behind)) as store:
            while request := client.recv(1 << 20):
                losing = self._marker is not None and self._marker in request and self.lost < self._times
                store.sendall(request)
                answer = store.recv(1 << 20)
                if losing:
                    self.lost += 1
                    self._meanwhile()
                    return
                client.sendall(answer)
