"""The web server: what is not HTTP gets a problem, and stopping waits for work but not for idle connections."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import requests

from tests.cli.house import House, build, free_port, left_behind


class WebServer(House):
    """Only `allfives web`, without a supervisor; the stand-in application asks no store."""

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, **{"REDIS_URL": "redis://127.0.0.1:1/0", **environ})

    def start(self, *, stdout: int | None = None) -> None:
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "app.cli", "web"],
                env=self.environ,
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=output if stdout is None else stdout,
                stderr=output,
                start_new_session=True,
            )
        self.wait_until(self.answers, "the web server answers")

    def exchange(self, request: bytes, *, end: bool = False) -> tuple[bytes, dict[str, str], bytes]:
        """Send bytes (`end`: and no more) and read until the server closes: status line, headers, body."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            if end:
                connection.shutdown(socket.SHUT_WR)
            received = b""
            while chunk := connection.recv(65536):
                received += chunk
        head, _, body = received.partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        headers = {name.decode().lower(): value.decode() for name, value in (line.split(b": ", 1) for line in lines)}
        return first, headers, body


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(build(tmp_path_factory.mktemp("web")))
    server.start()
    yield server
    server.clean_up()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[WebServer]:
    server = WebServer(build(tmp_path), WEB_PROCESSES="2")
    server.start()
    server.wait_until(lambda: len({server.get("/").text for _ in range(20)}) == 2, "both processes answer")
    yield server
    server.clean_up()


@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        (b"hello\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/9.9\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/1.1\r\nAuthorization : Bearer secret\r\n\r\n", 400, "malformed"),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "malformed"),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "malformed"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "malformed"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "too_large"),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 9000 + b"\r\n\r\n", 431, "too_large"),
        (b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(100)) + b"\r\n", 431, "too_large"),
    ],
)
def test_what_is_not_http_is_refused_with_a_problem(
    server: WebServer, request_bytes: bytes, status: int, code: str
) -> None:
    first, headers, body = server.exchange(request_bytes)
    problem = json.loads(body)
    assert first.startswith(b"HTTP/1.1 %d " % status)
    assert headers["content-type"] == "application/problem+json"
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["request_id"] == headers["x-request-id"]
    assert abs(int(headers["x-server-time"]) - time.time() * 1000) < 10_000
    assert "secret" not in body.decode() + server.said()


@pytest.mark.parametrize(
    "chunks",
    [
        b"zz\r\n{}\r\n0\r\n\r\n",
        b"-1\r\n{}\r\n0\r\n\r\n",
        b"0xc\r\n{}\r\n0\r\n\r\n",
        b"\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}0\r\n\r\n",
        b"2;a=\r\x01\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}\r\n0\r\nbad trailer\r\n\r\n",
        b"2\r\n{",
        b"2\r\n{}\r\n",
    ],
)
@pytest.mark.parametrize("method", [b"POST", b"GET"])
def test_a_badly_chunked_body_is_an_unreadable_one_and_no_fault_of_ours(
    server: WebServer, method: bytes, chunks: bytes
) -> None:
    head = method + b" /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    first, _, body = server.exchange(head + chunks, end=True)
    assert first == b"HTTP/1.1 200 OK"
    assert body == b"OSError"
    assert "Traceback" not in server.said()


def test_chunks_in_good_order_are_read_as_one_body(server: WebServer) -> None:
    head = b"POST /body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    _, _, body = server.exchange(head + b"1\r\n{\r\n1;a=b\r\n}\r\n0\r\nX-After: 1\r\n\r\n")
    assert body == b"{}"


def test_a_badly_chunked_body_nobody_reads_ends_the_connection_after_its_answer(server: WebServer) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    first, headers, body = server.exchange(head + b"zz\r\n{}\r\n0\r\n\r\n", end=True)
    assert first == b"HTTP/1.1 200 OK"
    assert len(body) == int(headers["content-length"])
    assert "Traceback" not in server.said()


def test_an_address_of_five_thousand_characters_reaches_the_application(server: WebServer) -> None:
    assert server.get("/" + "x" * 5000).ok


def test_two_hundred_waiting_requests_block_nobody(server: WebServer) -> None:
    waiting = []
    try:
        for _ in range(200):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            waiting.append(connection)
        began = time.monotonic()
        assert server.get("/").ok
        assert time.monotonic() - began < 1.5, "it waited for the others"
    finally:
        for connection in waiting:
            connection.close()


def test_a_bug_in_the_application_is_logged_without_ending_the_server(server: WebServer) -> None:
    assert server.get("/broken").status_code == 500
    assert server.get("/").ok
    assert "RuntimeError: broken" in server.said()


def test_sigterm_lets_requests_finish_and_closes_idle_connections(own_server: WebServer) -> None:
    answers: list[int] = []
    asker = threading.Thread(target=lambda: answers.append(own_server.get("/slow").status_code))
    with requests.Session() as idle:
        idle.get(f"http://127.0.0.1:{own_server.port}/", timeout=5)
        asker.start()
        own_server.wait_until(own_server.slow_began.exists, "the request has begun")
        assert own_server.end() == (0, [])
    asker.join(10)
    assert answers == [200]


def test_a_thousand_idle_connections_do_not_hold_it_up(own_server: WebServer) -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 2000:
        pytest.skip(f"a process may open only {most} files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, 2000), most))
    with contextlib.ExitStack() as connections:
        for _ in range(1200):
            connection = socket.create_connection(("127.0.0.1", own_server.port), timeout=10)
            connections.enter_context(connection).sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200"
        began = time.monotonic()
        assert own_server.end() == (0, [])
        assert time.monotonic() - began < 4


def test_processes_without_a_master_finish_their_requests_and_end(own_server: WebServer) -> None:
    assert own_server.process is not None
    processes = psutil.Process(own_server.process.pid).children()
    answers: list[int] = []
    asker = threading.Thread(target=lambda: answers.append(own_server.get("/slow").status_code))
    asker.start()
    own_server.wait_until(own_server.slow_began.exists, "the request has begun")
    own_server.process.kill()
    own_server.process.wait(5)
    asker.join(10)
    assert answers == [200]
    assert left_behind(processes, seconds=10) == []


def test_a_killed_process_of_the_web_server_is_replaced(own_server: WebServer) -> None:
    assert own_server.process is not None
    [first, second] = psutil.Process(own_server.process.pid).children()
    first.send_signal(signal.SIGKILL)
    master = psutil.Process(own_server.process.pid)
    own_server.wait_until(
        lambda: len({child.pid for child in master.children()} - {first.pid}) == 2, "there are two again", seconds=5
    )
    assert second.is_running()


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "app.cli", "web"],
            env={**os.environ, "PORT": str(port), "REDIS_URL": "redis://127.0.0.1:1/0"},
            cwd=build(tmp_path),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [f"allfives: port {port} is in use; choose another: PORT={port + 1}"]
