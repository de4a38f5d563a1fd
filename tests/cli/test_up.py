"""`allfives up`: what dies comes back, and what stops leaves nothing behind and loses nothing."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import requests

from app.config import Settings
from tests.cli.house import House, build, left_behind
from tests.conftest import running_store

pytestmark = pytest.mark.slow

PARTS = ["store", "queue", "web", "worker", "clerk", "clock"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(build(tmp_path))
    yield house
    house.clean_up()


def test_it_starts_everything_and_says_where(house: House) -> None:
    house.start()
    assert house.get("/readyz").ok
    assert all(house.part(name) for name in PARTS)
    assert f"http://127.0.0.1:{house.port}/docs" in house.said()
    assert f"http://127.0.0.1:{house.port}/v1" in house.said()


def test_its_output_is_one_style_of_lines_and_no_noise(house: House) -> None:
    house.start()
    for name in ("worker", "clerk", "clock"):
        house.wait_until(lambda name=name: f"the {name} is at work" in house.said(), f"the {name} says so")  # type: ignore[misc]
    house.end()
    assert house.said().splitlines()[-1] == "All Fives is closed."
    logged = [line for line in house.said().splitlines() if not line.startswith(("All Fives is ", "  "))]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|WARN) ", line) for line in logged), logged
    assert len(logged) == 4, logged


@pytest.mark.alone
@pytest.mark.parametrize("name", PARTS)
def test_a_part_killed_with_9_is_back_within_two_seconds(house: House, name: str) -> None:
    house.start()
    with house.store() as store:
        store.set("spinner", "55")
    old = house.part(name)
    assert old is not None
    house.wait_until(lambda: time.time() - old.create_time() > 1.2, "it has been up for a second")
    old.kill()

    def is_back() -> bool:
        new = house.part(name)
        if new is None or new.pid == old.pid:
            return False
        if name == "web":
            return house.get("/").text.startswith(f"{new.pid} ")
        return name != "store" or house.store_answers()

    assert house.wait_until(is_back, f"{name} is back") < 2
    with house.store() as store:
        assert store.get("spinner") == "55"


def test_no_client_is_turned_away_while_the_web_server_is_replaced(house: House) -> None:
    house.start()
    web = house.part("web")
    assert web is not None
    web.kill()
    for _ in range(100):
        assert house.get("/").ok


def test_a_part_that_is_killed_again_and_again_comes_back_each_time(house: House) -> None:
    house.start()
    for _ in range(3):
        worker = house.part("worker")
        assert worker is not None
        worker.kill()
        worker.wait(5)
        house.wait_until(lambda: house.part("worker"), "the worker is back", seconds=5)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_stops_everything_and_leaves_nothing_behind(house: House, signum: int) -> None:
    house.start()
    assert len(house.everybody()) >= 6
    code, left = house.end(signum)
    assert (code, left) == (0, [])


def test_it_stops_while_parts_are_starting_and_warns_of_nothing(house: House, tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    house.start(stdout=os.open(told, os.O_WRONLY | os.O_CREAT))
    house.wait_until(lambda: house.part("web") or len(house.everybody()) > 2, "the first parts run")
    code, left = house.end()
    assert (code, left) == (0, [])
    lines = told.read_text().splitlines()
    assert lines[-1] == "All Fives is closed."
    # A part that was quick may have said that it is at work.
    (asked,) = [line for line in lines if " WARN " in line or " ERRO " in line]
    assert asked.endswith("WARN received SIGTERM indicating exit request")


def test_a_request_under_way_is_answered_before_it_stops(house: House) -> None:
    house.start()
    answers: list[int] = []
    asker = threading.Thread(target=lambda: answers.append(house.get("/slow").status_code))
    asker.start()
    house.wait_until(house.slow_began.exists, "the request has begun")
    code, left = house.end()
    asker.join(10)
    assert (answers, code, left) == ([200], 0, [])


def test_connections_that_only_idle_do_not_hold_it_up(house: House) -> None:
    house.start()
    with requests.Session() as session:
        session.get(f"http://127.0.0.1:{house.port}/", timeout=5)
        assert house.process is not None
        house.send(signal.SIGTERM)
        house.process.wait(4)


def test_what_was_written_is_there_the_next_time(house: House) -> None:
    house.start()
    with house.store() as store:
        store.set("spinner", "55")
    house.end()
    house.start()
    with house.store() as store:
        assert store.get("spinner") == "55"


def test_a_killed_supervisor_takes_its_parts_along_and_the_next_one_starts(house: House) -> None:
    house.start()
    with house.store() as store:
        store.set("spinner", "55")
    everybody = house.everybody()
    house.send(signal.SIGKILL)
    assert house.process is not None
    house.process.wait(5)
    house.output.unlink()
    house.start()
    assert left_behind(everybody, seconds=10) == []
    with house.store() as store:
        assert store.get("spinner") == "55"


def test_a_part_that_cannot_stay_up_ends_everything(house: House) -> None:
    house.start()
    house.end()
    manifest = next((house.settings.store_dir / "appendonlydir").glob("*.manifest"))
    manifest.write_text("this is not a manifest\n")
    house.start(stdout=os.open(os.devnull, os.O_WRONLY))
    assert house.process is not None
    assert house.process.wait(60) == 1


def test_its_output_may_be_a_socket(house: House) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        house.start(stdout=theirs.fileno())
        theirs.close()
        ours.settimeout(30)
        heard = b""
        while b"All Fives is open" not in heard:
            heard += ours.recv(4096)
        house.end()


def test_with_redis_url_there_is_no_embedded_store_and_no_data_folder(house: House, tmp_path: Path) -> None:
    with running_store(tmp_path / "elsewhere") as url:
        house.environ["REDIS_URL"] = url
        house.start()
        assert house.part("store") is None
        assert house.part("queue") is None
        assert not house.settings.data_dir.exists()
        code, left = house.end()
        assert (code, left) == (0, [])


def test_with_queue_url_there_is_no_embedded_store_of_the_queues(house: House, tmp_path: Path) -> None:
    with running_store(tmp_path / "elsewhere") as url:
        house.environ["QUEUE_URL"] = url
        house.start()
        assert house.part("store") is not None
        assert house.part("queue") is None
        assert house.end() == (0, [])


def test_several_workers_are_started_and_stopped(house: House) -> None:
    house.environ |= {"WORKERS": "3", "WEB_PROCESSES": "2"}
    house.start()
    assert sum("app.cli worker" in line for line in house.command_lines()) == 3
    assert house.end() == (0, [])


def test_a_folder_named_app_where_it_is_started_is_not_taken_for_ours(house: House, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    (foreign / "app").mkdir(parents=True)
    (foreign / "app" / "__init__.py").write_text("raise SystemExit('the wrong app')")
    house.cwd = foreign
    house.start()
    assert house.get("/").ok


def test_the_data_folder_may_have_any_name(house: House, tmp_path: Path) -> None:
    folder = tmp_path / 'our "games" 100% ; öd'
    house.environ["DATA_DIR"] = str(folder)
    house.settings = Settings(port=house.port, data_dir=folder)
    house.start()
    with house.store() as store:
        store.set("spinner", "55")
    assert house.end() == (0, [])
    assert (folder / "store" / "store.log").stat().st_size > 0


@pytest.mark.alone
def test_everything_killed_at_once_is_back(house: House) -> None:
    house.start()
    for process in house.everybody()[1:]:
        with contextlib.suppress(psutil.NoSuchProcess):  # the one before may have taken it along
            process.kill()
    house.wait_until(house.store_answers, "the store is back", seconds=5)
    house.wait_until(
        lambda: house.answers() and house.part("worker") and house.part("clock"), "all are back", seconds=5
    )
    assert house.end()[0] == 0
