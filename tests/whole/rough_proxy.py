"""A proxy on a bad line: it delays, it cuts answers off after some bytes, and it sends requests twice."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import suppress


class RoughProxy:
    """Forwards HTTP on loopback, one request a connection.

    While `rough`, each answer is delayed a little and cut off after a random number of milliseconds, about every second
    one after a random number of bytes; about every fifth request is sent twice, as by a proxy that tries again.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._behind = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self.rough = True
        self.cuts = 0
        self.doubles = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._door.getsockname()[1]}"

    def close(self) -> None:
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            cut_after = (
                int(10 ** self._chance.uniform(-1, 4)) if self.rough and self._chance.random() < 0.5 else 1 << 30
            )
            lasts = self._chance.uniform(0.05, 0.6) if self.rough else 300.0
            twice = self.rough and self._chance.random() < 0.2
            delay = self._chance.uniform(0, 0.02) if self.rough else 0
        with suppress(OSError), client:
            client.settimeout(30)
            request = _whole_request(client)
            if twice:
                self.doubles += 1
                with suppress(OSError):
                    self._ask_and_forget(request)
            threading.Event().wait(delay)
            with socket.create_connection(("127.0.0.1", self._behind)) as server:
                server.sendall(request)
                self._answer(client, server, cut_after, time.monotonic() + lasts)

    def _answer(self, client: socket.socket, server: socket.socket, cut_after: int, until: float) -> None:
        """Pass an answer on: its head whole or not at all, `cut_after` bytes of its body, and nothing after `until`."""
        held, sent, in_body = b"", 0, False
        while True:
            server.settimeout(max(0.001, until - time.monotonic()))
            try:
                piece = server.recv(4096)
            except TimeoutError:
                break
            if not piece:
                client.sendall(held)
                return
            held += piece
            if not in_body and b"\r\n\r\n" not in held:
                continue
            if not in_body:
                head, separator, held = held.partition(b"\r\n\r\n")
                if cut_after <= 0:
                    break
                client.sendall(head + separator)
                in_body = True
            client.sendall(held[: cut_after - sent])
            sent, held = sent + len(held), b""
            if sent >= cut_after:
                break
        self.cuts += 1

    def _ask_and_forget(self, request: bytes) -> None:
        with socket.create_connection(("127.0.0.1", self._behind)) as server:
            server.sendall(request)
            server.settimeout(0.2)
            with suppress(TimeoutError):
                server.recv(1)


def _whole_request(client: socket.socket) -> bytes:
    """A request with its body; it is made the connection's only one."""
    head = b""
    while b"\r\n\r\n" not in head:
        piece = client.recv(65536)
        if not piece:
            raise ConnectionError("the client went away")
        head += piece
    head, _, body = head.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    length = next((int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += client.recv(65536)
    return b"\r\n".join([*lines, b"Connection: close", b"", body])
