"""The nginx configuration is valid, holds nothing back, and refuses what it refuses in the service's own words."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.cli.house import build, free_port
from tests.cli.test_web_worker import WebServer

CONFIG = Path(__file__).parents[2] / "deploy" / "nginx"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: apt install nginx-light)")


def lay_out(folder: Path, *, port: int, upstream: str) -> Path:
    """Lay the configuration out as it will be, but for its port, its logs and where the web server is."""
    folder.mkdir()
    text = (CONFIG / "nginx.conf").read_text()
    for as_committed, here in [
        ("listen 80 ", f"listen 127.0.0.1:{port} "),
        ("/var/log/nginx/", f"{folder}/"),
        ("worker_processes auto;", f"worker_processes 1; daemon off; pid {folder}/pid;"),
        ("worker_rlimit_nofile 32768;", "error_log stderr warn;"),
        ("worker_connections 16384;", "worker_connections 512;"),
    ]:
        assert text.count(as_committed) in (1, 2), as_committed
        text = text.replace(as_committed, here)
    (folder / "nginx.conf").write_text(text)
    (folder / "mime.types").write_text("types { text/html html; }\n")
    (folder / "upstream.conf").write_text(upstream)
    return folder / "nginx.conf"


def nginx(config: Path, *options: str) -> list[str]:
    return [str(NGINX), "-p", str(config.parent), "-e", "stderr", "-c", str(config), *options]


@pytest.mark.parametrize(
    ("upstream", "host"), [("upstream.conf", "127.0.0.1:8000"), ("upstream-compose.conf", "web:8000")]
)
def test_the_configuration_is_valid(tmp_path: Path, upstream: str, host: str) -> None:
    text = (CONFIG / upstream).read_text()
    assert f"server {host} " in text
    config = lay_out(tmp_path / "nginx", port=free_port(), upstream=text.replace("web:", "127.0.0.1:"))
    said = subprocess.run(nginx(config, "-t"), capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "[warn]" not in said.stderr.replace('the "user" directive makes sense only', "")


class Proxy:
    """nginx in front of a web server."""

    def __init__(self, folder: Path, web_port: int, *, allow_metrics_from: str = "127.0.0.0/8") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.config = lay_out(folder, port=self.port, upstream=f"server 127.0.0.1:{web_port} max_fails=0;\n")
        text = self.config.read_text().replace("allow 127.0.0.0/8;", f"allow {allow_metrics_from};")
        self.config.write_text(text)
        self.process = subprocess.Popen(nginx(self.config))
        deadline = time.monotonic() + 10
        while not self.is_there():
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.02)

    def is_there(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def log(self) -> str:
        return (self.config.parent / "access.log").read_text()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(build(tmp_path_factory.mktemp("web")))
    server.start()
    yield server
    server.clean_up()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, web: WebServer) -> Iterator[Proxy]:
    proxy = Proxy(tmp_path_factory.mktemp("proxy") / "nginx", web.port)
    yield proxy
    proxy.stop()


def assert_problem(answer: requests.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["request_id"] == answer.headers["X-Request-Id"]
    assert set(problem) == {
        *("type", "title", "status", "detail", "instance", "code", "params"),
        *("request_id", "version", "legal_moves", "errors"),
    }


def test_a_stream_arrives_piece_by_piece(proxy: Proxy) -> None:
    began = time.monotonic()
    with requests.get(f"{proxy.url}/drip", stream=True, timeout=10) as answer:
        pieces = [(piece, time.monotonic() - began) for piece in answer.iter_content(None)]
    assert [piece for piece, _ in pieces] == [b"data: 0\n\n", b"data: 1\n\n", b"data: 2\n\n"]
    assert pieces[0][1] < 0.5 < pieces[1][1] < pieces[2][1]


def test_a_refusal_of_the_service_passes_as_it_is(proxy: Proxy) -> None:
    answer = requests.get(f"{proxy.url}/refused", timeout=10)
    assert (answer.status_code, answer.text) == (409, "{}")


def test_the_web_server_learns_the_true_address_and_scheme(proxy: Proxy) -> None:
    forged = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Request-Id": "mine-1"}
    told = requests.get(f"{proxy.url}/", headers=forged, timeout=10).text.split()[2:]
    assert told == ["127.0.0.1", "http", "mine-1", "127.0.0.1"]


def test_a_request_id_that_is_none_is_replaced(proxy: Proxy) -> None:
    told = requests.get(f"{proxy.url}/", headers={"X-Request-Id": 'a "b" {c}'}, timeout=10).text.split()
    assert len(told[4]) == 32


def test_a_body_that_is_too_large_is_a_problem(proxy: Proxy) -> None:
    assert_problem(requests.post(f"{proxy.url}/", data=b"x" * 300_000, timeout=10), 413, "too_large")


def test_an_address_that_is_too_long_is_a_problem(proxy: Proxy) -> None:
    assert_problem(requests.get(f"{proxy.url}/{'x' * 9000}", timeout=10), 414, "too_large")


def test_headers_that_are_too_large_are_a_problem(proxy: Proxy) -> None:
    answer = requests.get(f"{proxy.url}/", headers={"X-Long": "x" * 9000}, timeout=10)
    assert_problem(answer, 400, "malformed")


def test_a_method_that_nobody_takes_is_a_problem_that_names_the_others(proxy: Proxy) -> None:
    answer = requests.request("TRACE", f"{proxy.url}/", timeout=10)
    assert_problem(answer, 405, "method_not_allowed")
    assert "PATCH" in answer.headers["Allow"]


def test_a_web_server_that_is_down_is_a_problem_that_says_when_to_come_back(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path / "nginx", free_port())
    try:
        answer = requests.get(f"{proxy.url}/", timeout=10)
        assert_problem(answer, 502, "not_ready")
        assert answer.headers["Retry-After"] == "2"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    finally:
        proxy.stop()


def test_too_many_requests_are_a_problem_that_says_when_to_come_back(tmp_path: Path, web: WebServer) -> None:
    proxy = Proxy(tmp_path / "nginx", web.port)
    try:
        with requests.Session() as session:
            answers = (session.get(f"{proxy.url}/", timeout=10) for _ in range(3000))
            refused = next(answer for answer in answers if answer.status_code != 200)
        assert_problem(refused, 429, "rate_limited")
        assert refused.headers["Retry-After"] == "1"
    finally:
        proxy.stop()


def test_the_figures_are_shown_on_this_machine_and_the_web_server_cannot_tell(proxy: Proxy) -> None:
    told = requests.get(f"{proxy.url}/metrics", headers={"X-Forwarded-For": "203.0.113.7"}, timeout=10).text.split()
    assert told[2] == "-"


def test_the_figures_are_hidden_from_everybody_else(tmp_path: Path, web: WebServer) -> None:
    proxy = Proxy(tmp_path / "nginx", web.port, allow_metrics_from="192.0.2.1")
    try:
        assert_problem(requests.get(f"{proxy.url}/metrics", timeout=10), 404, "not_found")
        assert requests.get(f"{proxy.url}/", timeout=10).status_code == 200
    finally:
        proxy.stop()


def test_only_this_machine_is_let_in_to_the_figures() -> None:
    location = re.search(r"location = /metrics \{(.*?)\}", (CONFIG / "nginx.conf").read_text(), re.DOTALL)
    assert location is not None
    assert re.findall(r"(?:allow|deny) \S+;", location[1]) == ["allow 127.0.0.0/8;", "allow ::1;", "deny all;"]


def test_invite_codes_and_queries_are_not_logged(proxy: Proxy) -> None:
    requests.get(f"{proxy.url}/v1/invites/s3cret?code=s3cret", timeout=10)
    deadline = time.monotonic() + 5
    while "/v1/invites/..." not in proxy.log():
        assert time.monotonic() < deadline, proxy.log()
        time.sleep(0.02)
    assert "s3cret" not in proxy.log()
