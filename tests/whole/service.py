"""`allfives up` as a newcomer starts it: its own port and data folder, its own processes, ended by id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import requests

from app.config import Settings

STARTS_WITHIN = 60.0
"""Seconds until everything must be ready, on a busy machine."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """One running installation."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        own = {"PORT": str(self.port), "DATA_DIR": str(folder / "data"), "PLAYERS_PER_ADDRESS": "100000"}
        self.environ = {**os.environ, **own, **environ}
        self.output = folder / "output.txt"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def settings(self) -> Settings:
        """As anybody with this environment reads them; the stores of DATA_DIR are found once they are there."""
        return Settings.read(self.environ)

    def start(self) -> None:
        with self.output.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "up"],
                env=self.environ,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.wait_until(self.ready, "the service is ready")

    def ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def wait_until(self, condition: Callable[[], bool], what: str, seconds: float = STARTS_WITHIN) -> None:
        ends = time.monotonic() + seconds
        while not condition():
            if self._process is not None and self._process.poll() is not None:
                raise AssertionError(f"`allfives up` ended by itself:\n{self.output.read_text()}")
            if time.monotonic() > ends:
                raise AssertionError(f"not within {seconds} s: {what}\n{self.output.read_text()}")
            time.sleep(0.05)

    def processes(self) -> list[psutil.Process]:
        assert self._process is not None
        try:
            return psutil.Process(self._process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def processes_named(self, *words: str) -> list[psutil.Process]:
        """Those whose command line has one of these words."""
        found = []
        for process in self.processes():
            try:
                line = " ".join(process.cmdline())
            except psutil.Error:
                continue
            if any(word in line for word in words):
                found.append(process)
        return found

    def kill(self, *words: str) -> None:
        """-9 for every process with one of these words in its command line."""
        victims = self.processes_named(*words)
        assert victims, f"nothing called {words} runs: {[p.cmdline() for p in self.processes()]}"
        for victim in victims:
            victim.send_signal(signal.SIGKILL)
        psutil.wait_procs(victims, timeout=10)

    def stop(self) -> list[psutil.Process]:
        """SIGTERM; the processes that are left behind (there should be none)."""
        if self._process is None or self._process.poll() is not None:
            return []
        everybody = self.processes()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
        _, left = psutil.wait_procs(everybody, timeout=5)
        return left
