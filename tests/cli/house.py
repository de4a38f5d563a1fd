"""The real `allfives up` around a tiny application: a copy of the command beside stand-ins for what it starts.

So these tests prove the command and nothing else, and begin in a second; `tests/whole` starts the real thing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import redis
import requests

import app
from app.config import Settings

WSGI = """
import os, time

def app(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/slow":
        open(os.environ["SLOW_BEGAN"], "w").close()
        time.sleep(2)
    if path == "/broken":
        raise RuntimeError("broken")
    if path == "/body":
        try:
            read = environ["wsgi.input"].read(1000)
        except OSError:
            read = b"OSError"
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(read)))])
        return [read]
    if path == "/drip":
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return drip()
    if path == "/refused":
        start_response("409 Conflict", [("Content-Type", "application/problem+json"), ("Content-Length", "2")])
        return [b"{}"]
    names = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUEST_ID", "HTTP_HOST")
    body = " ".join([str(os.getppid()), str(os.getpid()), *(environ.get(name, "-") for name in names)]).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]

def drip():
    for number in range(3):
        yield b"data: %d\\n\\n" % number
        time.sleep(0.5)
"""
"""The application: it tells its master's and its own process id, and which headers it got."""

BACKGROUND = """
import logging, signal, sys, time

def run_{name}(settings):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    logging.getLogger("app").info("the {name} is at work")
    while True:
        time.sleep(3600)
"""


def build(folder: Path) -> Path:
    """Copy the command and put the stand-ins beside it."""
    package = folder / "app"
    source = Path(app.__file__).parent
    shutil.copytree(source / "cli", package / "cli", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "config.py"):
        shutil.copy(source / name, package / name)
    (package / "wsgi.py").write_text(WSGI)
    (package / "workers").mkdir()
    (package / "workers" / "__init__.py").touch()
    (package / "workers" / "launcher.py").write_text(BACKGROUND.format(name="worker"))
    (package / "workers" / "clerk.py").write_text(BACKGROUND.format(name="clerk"))
    (package / "workers" / "clock.py").write_text(BACKGROUND.format(name="clock"))
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """One `allfives up` with its own port and data folder."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.folder = self.cwd = folder
        self.port = free_port()
        self.settings = Settings(port=self.port, data_dir=folder / "data")
        self.output = folder / "output.txt"
        self.slow_began = folder / "slow-began"
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PORT": str(self.port),
            "DATA_DIR": str(self.settings.data_dir),
            "WEB_PROCESSES": "1",
            "SLOW_BEGAN": str(self.slow_began),
            "PYTHONPATH": str(folder),
            **environ,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *, stdout: int | None = None) -> None:
        """Start it and wait until it says that it is open."""
        self.output.unlink(missing_ok=True)
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "app.cli", "up"],
                env=self.environ,
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=output if stdout is None else stdout,
                stderr=output,
                start_new_session=True,
            )
        if stdout is None:
            self.wait_until(lambda: "All Fives is open" in self.said(), "it says that it is open")
            self.wait_until(lambda: self.part("announce") is None, "it has said so")
            # The stand-in application answers whether or not there is a store: the real one would not be open yet.
            self.wait_until(self.stores_answer, "its stores answer")

    def said(self) -> str:
        return self.output.read_text()

    def get(self, path: str, **options: object) -> requests.Response:
        return requests.get(f"http://127.0.0.1:{self.port}{path}", timeout=10, **options)  # type: ignore[arg-type]

    def answers(self) -> bool:
        try:
            return self.get("/").ok
        except requests.RequestException:
            return False

    def store_answers(self) -> bool:
        try:
            with self.store() as store:
                return bool(store.ping())
        except redis.RedisError:
            return False

    def stores_answer(self) -> bool:
        """Whether each embedded store there is answers."""
        settings = self.settings
        files = [file for file in (settings.store_address_file, settings.queue_address_file) if file.exists()]
        try:
            for file in files:
                with redis.Redis.from_url(file.read_text().strip()) as store:
                    store.ping()
        except redis.RedisError:
            return False
        return True

    def store(self) -> redis.Redis:
        return redis.Redis.from_url(self.settings.find_store(), decode_responses=True)

    def wait_until(self, condition: Callable[[], object], what: str, seconds: float = 30) -> float:
        """Wait until something holds; how many seconds it took."""
        began = time.monotonic()
        while not condition():
            assert self.process is None or self.process.poll() is None, f"it ended by itself:\n{self.said()}"
            assert time.monotonic() < began + seconds, f"not within {seconds} s: {what}\n{self.said()}"
            time.sleep(0.01)
        return time.monotonic() - began

    def everybody(self) -> list[psutil.Process]:
        """Its processes, the supervisor first."""
        assert self.process is not None
        supervisor = psutil.Process(self.process.pid)
        return [supervisor, *supervisor.children(recursive=True)]

    def command_lines(self) -> list[str]:
        """How its processes were started; those that end while we look are left out."""
        lines = []
        for process in self.everybody():
            with contextlib.suppress(psutil.NoSuchProcess):
                lines.append(" ".join(process.cmdline()))
        return lines

    def part(self, name: str) -> psutil.Process | None:
        """The process of one part, as the supervisor started it."""
        marks = {"web": "gunicorn", "worker": "app.cli worker", "clock": "app.cli clock"}
        for store, address in (
            ("store", self.settings.store_address_file),
            ("queue", self.settings.queue_address_file),
        ):
            port = urlsplit(address.read_text()).port if address.exists() else "none"
            marks[store] = f"-server 127.0.0.1:{port}"
        marks["clerk"] = "app.cli clerk"
        marks["announce"] = "app.cli announce"
        assert self.process is not None
        for child in psutil.Process(self.process.pid).children():
            try:
                if marks[name] in " ".join(child.cmdline()):
                    return child
            except psutil.NoSuchProcess:
                continue
        return None

    def send(self, signum: int) -> None:
        assert self.process is not None
        self.process.send_signal(signum)

    def end(self, signum: int = signal.SIGTERM) -> tuple[int, list[psutil.Process]]:
        """Stop it: its exit code, and whom it left behind."""
        assert self.process is not None
        everybody = self.everybody()
        self.send(signum)
        code = self.process.wait(30)
        return code, left_behind(everybody)

    def clean_up(self) -> None:
        """Leave nothing running, whatever the test came to."""
        if self.process is None or self.process.poll() is not None:
            return
        everybody = self.everybody()
        self.send(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for process in left_behind(everybody, seconds=5):
            process.kill()


def left_behind(processes: list[psutil.Process], seconds: float = 0) -> list[psutil.Process]:
    """Those still running after `seconds`."""
    _, running = psutil.wait_procs(processes, timeout=seconds)
    return [process for process in running if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
